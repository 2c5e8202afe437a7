// What is offered once files were accepted: the checks in the user's own folder, and a commit of exactly these files.
import { relative } from 'node:path';
import * as vscode from 'vscode';
import type { RunHandle } from '../../app/app-contract';
import { revealOnOneLine } from '../../run/selectors/visible-text';
import { foreignLabels } from '../../run/selectors/mix';
import { playerName } from '../../run/selectors/player-name';
import { readSetting } from '../host/read-settings';
import { commitFiles, proposedMessage, withTrailers } from '../review/commit-files';
import { type GitRepository, gitOf } from '../review/git-extension';
import { type FileTarget, livePathOf, targetsOf } from '../review/review-targets';
import { countsOf, withoutIcons } from '../review/review-words';
import { toSentences } from '../problems';
import type { CommandAction } from '../services';
import { runOf } from './proposal';

/** Runs the checks that the user ticks, in a terminal in his own folder: his click, his commands, his files. */
export const runChecksNow: CommandAction = async (services, [given]) => {
  const run = await runOf(services, given);
  const checks = run?.state().settings.checks ?? [];
  const folder = run?.state().contextRoots[0]?.path;
  if (checks.length === 0 || folder === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('This team has no checks, so there is nothing to run.'),
    );
    return;
  }
  const items = checks.map((check) => ({
    label: withoutIcons(check.name),
    detail: withoutIcons(revealOnOneLine(check.command)),
    picked: true,
    check,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Run these commands in {0}', folder),
    canPickMany: true,
  });
  if (chosen === undefined || chosen.length === 0) {
    return;
  }
  const terminal = vscode.window.createTerminal({ name: vscode.l10n.t('Checks'), cwd: folder });
  terminal.show(true);
  for (const { check } of chosen) {
    terminal.sendText(check.command);
  }
};

/** Commits the accepted files that the user ticks; what else is staged stays as it is. */
export const commitAccepted: CommandAction = async (services, [given]) => {
  const run = await runOf(services, given);
  const accepted = run === undefined ? [] : acceptedFiles(run);
  const [first] = accepted;
  if (run === undefined || first === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No file is accepted.'));
    return;
  }
  const repository = await gitOf(first.livePath);
  if (repository === undefined) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('{0} is not in a git repository that the editor has open.', first.livePath),
    );
    return;
  }
  const files = await confirmFiles(accepted, repository);
  if (files === undefined || files.length === 0) {
    return;
  }
  const message = await askForMessage(run, files);
  if (message === undefined) {
    return;
  }
  const { git, folder } = repository;
  const paths = files.flatMap(({ livePath, from }) => [livePath, ...(from ? [from] : [])]);
  try {
    await commitFiles({ git, repository: folder, files: paths, message }, services.signal);
  } catch (error) {
    services.logger.error('app', 'The commit failed.', error);
    void vscode.window.showErrorMessage(
      vscode.l10n.t('Nothing was committed. Git said: {0}', whatGitSaid(error)),
    );
    return;
  }
  await repository.refresh();
  const done =
    files.length === 1
      ? vscode.l10n.t('MassGen: 1 file committed')
      : vscode.l10n.t('MassGen: {0} files committed', files.length);
  vscode.window.setStatusBarMessage(done, 5_000);
};

interface AcceptedFile {
  readonly target: FileTarget;
  readonly livePath: string;
  /** Where a moved file was before. */
  readonly from: string | undefined;
}

/** With something of them accepted, wholly or in part. */
function acceptedFiles(run: RunHandle): readonly AcceptedFile[] {
  return targetsOf(run).flatMap((target) => {
    const { decision, hunkDecisions, from, root } = target.file;
    const parts = Object.values(hunkDecisions ?? {});
    const isAccepted = decision === 'accepted' || parts.some((one) => one.decision === 'accepted');
    const livePath = livePathOf(run, target);
    const before = from === undefined ? undefined : livePathOf(run, { root, path: from });
    return isAccepted && livePath !== undefined ? [{ target, livePath, from: before }] : [];
  });
}

async function confirmFiles(
  accepted: readonly AcceptedFile[],
  repository: GitRepository,
): Promise<readonly AcceptedFile[] | undefined> {
  const inside = accepted.filter(
    ({ livePath }) => !relative(repository.folder, livePath).startsWith('..'),
  );
  const items = inside.map((file) => ({
    label: withoutIcons(relative(repository.folder, file.livePath)),
    description: countsOf(file.target.file),
    picked: true,
    file,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Commit these files to {0}', repository.branch),
    placeHolder: vscode.l10n.t('Each is committed as it is on disk, your own edits included'),
    canPickMany: true,
  });
  return chosen?.map(({ file }) => file);
}

async function askForMessage(
  run: RunHandle,
  files: readonly AcceptedFile[],
): Promise<string | undefined> {
  const { agents, review, task } = run.state();
  const subject = await vscode.window.showInputBox({
    title: vscode.l10n.t('Commit message'),
    value: proposedMessage(task),
    validateInput: (text) =>
      text.trim() === '' ? vscode.l10n.t('A commit needs a message.') : undefined,
  });
  if (subject === undefined || review === null) {
    return undefined;
  }
  if (!readSetting('review.commitTrailers')) {
    return subject;
  }
  const labels = files.flatMap(({ target }) => [
    review.label,
    ...foreignLabels(target.file, review.label),
  ]);
  const answers = [...new Set(labels)].map((label) => {
    const author = agents.find(({ revisions }) => revisions.some((one) => one.label === label));
    return { label, model: author === undefined ? '' : playerName(author.info) };
  });
  return withTrailers(subject, answers);
}

function whatGitSaid(error: unknown): string {
  const said =
    typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr) : '';
  return said.trim() === '' ? toSentences(error) : said.trim();
}
