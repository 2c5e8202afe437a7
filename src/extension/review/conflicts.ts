import { basename } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { ProposalTarget } from './proposal-uri';
import type { ReviewDesk } from './review-desk';

/** A marker line that is still to be settled. */
const openMarker = /^(<{7}|>{7})/m;

/**
 * The conflict view: a scratch document with both versions between markers. The user edits it and takes the result, or
 * takes one side. The scratch document is never the user's file; closing it decides nothing.
 */
export class Conflicts implements Disposable {
  readonly #desk: ReviewDesk;
  readonly #store = new DisposableStore();
  readonly #scratch = new Map<string, ProposalTarget>();

  constructor(desk: ReviewDesk) {
    this.#desk = desk;
    this.#store.add(vscode.window.onDidChangeActiveTextEditor(() => this.#updateContext()));
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#scratch.delete(uri.toString());
      }),
    );
  }

  async open(target: ProposalTarget, signal: AbortSignal): Promise<void> {
    const versions = await this.#desk.versions(target, signal);
    if (versions === undefined) {
      return;
    }
    if (versions.mergedWithMarkers !== undefined) {
      const languageOf = await languageId(target.path);
      const document = await vscode.workspace.openTextDocument({
        content: versions.mergedWithMarkers,
        ...(languageOf === undefined ? {} : { language: languageOf }),
      });
      this.#scratch.set(document.uri.toString(), target);
      await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside });
      this.#updateContext();
    }
    await this.#offerSides(target, signal);
  }

  /** The target that the scratch document in the active editor is about. */
  activeTarget(): ProposalTarget | undefined {
    const uri = vscode.window.activeTextEditor?.document.uri.toString();
    return uri === undefined ? undefined : this.#scratch.get(uri);
  }

  async keepMine(target: ProposalTarget, signal: AbortSignal): Promise<void> {
    await this.#desk.decide(target.runId, 'reject', [target], signal);
  }

  async takeProposed(target: ProposalTarget, signal: AbortSignal): Promise<void> {
    const versions = await this.#desk.versions(target, signal);
    if (versions !== undefined) {
      await this.#desk.resolve(target, versions.proposed, signal);
    }
  }

  /** Takes the text of the active scratch document, once no marker is left in it. */
  async takeMergedText(signal: AbortSignal): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const target = this.activeTarget();
    if (editor === undefined || target === undefined) {
      return;
    }
    const text = editor.document.getText();
    if (openMarker.test(text)) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('The text still has conflict markers; settle them first.'),
      );
      return;
    }
    await this.#desk.resolve(target, Buffer.from(text, 'utf8'), signal);
    this.#scratch.delete(editor.document.uri.toString());
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }

  dispose(): void {
    this.#store.dispose();
    this.#scratch.clear();
  }

  async #offerSides(target: ProposalTarget, signal: AbortSignal): Promise<void> {
    const keep = vscode.l10n.t('Keep Mine');
    const take = vscode.l10n.t('Take Proposed');
    const choice = await vscode.window.showWarningMessage(
      vscode.l10n.t(
        '{0} changed since the run began, and the proposal overlaps your change. Keep yours, take the proposal, or edit the merged text and choose Take Merged Text in its title.',
        basename(target.path),
      ),
      keep,
      take,
    );
    if (choice === keep) {
      await this.keepMine(target, signal);
    } else if (choice === take) {
      await this.takeProposed(target, signal);
    }
  }

  #updateContext(): void {
    const isConflictText = this.activeTarget() !== undefined;
    void vscode.commands.executeCommand('setContext', 'massgen.isConflictText', isConflictText);
  }
}

/** The language that the editor would give a file of this name; `undefined` when it knows none. */
async function languageId(path: string): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.path.endsWith(`/${path}`));
  if (open !== undefined) {
    return open.languageId;
  }
  const byExtension: Readonly<Record<string, string>> = {
    ts: 'typescript',
    js: 'javascript',
    mjs: 'javascript',
    json: 'json',
    md: 'markdown',
    py: 'python',
    yaml: 'yaml',
  };
  return byExtension[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
}
