import type { RunConfig } from '../../app/app-contract';

type Caps = RunConfig['caps'];

/** The lower one of each limit; `null` is none. What somebody else asks for never lifts a limit of the user. */
export function stricterCaps(one: Caps, other: Caps): Caps {
  return {
    durationMs: lower(one.durationMs, other.durationMs),
    modelCalls: lower(one.modelCalls, other.modelCalls),
    costUsd: lower(one.costUsd, other.costUsd),
  };
}

function lower(one: number | null, other: number | null): number | null {
  return one === null ? other : other === null ? one : Math.min(one, other);
}
