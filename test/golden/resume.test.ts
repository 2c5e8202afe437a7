// A process may be killed at any event. Another one goes on from the log alone.
import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '../../src/run/events';
import type { RunState } from '../../src/run/state';
import type { Tool } from '../../src/core/ports/tool';
import { look, put } from '../support/plain-tools';
import { ReplayedRun, storedOf } from '../support/replayed-run';
import { RunHarness } from '../support/run-harness';
import { say, type ScriptedResponse } from '../support/scripted-backend';

const edit = (text: string) => ({ call: 'put', input: { path: 'a.txt', text } });
const priced = { usage: { inputTokens: 100, outputTokens: 10 } };

const scripts: readonly (readonly ScriptedResponse[])[] = [
  [
    ['I look first.', { call: 'look', input: { path: 'a.txt' } }, priced],
    [edit('one, fixed\n'), priced],
    [say.answer('Fixed by hand.'), priced],
    [say.vote('agent3', 'It also has a test.'), priced],
  ],
  [
    [say.answer('There is nothing to fix.'), priced],
    [say.vote('agent3', 'I was wrong.'), priced],
  ],
  [
    [edit('one, fixed and tested\n'), priced],
    [say.answer('Fixed, with a test.'), priced],
    [say.vote('agent1', 'Smaller.'), priced],
    ['The greeting is fixed, and a test proves it.', priced],
  ],
];

/** Counts how often each tool is really run. */
function countedTools(): { readonly tools: readonly Tool[]; runs: number } {
  const counted = {
    runs: 0,
    tools: [look, put].map((tool) => ({
      ...tool,
      run: async (...given: Parameters<typeof tool.run>) => {
        counted.runs += 1;
        return tool.run(...given);
      },
    })),
  };
  return counted;
}

function countOf(events: readonly RecordedEvent[], type: string, slot?: number): number {
  return events.filter(
    ({ event }) =>
      event.type === type && (slot === undefined || ('slot' in event && event.slot === slot)),
  ).length;
}

const original = new RunHarness(scripts, {
  tools: [look, put],
  costUsdPerCall: 0.002,
  // Whoever is not asked any more depends on who answered first, which a new process may change.
  settings: { stop: 'full' },
});
const uncut = await original.play();
const total = original.events.length;

function answersAndBallots(state: RunState) {
  return state.agents.map(({ revisions, ballots }) => ({
    revisions: revisions.map(({ label, text, snapshotId }) => ({ label, text, snapshotId })),
    ballots: ballots.map(({ target, reason }) => ({ target, reason })),
  }));
}

/** The process is killed when `count` events are in the log; another one plays the rest. */
async function killedAt(count: number) {
  const stored = storedOf(original, count);
  const rest = scripts.map((script, i) =>
    script.slice(countOf(stored.events, 'model-call-ended', i + 1)),
  );
  const counted = countedTools();
  const run = new ReplayedRun(stored, { tools: counted.tools, costUsdPerCall: 0.002 }, rest);
  const state = await run.resume();
  return { run, state, stored, toolRuns: counted.runs };
}

const cuts = Array.from({ length: total - 1 }, (_, i) => i + 1);

describe('a run whose process is killed', () => {
  it.each(cuts)('after event %i goes on to the same end', async (count) => {
    const { run, state, stored, toolRuns } = await killedAt(count);
    expect(state.outcome).toBe(uncut.outcome);
    expect(state.selection).toEqual(uncut.selection);
    expect(state.finalAnswer).toEqual(uncut.finalAnswer);
    expect(state.review).toEqual(uncut.review);
    expect(state.agents.map(({ usage }) => usage)).toEqual(uncut.agents.map(({ usage }) => usage));
    expect(answersAndBallots(state)).toEqual(answersAndBallots(uncut));
    expect(countOf(stored.events, 'tool-call-ended') + toolRuns).toBe(
      countOf(original.events, 'tool-call-ended'),
    );
    expect(countOf(run.log.events, 'run-resumed')).toBeLessThanOrEqual(1);
    expect(run.backends.map(({ left }) => left)).toEqual([0, 0, 0]);
    expect(run.clock.pending).toBe(0);
    expect(run.backends.map(({ isClosed }) => isClosed)).toEqual([true, true, true]);
    const again = new ReplayedRun(
      { ...stored, events: JSON.parse(JSON.stringify(run.events)) as RecordedEvent[] },
      { tools: [look, put] },
    );
    expect(await again.replay()).toBeNull();
  });
});
