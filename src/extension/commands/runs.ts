import * as vscode from 'vscode';
import type { RunHandle } from '../../app/app-contract';
import { clip } from '../../base/text';
import { isActive, isPlayedElsewhere } from '../runs/window-runs';
import type { CommandAction, Services } from '../services';

export const stopRun: CommandAction = async (services) => {
  (await pickLiveRun(services))?.stop();
};

/** Opens a run, stored or live, in the panel. Takes a run's id or a row of the history. */
export const showRun: CommandAction = async ({ panel, runs }, [given]) => {
  const runId = idOf(given);
  if (runId !== undefined) {
    const run = await runs.open(runId);
    runs.show(run.runId);
    await panel.reveal();
    if (isPlayedElsewhere(run)) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t(
          'Another process, such as the command line, plays this run. It can be read here, and continued when it has ended.',
        ),
      );
    }
  }
};

export const showRunAsText: CommandAction = async ({ runs, texts }) => {
  const run = runs.shown ?? runs.all[0];
  if (run !== undefined) {
    await texts.show(run.runId, { kind: 'run' });
  }
};

export const openHistory: CommandAction = async () => {
  await vscode.commands.executeCommand('massgen.history.focus');
};

async function pickLiveRun({ runs }: Services): Promise<RunHandle | undefined> {
  const { shown, live } = runs;
  if (shown !== undefined && isActive(shown)) {
    return shown;
  }
  if (live.length < 2) {
    return live[0];
  }
  const items = live.map((run) => ({ label: clip(run.state().task, 80), run }));
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Which run?') }))?.run;
}

/** The id in what a command was called with: an id, or a row of the history. */
export function idOf(given: unknown): string | undefined {
  if (typeof given === 'string') {
    return given;
  }
  if (typeof given === 'object' && given !== null && 'item' in given) {
    return given.item instanceof vscode.TreeItem ? given.item.id : undefined;
  }
  return undefined;
}
