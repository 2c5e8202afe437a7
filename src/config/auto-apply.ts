import type { AutoApply } from '../core/ports/review';
import type { TeamFile } from './schema/team-file';
import type { TeamReport } from './team-report';

const place = ['orchestrator', 'coordination', 'drift_conflict_policy'];

/** `undefined` where the user accepts. */
export function autoApplyOf({ orchestrator }: TeamFile): AutoApply | undefined {
  if (orchestrator?.apply !== 'auto') {
    return undefined;
  }
  const policy = orchestrator.coordination?.drift_conflict_policy ?? 'skip';
  return { onDrift: policy === 'prefer_presenter' ? 'merge' : policy };
}

export function checkApply({ orchestrator }: TeamFile, report: TeamReport): void {
  const policy = orchestrator?.coordination?.drift_conflict_policy;
  if (orchestrator?.apply === 'auto') {
    report.notices.push(
      'apply: auto is for the command line, which writes what needs no decision; in the editor you accept.',
    );
  } else if (policy !== undefined) {
    report.at(place, {
      code: 'no-effect',
      severity: 'warning',
      message: 'drift_conflict_policy has an effect with `apply: auto` only.',
    });
  }
  if (policy === 'prefer_presenter') {
    report.notices.push(
      'drift_conflict_policy: prefer_presenter means merge here: your own edits are never overwritten.',
    );
  }
}
