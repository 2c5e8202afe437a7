import * as vscode from 'vscode';
import type { App } from '../../app/app-contract';
import { TeamDiagnostic } from './team-diagnostic';

/** Replaces a misspelled key or value by the likely one, and takes a literal key out of the file. */
export class TeamFixes implements vscode.CodeActionProvider {
  readonly #language: App['teamLanguage'];

  constructor(language: App['teamLanguage']) {
    this.#language = language;
  }

  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    context: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    return context.diagnostics.flatMap((diagnostic) => {
      if (!(diagnostic instanceof TeamDiagnostic)) {
        return [];
      }
      const { problem } = diagnostic;
      if (problem.code === 'literal-key') {
        return [moveKey(document, diagnostic)];
      }
      return [
        ...(problem.keyName === undefined ? [] : [addKey(diagnostic, problem.keyName)]),
        ...this.#language.quickFixes(problem).map((fix) => replace(document, diagnostic, fix)),
      ];
    });
  }
}

function replace(
  document: vscode.TextDocument,
  diagnostic: TeamDiagnostic,
  { title, newText }: { readonly title: string; readonly newText: string },
): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.edit = new vscode.WorkspaceEdit();
  action.edit.replace(document.uri, diagnostic.range, newText);
  action.diagnostics = [diagnostic];
  action.isPreferred = true;
  return action;
}

/** The file is right; what it needs is not there yet. */
function addKey(diagnostic: TeamDiagnostic, name: string): vscode.CodeAction {
  const title = vscode.l10n.t('Add Key {0}…', name);
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = { command: 'massgen.setApiKey', title, arguments: [name] };
  action.diagnostics = [diagnostic];
  action.isPreferred = true;
  return action;
}

/** A fix that only replaced the text would lose the key; this one keeps it where keys belong. */
function moveKey(document: vscode.TextDocument, diagnostic: TeamDiagnostic): vscode.CodeAction {
  const title = vscode.l10n.t('Move to Secret Storage…');
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  const name = /^\$\{(\w+)\}$/.exec(diagnostic.problem.suggestion ?? '')?.[1];
  action.command = {
    command: 'massgen.moveKeyToSecrets',
    title,
    arguments: [document.uri, diagnostic.range, name],
  };
  action.diagnostics = [diagnostic];
  action.isPreferred = true;
  return action;
}
