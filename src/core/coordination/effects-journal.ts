import type { RunState } from '../../run/state';

/**
 * What becomes of a call with an effect outside of the workspaces: it is made (`run`), answered from the record of the
 * same call (`replay`), or, when an earlier attempt called the same tool with other arguments, asked about (`ask`),
 * refused (`deny`) or made and marked as a repetition (`run-and-mark`).
 */
export type EffectVerdict = 'run' | 'replay' | 'ask' | 'deny' | 'run-and-mark';

const forRepeats = { ask: 'ask', deny: 'deny', mark: 'run-and-mark' } as const;

/**
 * `hash` is that of the tool and its canonical arguments. A call that failed has had no effect that could be relied
 * on, so it may be made again; within one attempt a tool may be used for several things.
 */
export function effectVerdict(state: RunState, hash: string, tool: string): EffectVerdict {
  const done = state.effects.filter((effect) => !effect.isError);
  if (done.some((effect) => effect.hash === hash)) {
    return 'replay';
  }
  const isRepeat = done.some((effect) => effect.tool === tool && effect.attempt !== state.attempt);
  return isRepeat ? forRepeats[state.settings.repeatedEffects] : 'run';
}
