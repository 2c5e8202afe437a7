// Entry of the extension. It only registers; the work is behind `import('./main.lazy')`, read at its first use.
import * as vscode from 'vscode';
import type { ExtensionApi } from '../api/run-contract';
import { commandIds } from './commands/ids';
import { FixProvider } from './commands/fix-provider';
import { isTeamDocument } from './language/team-file';
import { extensionApi } from './programs/extension-api';
import { LazyFiles } from './review/lazy-files';
import { baseScheme, proposedScheme } from './review/proposal-uri';
import type { Shell } from './shell';
import { LazyTree } from './views/lazy-tree';

/** The longest that closing may keep the editor waiting, ms. */
const closeLimitMs = 5_000;

let shell: Promise<Shell> | undefined;

export function activate(context: vscode.ExtensionContext): ExtensionApi {
  const log = vscode.window.createOutputChannel('MassGen', { log: true });
  const reviewTree = new LazyTree(async () => (await load()).reviewTree);
  const historyTree = new LazyTree(async () => (await load()).historyTree);
  const files = { base: new LazyFiles(), proposed: new LazyFiles() };
  const load = async (): Promise<Shell> => {
    shell ??= import('./main.lazy').then(({ createShell }) =>
      createShell({ context, log, reviewView, historyView, files }),
    );
    return shell;
  };
  files.base.load = files.proposed.load = load;
  const reviewView = vscode.window.createTreeView('massgen.review', {
    treeDataProvider: reviewTree,
    showCollapseAll: false,
  });
  const historyView = vscode.window.createTreeView('massgen.history', {
    treeDataProvider: historyTree,
    showCollapseAll: false,
  });
  context.subscriptions.push(
    log,
    reviewTree,
    historyTree,
    reviewView,
    historyView,
    files.base,
    files.proposed,
    vscode.workspace.registerFileSystemProvider(baseScheme, files.base, readOnly),
    vscode.workspace.registerFileSystemProvider(proposedScheme, files.proposed, readOnly),
    vscode.window.registerWebviewViewProvider('massgen.run', {
      async resolveWebviewView(view): Promise<void> {
        (await load()).panel.attach(view);
      },
    }),
    vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, new FixProvider(), {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
    ...commandIds.map((id) =>
      vscode.commands.registerCommand(id, async (...args: unknown[]) =>
        (await load()).execute(id, args),
      ),
    ),
    ...loadForTeamFiles(load),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('massgen.terminal')) offerInTerminal(context, log);
    }),
  );
  offerInTerminal(context, log);
  return extensionApi(load);
}

export async function deactivate(): Promise<void> {
  const loaded = shell;
  shell = undefined;
  if (loaded !== undefined) {
    await Promise.race([loaded.then((ready) => ready.close()), timeout(closeLimitMs)]);
  }
}

const readOnly = { isReadonly: true, isCaseSensitive: true };

/** `massgen` in the terminal; without it everything else works. */
function offerInTerminal(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): void {
  void import('./terminal-command.lazy')
    .then(({ offerTerminalCommand }) => offerTerminalCommand(context))
    .catch((error: unknown) => log.warn('The terminal does not get the command massgen.', error));
}

/** Team files get checks and completion as soon as one is open; nothing is loaded before. */
function loadForTeamFiles(load: () => Promise<Shell>): vscode.Disposable[] {
  const look = (document: vscode.TextDocument): void => {
    if (isTeamDocument(document)) void load();
  };
  vscode.workspace.textDocuments.forEach(look);
  return [vscode.workspace.onDidOpenTextDocument(look)];
}

async function timeout(ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
