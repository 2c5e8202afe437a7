// Puts `massgen` on PATH in the editor's terminal.
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { readSetting } from './host/read-settings';
import { commandScript, type Launch, shellScript } from './terminal-scripts';

/**
 * The editor keeps the change for terminals that open before the extension is active, and drops it with the extension.
 * A folder that opens later sees the setting of that moment.
 */
export async function offerTerminalCommand(context: vscode.ExtensionContext): Promise<void> {
  const { environmentVariableCollection: variables, extensionUri, globalStorageUri } = context;
  if (!readSetting('terminal.command')) {
    variables.clear();
    return;
  }
  const folder = join(globalStorageUri.fsPath, 'bin');
  await writeScripts(folder, {
    runtime: process.execPath,
    script: join(extensionUri.fsPath, 'dist', 'cli.js'),
  });
  variables.description = vscode.l10n.t('`massgen`, the command line of MassGen');
  const separator = process.platform === 'win32' ? ';' : ':';
  // Login shells build PATH anew, so it is put in front once more when the shell is ready.
  variables.prepend('PATH', `${folder}${separator}`, {
    applyAtProcessCreation: true,
    applyAtShellIntegration: true,
  });
}

/** Where there are several windows or versions, the one that started last has written them. */
async function writeScripts(folder: string, launch: Launch): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeWhole(join(folder, 'massgen'), shellScript(launch));
  await writeWhole(join(folder, 'massgen.cmd'), commandScript(launch));
}

/** A terminal that runs the file meanwhile sees the old or the new one; an equal file stays as it is. */
async function writeWhole(path: string, text: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) {
    return;
  }
  const partial = `${path}.${process.pid}.partial`;
  try {
    await writeFile(partial, text);
    await chmod(partial, 0o755);
    await rename(partial, path);
  } finally {
    await rm(partial, { force: true });
  }
}
