import type { RunEvent, RunStarted } from '../../run/events';
import { hasChecks } from '../../run/checks';
import { apply } from '../../run/reducer';
import type { Effect } from './effects';
import { independenceWarning } from './independence';
import { plan } from './planning';

/** The first events of a run. Agents are activated when the instant has ended. */
export function startRun(started: RunStarted): {
  readonly events: readonly RunEvent[];
  readonly effects: readonly Effect[];
} {
  const { durationMs } = started.caps;
  const deadline = { kind: 'deadline' } as const;
  const state = apply(undefined, { seq: 0, at: 0, event: started });
  const planned = plan(state);
  const independence = independenceWarning(started);
  return {
    events: [
      started,
      ...(isBounded(started) ? [] : [endlessWarning]),
      ...(independence === undefined ? [] : [independence]),
      ...planned.events,
    ],
    effects: [
      ...(durationMs === null
        ? []
        : [{ kind: 'set-timer', timer: deadline, delayMs: durationMs } as const]),
      ...planned.effects,
      ...(hasChecks(state) && !started.settings.skipCoordination ? [checkBaseline] : []),
    ],
  };
}

const checkBaseline: Effect = {
  kind: 'run-checks',
  subject: { kind: 'baseline' },
  snapshotId: null,
};

/**
 * Agents that may answer for ever need a limit of another kind. Those that divide the work may answer again whenever
 * they see something new, so a limit for each of them ends nothing.
 */
function isBounded({ caps, settings }: RunStarted): boolean {
  const { maxNewAnswersPerAgent, maxNewAnswersGlobal, mode } = settings;
  const perAgent = mode === 'decomposition' ? null : maxNewAnswersPerAgent;
  return [caps.durationMs, caps.modelCalls, perAgent, maxNewAnswersGlobal].some(
    (limit) => limit !== null,
  );
}

const endlessWarning: RunEvent = {
  type: 'warning-raised',
  code: 'no_limit',
  message: 'This team has no limit of time, calls or answers; only Stop is sure to end the run.',
};
