import * as vscode from 'vscode';
import { openAddress } from '../open-address';

export async function answerToClipboard(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(vscode.l10n.t('MassGen: answer copied'), 3_000);
}

/** Puts the answer where the cursor is in the text editor used last; one step of Undo takes it back. */
export async function answerAtCursor(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (editor === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No text editor is open.'));
    return;
  }
  const isDone = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (!isDone) {
    void vscode.window.showInformationMessage(vscode.l10n.t('This editor cannot be edited.'));
  }
}

export async function answerToNewFile(text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content: text, language: 'markdown' });
  await vscode.window.showTextDocument(document);
}

/** A link in a model's text: the whole target is shown before anything is opened. */
export async function openLink(href: string): Promise<void> {
  const isAllowed = URL.canParse(href) && /^(https?|mailto):$/.test(new URL(href).protocol);
  if (!isAllowed) {
    return;
  }
  const open = vscode.l10n.t('Open');
  const copy = vscode.l10n.t('Copy');
  const choice = await vscode.window.showInformationMessage(
    vscode.l10n.t('Open this link from an agent’s text?'),
    { modal: true, detail: href },
    open,
    copy,
  );
  if (choice === open) {
    await openAddress(href);
  } else if (choice === copy) {
    await vscode.env.clipboard.writeText(href);
  }
}
