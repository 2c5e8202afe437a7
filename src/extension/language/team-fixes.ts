import * as vscode from 'vscode';
import { TeamDiagnostic } from './team-diagnostic';

/** Replaces a misspelled key or value by the likely one, and takes a literal key out of the file. */
export class TeamFixes implements vscode.CodeActionProvider {
  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    context: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    return context.diagnostics.flatMap((diagnostic) => {
      if (!(diagnostic instanceof TeamDiagnostic)) {
        return [];
      }
      if (diagnostic.suggestion !== undefined) {
        return [spelling(document, diagnostic, diagnostic.suggestion)];
      }
      return diagnostic.code === 'literal-key' ? [moveKey(document, diagnostic)] : [];
    });
  }
}

function spelling(
  document: vscode.TextDocument,
  diagnostic: vscode.Diagnostic,
  suggestion: string,
): vscode.CodeAction {
  const action = new vscode.CodeAction(
    vscode.l10n.t('Change to "{0}"', suggestion),
    vscode.CodeActionKind.QuickFix,
  );
  action.edit = new vscode.WorkspaceEdit();
  action.edit.replace(document.uri, diagnostic.range, suggestion);
  action.diagnostics = [diagnostic];
  action.isPreferred = true;
  return action;
}

function moveKey(document: vscode.TextDocument, diagnostic: vscode.Diagnostic): vscode.CodeAction {
  const title = vscode.l10n.t('Move to Secret Storage…');
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = {
    command: 'massgen.moveKeyToSecrets',
    title,
    arguments: [document.uri, diagnostic.range],
  };
  action.diagnostics = [diagnostic];
  action.isPreferred = true;
  return action;
}
