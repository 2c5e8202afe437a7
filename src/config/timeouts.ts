import type { TeamFile, TimeoutBlock } from './schema/team-file';
import type { TeamReport } from './team-report';

/** The time limits of a file: of both places where they may stand, `timeout_settings` wins. */
export function timeoutsOf(team: TeamFile): TimeoutBlock {
  return { ...team.orchestrator?.timeout, ...team.timeout_settings };
}

/** Reports limits that stand in both places and differ. */
export function checkTimeouts(team: TeamFile, report: TeamReport): void {
  const usual = new Map(Object.entries(team.timeout_settings ?? {}));
  for (const [key, value] of Object.entries(team.orchestrator?.timeout ?? {})) {
    if (usual.has(key) && usual.get(key) !== value) {
      report.at(['orchestrator', 'timeout', key], {
        code: 'duplicate',
        severity: 'warning',
        message: `timeout_settings names another ${key}, and that one holds.`,
      });
    }
  }
}
