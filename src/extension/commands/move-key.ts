import * as vscode from 'vscode';
import type { CommandAction } from '../services';

/**
 * Takes a key out of a team file: stores it under the name that the user gives, and puts `${NAME}` in its place. Called
 * by the quick fix with the document's address and the range of the value.
 */
export const moveKeyToSecrets: CommandAction = async (
  { host, secrets },
  [uri, range, proposed],
) => {
  if (!(uri instanceof vscode.Uri) || !(range instanceof vscode.Range)) {
    return;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const { version } = document;
  const value = document
    .getText(range)
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2');
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Name under which the key is kept'),
    value: typeof proposed === 'string' ? proposed : 'OPENAI_API_KEY',
    validateInput: (text) =>
      /^[A-Z_][A-Z0-9_]*$/i.test(text)
        ? undefined
        : vscode.l10n.t('Letters, digits and _ only, not beginning with a digit.'),
  });
  if (name === undefined || value === '' || document.version !== version) {
    return;
  }
  await secrets.set(name, value);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, range, `\${${name}}`);
  await vscode.workspace.applyEdit(edit);
  host.touch();
};
