import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { openFileDiff as openDiff, openOverview } from '../review/diff-editors';
import type { Decision } from '../review/review-targets';
import { targetsOf } from '../review/review-targets';
import type { CommandAction, Services } from '../services';
import { isReviewRow } from '../views/review-rows';
import { isProposalTarget, targetOf } from './arguments';

/** The overview of all files, and the native tree beside it. */
export const openReview: CommandAction = async ({ desk, runs }, [given]) => {
  const run = typeof given === 'string' ? await runs.open(given) : desk.current();
  if (run === undefined || targetsOf(run).length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing to review.'));
    return;
  }
  await vscode.commands.executeCommand('massgen.review.focus');
  await openOverview(run);
};

export const openFileDiff: CommandAction = async ({ editors, runs }, [given]) => {
  const target = isReviewRow(given) ? given.target : given;
  if (isProposalTarget(target)) {
    const line = target.hunk === undefined ? undefined : await editors.lineOf(target);
    await openDiff(await runs.open(target.runId), target, line === undefined ? {} : { line });
  }
};

export const acceptFile: CommandAction = (services, args) => decideOne(services, args, 'accept');
export const rejectFile: CommandAction = (services, args) => decideOne(services, args, 'reject');
export const undoFile: CommandAction = (services, args) => decideOne(services, args, 'undo');
export const acceptAll: CommandAction = (services) => decideAll(services, 'accept');
export const rejectAll: CommandAction = (services) => decideAll(services, 'reject');
export const undoAccept: CommandAction = (services) => decideAll(services, 'undo');

export const openConflict: CommandAction = async (services, args) => {
  const target = await targetOf(services, args, (decision) => decision === 'conflict');
  if (target !== undefined) {
    await services.conflicts.open(target, services.signal);
  }
};

export const keepMine: CommandAction = async (services, args) => {
  const target = await targetOf(services, args, (decision) => decision === 'conflict');
  if (target !== undefined) {
    await services.conflicts.keepMine(target, services.signal);
  }
};

export const takeProposed: CommandAction = async (services, args) => {
  const target = await targetOf(services, args, (decision) => decision === 'conflict');
  if (target !== undefined) {
    await services.conflicts.takeProposed(target, services.signal);
  }
};

/** The parts of a file that still fit. */
export const acceptRest: CommandAction = async (services, args) => {
  const target = await targetOf(services, args, (decision) => decision === 'conflict');
  if (target !== undefined) {
    await services.conflicts.acceptRest(target, services.signal);
  }
};

export const takeMergedText: CommandAction = async ({ conflicts, signal }) => {
  await conflicts.takeMergedText(signal);
};

/** Copies a file of an agent's own folder to a place that the user picks. */
export const saveDeliverable: CommandAction = async (services, args) => {
  const target = await targetOf(services, args);
  const versions =
    target === undefined ? undefined : await services.desk.versions(target, services.signal);
  if (target === undefined || versions?.proposed === undefined) {
    return;
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const name = basename(target.path);
  const place = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.file(folder === undefined ? `/${name}` : join(folder, name)),
    saveLabel: vscode.l10n.t('Save'),
  });
  if (place !== undefined) {
    await vscode.workspace.fs.writeFile(place, versions.proposed);
  }
};

async function decideOne(
  services: Services,
  args: readonly unknown[],
  decision: Decision,
): Promise<void> {
  const isOpen = (state: string): boolean => state === 'pending' || state === 'conflict';
  const isWanted = (state: string): boolean =>
    decision === 'undo' ? !isOpen(state) : isOpen(state);
  const target = await targetOf(services, args, isWanted);
  if (target !== undefined) {
    await services.desk.decide(target.runId, decision, [target], services.signal);
  }
}

async function decideAll({ desk, signal }: Services, decision: Decision): Promise<void> {
  const run = desk.current();
  if (run !== undefined) {
    await desk.decide(run.runId, decision, undefined, signal);
  }
}
