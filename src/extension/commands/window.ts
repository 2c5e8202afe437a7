import { homedir, tmpdir } from 'node:os';
import { access, constants } from 'node:fs/promises';
import * as vscode from 'vscode';
import { copySample } from '../host/sample-project';
import type { CommandAction } from '../services';

export const showLogs: CommandAction = async ({ log }) => {
  log.show(true);
};

export const reloadView: CommandAction = async ({ panel }) => {
  panel.reload();
  await panel.reveal();
};

/** Copies the sample project to a new folder and opens it. */
export const openSampleProject: CommandAction = async ({ installDir }) => {
  const usual = await usualParent();
  const here = vscode.l10n.t('Create It in {0}', usual);
  const elsewhere = vscode.l10n.t('Choose a Folder…');
  const title = vscode.l10n.t('Where shall the copy of the sample project be?');
  const choice = await vscode.window.showQuickPick([here, elsewhere], { title });
  if (choice === undefined) {
    return;
  }
  const parent = choice === here ? usual : await pickFolder();
  if (parent !== undefined) {
    const folder = vscode.Uri.file(await copySample(installDir, parent));
    const hasFolder = (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
    await vscode.commands.executeCommand('vscode.openFolder', folder, {
      forceNewWindow: hasFolder,
    });
  }
};

/** Commands that may run without asking in this workspace; taking one out asks again for it. */
export const manageAllowedCommands: CommandAction = async ({ memory }) => {
  const allowed = memory.allowedCommands;
  if (allowed.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No command is allowed without asking in this workspace.'),
    );
    return;
  }
  const items = allowed.map((entry) => ({ label: entry.command, picked: true, entry }));
  const kept = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Commands allowed in this workspace'),
    placeHolder: vscode.l10n.t('Untick what shall ask again'),
    canPickMany: true,
  });
  if (kept !== undefined) {
    await memory.setAllowedCommands(kept.map(({ entry }) => entry));
  }
};

async function pickFolder(): Promise<string | undefined> {
  const [folder] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      openLabel: vscode.l10n.t('Copy the Sample Here'),
    })) ?? [];
  return folder?.fsPath;
}

/** The home folder, or the temporary one where the home cannot be written. */
async function usualParent(): Promise<string> {
  try {
    await access(homedir(), constants.W_OK);
    return homedir();
  } catch {
    return tmpdir();
  }
}
