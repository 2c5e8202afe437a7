// What a command was called with: a tree row, an address of a diff, a file of the panel, or nothing.
import * as vscode from 'vscode';
import { type ProposalTarget, fromProposalUri } from '../review/proposal-uri';
import { activeProposal } from '../review/diff-editors';
import { targetsOf } from '../review/review-desk';
import type { Services } from '../services';
import { isReviewRow } from '../views/review-tree';

/** The one file that a command is about; asks when several are possible, `undefined` when none is. */
export async function targetOf(
  services: Services,
  args: readonly unknown[],
  isWanted: (decision: string) => boolean = () => true,
): Promise<ProposalTarget | undefined> {
  const [first] = args;
  const given = fromArgument(first) ?? services.conflicts.activeTarget() ?? activeProposal();
  if (given !== undefined) {
    return given;
  }
  const run = services.desk.current();
  const candidates = run === undefined ? [] : targetsOf(run);
  const wanted = candidates.filter(({ file }) => isWanted(file.decision));
  if (wanted.length < 2) {
    return wanted[0];
  }
  const items = wanted.map((target) => ({
    label: target.path,
    description: `+${String(target.file.added)} \u2212${String(target.file.removed)}`,
    target,
  }));
  const title = vscode.l10n.t('Which file?');
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.target;
}

export function isProposalTarget(value: unknown): value is ProposalTarget {
  if (typeof value !== 'object' || value === null || value instanceof vscode.Uri) {
    return false;
  }
  const fields = new Map<string, unknown>(Object.entries(value));
  return ['runId', 'label', 'root', 'path'].every((name) => typeof fields.get(name) === 'string');
}

function fromArgument(value: unknown): ProposalTarget | undefined {
  if (isReviewRow(value)) {
    return value.target;
  }
  if (value instanceof vscode.Uri) {
    return fromProposalUri(value);
  }
  return isProposalTarget(value) ? value : undefined;
}
