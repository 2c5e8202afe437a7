// What can be done with the record of a run: try another rule, play it again, go on with it, read what was kept.
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import type { RunHandle } from '../../app/app-contract';
import { replayRun } from '../runs/replay-run';
import { resumeRun } from '../runs/resume-run';
import type { CommandAction, Services } from '../services';
import { idOf } from './runs';

/** Opens the part of the panel where another rule is tried on the votes of the shown run. */
export const whatIf: CommandAction = async (services, args) => {
  const run = await runOf(services, args);
  if (run !== undefined) {
    services.runs.show(run.runId);
    await services.panel.reveal();
    services.panel.revealPart('what-if');
  }
};

export const replay: CommandAction = async (services, args) => {
  const run = await runOf(services, args);
  if (run !== undefined) {
    await replayRun(services, run.runId);
  }
};

export const resume: CommandAction = async (services, args) => {
  const run = await runOf(services, args, (each) => each.state().outcome === 'interrupted');
  if (run !== undefined) {
    await resumeRun(services, run.runId);
  }
};

/** Shows the files of a run in the system's own viewer, or in a window where this one runs elsewhere. */
export const openRunFolder: CommandAction = async (services, args) => {
  const run = await runOf(services, args);
  if (run === undefined) {
    return;
  }
  const folder = run.artifactsDir;
  if (folder === '' || !existsSync(folder)) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No folder with files was kept of this run.'),
    );
    return;
  }
  const isHere = vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
  const uri = vscode.Uri.file(folder);
  if (isHere) {
    await vscode.commands.executeCommand('revealFileInOS', uri);
  } else {
    await vscode.commands.executeCommand('vscode.openFolder', uri, { forceNewWindow: true });
  }
};

/** The instructions of the project as the agents of the shown run were given them. */
export const showInstructions: CommandAction = async (services, args) => {
  const run = await runOf(services, args);
  const files = run?.state().instructions ?? [];
  if (run === undefined || files.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No project instructions were given in this run.'),
    );
    return;
  }
  const items = files.map((file) => ({
    label: file.path,
    description: file.isCut ? vscode.l10n.t('{0}, cut', file.root) : file.root,
    file,
  }));
  const title = vscode.l10n.t('Project instructions');
  const choice =
    items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { title });
  if (choice !== undefined) {
    const { root, path } = choice.file;
    await services.texts.show(run.runId, { kind: 'instructions', root, path });
  }
};

/** The run a command is about: the given one, the shown one, or the newest of this window that fits. */
async function runOf(
  { runs }: Services,
  [given]: readonly unknown[],
  fits: (run: RunHandle) => boolean = () => true,
): Promise<RunHandle | undefined> {
  const runId = idOf(given);
  if (runId !== undefined) {
    return runs.open(runId);
  }
  const { shown, all } = runs;
  const run = shown !== undefined && fits(shown) ? shown : all.find(fits);
  if (run === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Open a run from the history first.'));
  }
  return run;
}
