import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OfflineBackend } from '../../../../src/backends/offline/offline-backend';
import { readRecording } from '../../../../src/backends/offline/recording';
import type { Clock } from '../../../../src/core/ports/clock';
import type { RunState } from '../../../../src/run/state';
import { ordinaryTools } from '../../../../src/tools/registry';
import { RunHarness } from '../../../support/run-harness';

const recording = readRecording('media/offline/demo.jsonl');
const base = readSample();

interface Course {
  /** Of each agent, as a factor on what is recorded. */
  readonly speeds: readonly number[];
  /** Of 10 chances to answer an open approval before time goes on. */
  readonly promptness: number;
  /** Of 10 approvals. */
  readonly allowed: number;
  readonly seed: number;
}

function readSample(): Readonly<Record<string, string>> {
  const root = 'media/sample-project';
  return Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(root, path)).isFile())
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );
}

/** Plays the demonstration in the real engine; files are in memory and a person answers approvals by the course. */
async function play(course: Course): Promise<RunHarness> {
  let harness: RunHarness | undefined;
  const clock: Clock = {
    now: () => harness?.clock.now() ?? 0,
    after: (delayMs, run) => harness?.clock.after(delayMs, run) ?? { dispose: () => undefined },
  };
  const backends = new Map(
    course.speeds.map((speed, i) => [i + 1, new OfflineBackend({ recording, speed, clock })]),
  );
  harness = new RunHarness([[], [], []], {
    task: recording.task,
    tools: ordinaryTools(),
    base,
    // Without a limit nothing but the playback waits for the clock.
    settings: { turnTimeoutMs: null, runSeed: course.seed.toString(16) },
    backends,
  });
  for (const workspace of harness.workspaces.agents.values()) {
    workspace.commands.set('node --test', async () => ({
      exitCode: 0,
      isTimedOut: false,
      output: 'ok',
      outputBytes: 2,
    }));
  }
  await drive(harness, course);
  return harness;
}

async function drive(harness: RunHarness, course: Course): Promise<void> {
  const random = randomFrom(course.seed);
  let isOver = false;
  const over = harness.play().finally(() => (isOver = true));
  for (;;) {
    await letRun();
    if (isOver) {
      break;
    }
    const { approvals } = harness.record.state;
    const isAnswered = approvals.length > 0 && random() * 10 < course.promptness;
    if (isAnswered || !harness.clock.advanceToNext()) {
      const approval = approvals[Math.floor(random() * approvals.length)];
      const decision = random() * 10 < course.allowed ? 'allow-once' : 'deny';
      harness.desk.resolve(approval?.approvalId ?? '', approval?.hash ?? '', decision);
    }
  }
  await over;
}

/** A few turns of the event loop: enough for the in-memory files between two moments of the clock. */
async function letRun(): Promise<void> {
  for (let i = 0; i < 4; i++) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

function randomFrom(seed: number): () => number {
  let x = seed | 0;
  return () => {
    x = (Math.imul(x, 1_664_525) + 1_013_904_223) | 0;
    return (x >>> 0) / 2 ** 32;
  };
}

function validVotes(state: RunState): readonly string[] {
  return state.agents.map(({ info, ballot }) => `${info.slot} for ${ballot?.target ?? 'nobody'}`);
}

describe('the demonstration', () => {
  it('has the course that was meant', async () => {
    const harness = await play({ speeds: [1, 1, 1], promptness: 10, allowed: 10, seed: 1 });
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
      'vote 3 agent3.1',
      'answer 2 agent2.2',
      'votes-voided null agent2.2',
      'vote 3 agent3.1',
      'vote 2 agent2.2',
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
    const harness = await play({ speeds: [1, 1, 1], promptness: 10, allowed: 10, seed: 2 });
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
        expect(validVotes(state)).toEqual(['1 for agent2.2', '2 for agent2.2', '3 for agent3.1']);
        expect(state.finalAnswer?.source).toBe('presented');
        expect(harness.types).not.toContain('protocol-error');
      }),
      { numRuns: 25 },
    );
  });
});
