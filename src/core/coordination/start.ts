import type { RunEvent, RunStarted } from '../../run/events';
import type { Effect } from './effects';
import { independenceWarning } from './independence';

/** The first events of a run. Agents are activated when the instant has ended. */
export function startRun(started: RunStarted): {
  readonly events: readonly RunEvent[];
  readonly effects: readonly Effect[];
} {
  const { durationMs } = started.caps;
  const deadline = { kind: 'deadline' } as const;
  const independence = independenceWarning(started);
  return {
    events: [
      started,
      ...(isBounded(started) ? [] : [endlessWarning]),
      ...(independence === undefined ? [] : [independence]),
    ],
    effects:
      durationMs === null ? [] : [{ kind: 'set-timer', timer: deadline, delayMs: durationMs }],
  };
}

/** Agents that may answer for ever need a limit of another kind. */
function isBounded({ caps, settings }: RunStarted): boolean {
  return [
    caps.durationMs,
    caps.modelCalls,
    settings.maxNewAnswersPerAgent,
    settings.maxNewAnswersGlobal,
  ].some((limit) => limit !== null);
}

const endlessWarning: RunEvent = {
  type: 'warning-raised',
  code: 'no_limit',
  message: 'This team has no limit of time, calls or answers; only Stop is sure to end the run.',
};
