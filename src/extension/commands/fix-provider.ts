import * as vscode from 'vscode';

/** Where and what a "Fix with MassGen" is about. */
export interface FixTarget {
  readonly uri: vscode.Uri;
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** Offers "Fix with MassGen" on problems; the lines are 1-based. */
export class FixProvider implements vscode.CodeActionProvider {
  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    context: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    if (context.diagnostics.length === 0) {
      return [];
    }
    const title = vscode.l10n.t('Fix with MassGen');
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.diagnostics = [...context.diagnostics];
    action.command = {
      command: 'massgen.fixProblems',
      title,
      arguments: [toFixTarget(document.uri, context.diagnostics)],
    };
    return [action];
  }
}

export function toFixTarget(uri: vscode.Uri, diagnostics: readonly vscode.Diagnostic[]): FixTarget {
  const problems = diagnostics.map((diagnostic) => ({
    line: diagnostic.range.start.line + 1,
    message: diagnostic.message,
  }));
  return { uri, problems };
}
