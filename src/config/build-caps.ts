import type { RunCaps } from '../run/facts';
import type { TeamFile } from './schema/team-file';
import { timeoutsOf } from './timeouts';

/** Caps of a run whose file and caller name none. */
const defaultCaps: RunCaps = { durationMs: 1_800_000, modelCalls: 60, costUsd: 2 };

export interface BuiltCaps {
  readonly caps: RunCaps;
  /** Those that the file itself sets; settings of the editor apply to the others. */
  readonly fromFile: readonly (keyof RunCaps)[];
}

/** `limits` first, then MassGen's own keys for the same thing, then the defaults. */
export function buildCaps(team: TeamFile): BuiltCaps {
  const written = {
    durationMs: durationOf(team),
    modelCalls: firstOf(team.limits?.model_calls, team.orchestrator?.max_model_calls_per_run),
    costUsd: firstOf(team.limits?.cost_usd, team.orchestrator?.max_cost_per_run),
  };
  const names = ['durationMs', 'modelCalls', 'costUsd'] as const;
  return {
    caps: {
      durationMs: orDefault(written.durationMs, defaultCaps.durationMs),
      modelCalls: orDefault(written.modelCalls, defaultCaps.modelCalls),
      costUsd: orDefault(written.costUsd, defaultCaps.costUsd),
    },
    fromFile: names.filter((name) => written[name] !== undefined),
  };
}

function durationOf(team: TeamFile): number | null | undefined {
  const minutes = team.limits?.duration_minutes;
  const inMs = minutes === undefined || minutes === null ? minutes : Math.round(minutes * 60_000);
  return firstOf(inMs, timeoutsOf(team).orchestrator_timeout_seconds);
}

function firstOf<T>(first: T | undefined, second: T | undefined): T | undefined {
  return first === undefined ? second : first;
}

function orDefault(value: number | null | undefined, usual: number | null): number | null {
  return value === undefined ? usual : value;
}
