// Opens the editor's own diff editors on a review. Nothing here decides anything.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { RunHandle } from '../../app/app-contract';
import type { Label } from '../../base/ids';
import { foreignLabels } from '../../run/selectors/mix';
import type { ProposalTarget } from './proposal-uri';
import { baseScheme, fromProposalUri, proposedScheme, toProposalUri } from './proposal-uri';
import { fileOf, livePathOf, targetsOf } from './review-targets';

/** `line` (from 0, of the right side) is brought into view. */
export interface DiffPlace {
  readonly line?: number;
  /** Whether the diff takes the focus, which only a command for the keyboard may ask for. */
  readonly takesFocus?: boolean;
}

/** Left the user's present file (the base when it is gone or new), right what Accept would leave behind. */
export async function openFileDiff(
  run: RunHandle,
  target: ProposalTarget,
  { line, takesFocus = false }: DiffPlace = {},
): Promise<void> {
  const [left, right] = await sidesOf(run, target);
  const file = fileOf(run, target);
  const others = file === undefined ? [] : foreignLabels(file, target.label);
  const title = vscode.l10n.t(
    '{0} (yours ↔ {1})',
    basename(target.path),
    [target.label, ...others].join(' + '),
  );
  const at = line === undefined ? undefined : new vscode.Range(line, 0, line, 0);
  const options: vscode.TextDocumentShowOptions = {
    preview: true,
    preserveFocus: !takesFocus,
    ...(at === undefined ? {} : { selection: at }),
  };
  await vscode.commands.executeCommand('vscode.diff', left, right, title, options);
}

/** Left what is proposed now, right what another answer has. Nothing can be decided in it. */
export async function openAlternativeDiff(
  run: RunHandle,
  target: ProposalTarget,
  other: Label,
): Promise<void> {
  const path = livePathOf(run, target);
  const now = toProposalUri(proposedScheme, target, path);
  const then = toProposalUri(baseScheme, { ...target, label: other }, path);
  const title = vscode.l10n.t('{0} ({1} ↔ {2})', basename(target.path), target.label, other);
  const options = { preview: true, preserveFocus: true };
  await vscode.commands.executeCommand('vscode.diff', now, then, title, options);
}

/** All files of the review in one multi-file diff. */
export async function openOverview(run: RunHandle): Promise<void> {
  const targets = targetsOf(run);
  const label = run.state().review?.label ?? '';
  const resources = await Promise.all(
    targets.map(async (target) => {
      const [left, right] = await sidesOf(run, target);
      const path = livePathOf(run, target);
      return [path === undefined ? right : vscode.Uri.file(path), left, right];
    }),
  );
  // The editor itself adds the number of files.
  const title = vscode.l10n.t('MassGen review: {0}', label);
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

/** The proposal in the active editor or diff editor. */
export function activeProposal(): ProposalTarget | undefined {
  const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri =
    input instanceof vscode.TabInputTextDiff
      ? input.modified
      : input instanceof vscode.TabInputText
        ? input.uri
        : undefined;
  return uri?.scheme === proposedScheme ? fromProposalUri(uri) : undefined;
}

async function sidesOf(
  run: RunHandle,
  target: ProposalTarget,
): Promise<readonly [vscode.Uri, vscode.Uri]> {
  const path = livePathOf(run, target);
  const live = path === undefined ? undefined : vscode.Uri.file(path);
  const isThere =
    live !== undefined &&
    (await vscode.workspace.fs.stat(live).then(
      ({ type }) => (type & vscode.FileType.File) !== 0,
      () => false,
    ));
  const left = isThere ? live : toProposalUri(baseScheme, target, path);
  return [left, toProposalUri(proposedScheme, target, path)];
}
