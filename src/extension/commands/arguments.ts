// What a command was called with: a tree row, an address of a diff, a file of the panel, or nothing.
import * as vscode from 'vscode';
import { type ProposalTarget, fromProposalUri, isLabel } from '../review/proposal-uri';
import { activeProposal } from '../review/diff-editors';
import { targetsOf } from '../review/review-targets';
import { countsOf } from '../review/review-words';
import type { Services } from '../services';
import { isReviewRow } from '../views/review-rows';

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
    description: countsOf(target.file),
    target,
  }));
  const title = vscode.l10n.t('Which file?');
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.target;
}

/** The part that a command is about: the one it was called with, else the one under the cursor. */
export async function partTargetOf(
  { editors }: Services,
  [first]: readonly unknown[],
): Promise<ProposalTarget | undefined> {
  const given = fromArgument(first);
  if (given?.hunk !== undefined) {
    return given;
  }
  const target = await editors.current();
  if (target === undefined) {
    const text = vscode.l10n.t('MassGen: the cursor is in no hunk of a proposal');
    vscode.window.setStatusBarMessage(text, 5_000);
  }
  return target;
}

/** What the command is about where a part is meant if there is one, else the whole file. */
export async function placeOf(
  services: Services,
  args: readonly unknown[],
): Promise<ProposalTarget | undefined> {
  const given = fromArgument(args[0]);
  return given === undefined || args[0] instanceof vscode.Uri
    ? ((await services.editors.current()) ?? given ?? targetOf(services, args))
    : given;
}

export function isProposalTarget(value: unknown): value is ProposalTarget {
  if (typeof value !== 'object' || value === null || value instanceof vscode.Uri) {
    return false;
  }
  const fields = new Map<string, unknown>(Object.entries(value));
  const isText = (name: string): boolean => typeof fields.get(name) === 'string';
  return (
    ['runId', 'root', 'path'].every(isText) &&
    isLabel(fields.get('label')) &&
    (isText('hunk') || fields.get('hunk') === undefined)
  );
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
