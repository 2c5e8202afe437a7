import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRecording } from '../../../../src/backends/offline/recording';
import type { RunState } from '../../../../src/run/state';
import { plainCourse, play } from './demo-stage';

function validVotes(state: RunState): readonly string[] {
  return state.agents.map(({ info, ballot }) => `${info.slot} for ${ballot?.target ?? 'nobody'}`);
}

describe('the demonstration', () => {
  it('has the course that was meant', async () => {
    const harness = await play(plainCourse);
    const { state } = harness.record;
    expect(state.outcome).toBe('completed');
    expect(state.agents.map(({ revisions }) => revisions.map(({ label }) => label))).toEqual([
      ['agent1.1'],
      ['agent2.1', 'agent2.2'],
      ['agent3.1'],
    ]);
    const kinds = state.timeline.map(
      ({ kind, slot, labels }) => `${kind} ${slot} ${labels.join()}`,
    );
    expect(kinds.filter((kind) => /^(vote|answer)/.test(kind))).toEqual([
      'answer 2 agent2.1',
      'answer 1 agent1.1',
      'answer 3 agent3.1',
      'vote 1 agent3.1',
      'vote 3 agent1.1',
      'answer 2 agent2.2',
      'votes-voided null agent2.2',
      'vote 3 agent2.2',
      'vote 2 agent3.1',
      'vote 1 agent2.2',
    ]);
    expect(state.finalAnswer).toMatchObject({ label: 'agent2.2', source: 'presented' });
    expect(state.finalAnswer?.text).toContain("parseDuration('1h 90x'); // throws RangeError");
    expect(state.review?.files.map(({ path }) => path)).toEqual([
      'CHANGELOG.md',
      'src/duration.js',
      'test/duration.test.js',
    ]);
  });

  it('uses every tool rightly and says nothing that the engine refuses', async () => {
    const harness = await play(plainCourse);
    const events = harness.events.map(({ event }) => event);
    const failed = events.filter((event) => event.type === 'tool-call-ended' && event.isError);
    expect(failed).toEqual([]);
    expect(events.filter((event) => event.type === 'protocol-error')).toEqual([]);
    const used = events.flatMap((event) => (event.type === 'tool-call-ended' ? [event.tool] : []));
    expect([...new Set(used)].sort()).toEqual([
      'edit_file',
      'list_directory',
      'read_file',
      'run_command',
      'search_text',
      'write_file',
    ]);
    const tokens = harness.record.state.agents.map(({ usage }) => usage.outputTokens);
    expect(tokens).toEqual([0, 0, 0]);
  });

  it('comes to the same decision whatever waits for whom, and whatever is denied', async () => {
    const speed = fc.constantFrom(0.1, 0.5, 1, 3, 40);
    const course = fc.record({
      speeds: fc.tuple(speed, speed, speed),
      promptness: fc.integer({ min: 0, max: 10 }),
      allowed: fc.integer({ min: 0, max: 10 }),
      seed: fc.integer(),
    });
    await fc.assert(
      fc.asyncProperty(course, async (one) => {
        const harness = await play(one);
        const { state } = harness.record;
        expect(state.outcome).toBe('completed');
        expect(state.selection?.winner).toEqual({ slot: 2, label: 'agent2.2' });
        expect(state.selection?.agreement.votes).toEqual({ 'agent2.2': 2, 'agent3.1': 1 });
        expect(validVotes(state)).toEqual(['1 for agent2.2', '2 for agent3.1', '3 for agent2.2']);
        expect(state.finalAnswer?.source).toBe('presented');
        expect(harness.types).not.toContain('protocol-error');
      }),
      { numRuns: 25, seed: 11 },
    );
  });

  it('plays again from the log of a run that it made', async () => {
    const first = await play({ ...plainCourse, promptness: 2, seed: 7 });
    const header = { v: 1, runId: 'run-1' };
    const log = [header, ...first.events].map((line) => JSON.stringify(line)).join('\n');
    const recording = parseRecording(log, 'run.jsonl');
    expect(recording).toMatchObject({ task: first.record.state.task, isHandmade: true });
    const second = await play({ ...plainCourse, speeds: [5, 0.3, 1], seed: 8 }, recording);
    const { state } = second.record;
    expect(validVotes(state)).toEqual(validVotes(first.record.state));
    expect(state.finalAnswer).toEqual(first.record.state.finalAnswer);
    expect(state.review?.snapshotId).toBe(first.record.state.review?.snapshotId);
  });
});
