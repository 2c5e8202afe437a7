// Commands for a proposal as a whole: checks, patch, trying it out, taking decisions back.
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { RunHandle } from '../../app/app-contract';
import { linkAbort } from '../../base/abort';
import type { Label } from '../../base/ids';
import { clip } from '../../base/text';
import { MassGenError } from '../../core/errors';
import { playerName } from '../../run/selectors/player-name';
import { checksOf } from '../review/check-words';
import { type DecidedItem, decidedItems } from '../review/decided';
import { checkProposalNow } from '../review/mix-checks';
import { livePathOf } from '../review/review-targets';
import { decisionInWords, linesOf } from '../review/review-words';
import type { CommandAction, Services } from '../services';
import { targetOf } from './arguments';

/** Runs the team's checks on what is proposed now. */
export const checkProposal: CommandAction = async (services, [given]) => {
  const run = await runOf(services, given);
  if (run !== undefined) {
    await checkProposalNow(run, services.signal);
  }
};

/** Writes what is proposed as a patch to a file that the user picks. */
export const exportPatch: CommandAction = async (services, [given]) => {
  const run = await runOf(services, given);
  const session = run?.review();
  if (run === undefined || session === undefined) {
    return;
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const name = `${run.state().review?.label ?? 'massgen'}.patch`;
  const place = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.file(folder === undefined ? `/${name}` : join(folder, name)),
    filters: { [vscode.l10n.t('Patch')]: ['patch', 'diff'] },
    saveLabel: vscode.l10n.t('Export'),
  });
  if (place !== undefined) {
    await vscode.workspace.fs.writeFile(place, await session.patch(services.signal));
    vscode.window.setStatusBarMessage(vscode.l10n.t('MassGen: patch exported'), 5_000);
  }
};

/** Opens the project with an answer's changes, in a folder of its own. The user's folder is not touched. */
export const tryAnswer: CommandAction = async (services, [given, label]) => {
  const run = await runOf(services, given);
  const chosen =
    run === undefined ? undefined : isLabelOf(run, label) ? { label } : await pickAnswer(run);
  if (run === undefined || chosen === undefined) {
    return;
  }
  const terminal = vscode.l10n.t('In a Terminal');
  const window = vscode.l10n.t('In a New Window');
  const title = vscode.l10n.t('Where shall the copy be opened?');
  const where = await vscode.window.showQuickPick([terminal, window], { title });
  if (where === undefined) {
    return;
  }
  const folder = await copyWithProgress(run, chosen.label, services.signal);
  if (where === window) {
    const uri = vscode.Uri.file(folder);
    await vscode.commands.executeCommand('vscode.openFolder', uri, { forceNewWindow: true });
  } else {
    const name = vscode.l10n.t('Try {0}', chosen.label ?? vscode.l10n.t('the proposal'));
    vscode.window.createTerminal({ name, cwd: folder }).show();
  }
};

/** Takes back what the user ticks: files, or parts of files. */
export const undoDecisions: CommandAction = async (services, [given]) => {
  const run = await runOf(services, given);
  const items = run === undefined ? [] : decidedItems(run.state());
  if (run === undefined || items.length === 0) {
    return;
  }
  const chosen = await vscode.window.showQuickPick(items.map(undoItem), {
    title:
      items.length === 1
        ? vscode.l10n.t('Undo: 1 decision')
        : vscode.l10n.t('Undo: {0} decisions', items.length),
    placeHolder: vscode.l10n.t('Tick what shall be undecided again; later edits of yours stay'),
    canPickMany: true,
  });
  if (chosen !== undefined && chosen.length > 0) {
    const targets = chosen.map(({ item }) => item.target);
    await services.desk.decide(run.runId, 'undo', targets, services.signal);
  }
};

export const copyPath: CommandAction = async (services, args) => {
  const target = await targetOf(services, args);
  if (target !== undefined) {
    const run = await services.runs.open(target.runId);
    await vscode.env.clipboard.writeText(livePathOf(run, target) ?? target.path);
  }
};

/** The run that a command is about: named by its id, else the one whose review is shown. */
export async function runOf(
  { desk, runs }: Services,
  given: unknown,
): Promise<RunHandle | undefined> {
  return typeof given === 'string' ? runs.open(given) : desk.current();
}

function isLabelOf(run: RunHandle, label: unknown): label is Label {
  return run
    .state()
    .agents.some(({ revisions }) => revisions.some((revision) => revision.label === label));
}

/** `label: null`: what is proposed now. */
async function pickAnswer(run: RunHandle): Promise<{ readonly label: Label | null } | undefined> {
  const { agents, review } = run.state();
  const newest = agents.flatMap(({ info, revisions }) => {
    const last = revisions.at(-1);
    return last?.snapshotId === undefined || last.snapshotId === null ? [] : [{ info, last }];
  });
  const answers = newest.map(({ info, last }) => {
    return {
      label: last.label,
      description: playerName(info),
      detail: checksOf(run.state(), last.label) ?? vscode.l10n.t('Not checked.'),
      chosen: { label: last.label },
    };
  });
  const proposal = {
    label: vscode.l10n.t('What Is Proposed Now'),
    description: review?.label ?? '',
    detail: '',
    chosen: { label: null },
  };
  const items = review === null ? answers : [proposal, ...answers];
  const title = vscode.l10n.t('Which answer shall be tried?');
  return (await vscode.window.showQuickPick(items, { title }))?.chosen;
}

async function copyWithProgress(
  run: RunHandle,
  label: Label | null,
  signal: AbortSignal,
): Promise<string> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Copying the project with the changes'),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (_progress, token) => {
    const branch = linkAbort(signal);
    token.onCancellationRequested(() =>
      branch.abort(new MassGenError('cancelled/user', 'The copy was stopped.')),
    );
    try {
      return await run.tryAnswer(label, branch.signal);
    } finally {
      branch.dispose();
    }
  });
}

function undoItem(item: DecidedItem): vscode.QuickPickItem & { readonly item: DecidedItem } {
  const { file, hunk, decision } = item;
  return {
    label: clip(file.path, 120),
    description: [...(hunk === undefined ? [] : [linesOf(hunk)]), decisionInWords(decision)].join(
      ' · ',
    ),
    item,
  };
}
