import { describe, expect, it } from 'vitest';
import { pacedRuntimes } from '../../../src/app/pace';
import { Pacer } from '../../../src/core/orchestrator/pace';
import type { AgentRuntime, TurnEngine, TurnInput } from '../../../src/core/ports/agent-runtime';
import { initialState } from '../../../src/run/reducer';
import { FakeClock } from '../../support/fake-clock';
import { settle } from '../../support/run-harness';
import { teamOf } from '../../support/scripted-kind';

const engine: TurnEngine = {
  state: () => initialState,
  observe: () => undefined,
  report: async () => ({ kind: 'end' }),
};

function turn(slot: number): TurnInput {
  return {
    ...{ slot, turnNo: 1, attempt: 1, purpose: 'coordinate', state: initialState, shown: [] },
    toolset: { hasNewAnswer: true, hasVote: false, hasOrdinaryTools: true, targets: [] },
  };
}

/** The slots whose turns have begun at once, and after the pace has passed once. */
async function begun(models: readonly string[], paceMs?: number): Promise<readonly number[][]> {
  const clock = new FakeClock();
  const slots: number[] = [];
  const inner = new Map(
    models.map((_model, i): [number, AgentRuntime] => [
      i + 1,
      {
        runTurn: async ({ slot }) => {
          slots.push(slot);
        },
        close: async () => undefined,
      },
    ]),
  );
  const config = { ...teamOf(models), ...(paceMs === undefined ? {} : { paceMs }) };
  const runtimes = pacedRuntimes({ pacer: new Pacer(clock) }, config, inner);
  const { signal } = new AbortController();
  const all = [...runtimes].map(async ([slot, runtime]) =>
    runtime.runTurn(turn(slot), engine, signal),
  );
  await settle();
  const atOnce = [...slots];
  clock.advance(paceMs ?? 0);
  await Promise.all(all);
  return [atOnce, slots];
}

describe('the pace of a team', () => {
  it('keeps turns of one model apart, and those of others not', async () => {
    expect(await begun(['a', 'a', 'b'], 5000)).toEqual([
      [1, 3],
      [1, 3, 2],
    ]);
  });

  it('is as fast as it can be when none is set', async () => {
    expect(await begun(['a', 'a'])).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });
});
