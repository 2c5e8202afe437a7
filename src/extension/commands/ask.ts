import * as vscode from 'vscode';
import { clip } from '../../base/text';
import { leaveRun } from '../runs/restore-run';
import type { CommandAction } from '../services';
import { type FixTarget, toFixTarget } from './fix-provider';

/** Longest selection that is put into the task as text; agents read the rest in the file. */
const selectionLimit = 4_000;

/** Shows the page for a new run with the cursor in the task box; a text argument is the task. */
export const ask: CommandAction = async (services, [task]) => {
  const { panel } = services;
  await leaveRun(services);
  await panel.reveal();
  if (typeof task === 'string') {
    panel.compose(task);
  }
};

export const askAboutSelection: CommandAction = async (services, args) => {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty) {
    await ask(services, args);
    return;
  }
  const { document, selection } = editor;
  const path = vscode.workspace.asRelativePath(document.uri);
  const text = clip(document.getText(selection), selectionLimit);
  const where = vscode.l10n.t(
    'About {0}, lines {1} to {2}:',
    path,
    selection.start.line + 1,
    selection.end.line + 1,
  );
  await ask(services, [`${where}\n\n${fence(text, document.languageId)}\n\n`]);
};

/** Called by the quick fix with its problems, or from the palette for those of the active editor. */
export const fixProblems: CommandAction = async (services, [given]) => {
  const target = isFixTarget(given) ? given : problemsOfActiveEditor();
  if (target === undefined || target.problems.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('This editor has no problems to fix.'));
    return;
  }
  const path = vscode.workspace.asRelativePath(target.uri);
  const lines = target.problems.map(({ line, message }) => `- line ${String(line)}: ${message}`);
  const heading = vscode.l10n.t('Fix these problems in {0}:', path);
  await ask(services, [`${heading}\n${lines.join('\n')}\n`]);
};

function problemsOfActiveEditor(): FixTarget | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return undefined;
  }
  const all = vscode.languages.getDiagnostics(editor.document.uri);
  const here = all.filter(({ range }) => editor.selection.intersection(range) !== undefined);
  return toFixTarget(editor.document.uri, here.length > 0 ? here : all);
}

function isFixTarget(value: unknown): value is FixTarget {
  return (
    typeof value === 'object' &&
    value !== null &&
    'uri' in value &&
    value.uri instanceof vscode.Uri &&
    'problems' in value &&
    Array.isArray(value.problems)
  );
}

/** A fence longer than any run of backticks in the text, so that the text cannot close it. */
function fence(text: string, language: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(Math.max(3, longest + 1));
  return `${ticks}${language}\n${text}\n${ticks}`;
}
