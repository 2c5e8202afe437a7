import * as vscode from 'vscode';
import type { App } from '../../app/app-contract';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { readSetting } from '../host/read-settings';
import { TeamCompletion, TeamHover } from './team-completion';
import { TeamDiagnostic } from './team-diagnostic';
import { isTeamDocument } from './team-file';
import { TeamFixes } from './team-fixes';

/** Checks wait for a pause in typing, ms. */
const settleMs = 200;
/** Marked files are asked about one by one. */
const selector: vscode.DocumentSelector = [
  { scheme: 'file', pattern: '**/*.massgen.{yaml,yml}' },
  { scheme: 'file', pattern: '**/.massgen/*.{yaml,yml}' },
  { scheme: 'file', language: 'yaml' },
];

interface Check {
  readonly timer: NodeJS.Timeout;
  readonly abort: AbortController;
}

/** Checks, quick fixes, completion and hover for team files, all from the one schema. */
export class TeamLanguage implements Disposable {
  readonly #app: App;
  readonly #store = new DisposableStore();
  readonly #diagnostics = this.#store.add(
    vscode.languages.createDiagnosticCollection('massgen-team'),
  );
  /** The newest check of each document, by its address. */
  readonly #checks = new Map<string, Check>();

  /** `onKeysChange`: after a key was stored or removed. */
  constructor(app: App, onKeysChange: vscode.Event<unknown>) {
    this.#app = app;
    const checkAll = (): void =>
      vscode.workspace.textDocuments.forEach((document) => this.#later(document, 0));
    this.#store.add(vscode.workspace.onDidOpenTextDocument((document) => this.#later(document, 0)));
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#later(document, settleMs)),
    );
    this.#store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)));
    this.#store.add(onKeysChange(checkAll));
    this.#store.add(vscode.workspace.onDidGrantWorkspaceTrust(checkAll));
    this.#register();
    checkAll();
  }

  dispose(): void {
    [...this.#checks.values()].forEach(end);
    this.#checks.clear();
    this.#store.dispose();
  }

  #register(): void {
    const { teamLanguage } = this.#app;
    const { languages } = vscode;
    const completion = new TeamCompletion(teamLanguage);
    this.#store.add(
      languages.registerCodeActionsProvider(selector, new TeamFixes(teamLanguage), {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    );
    this.#store.add(languages.registerCompletionItemProvider(selector, completion, '$', '{'));
    this.#store.add(languages.registerHoverProvider(selector, new TeamHover(teamLanguage)));
  }

  #forget(uri: vscode.Uri): void {
    const key = uri.toString();
    const check = this.#checks.get(key);
    this.#checks.delete(key);
    if (check !== undefined) end(check);
    this.#diagnostics.delete(uri);
  }

  #later(document: vscode.TextDocument, delayMs: number): void {
    const key = document.uri.toString();
    const earlier = this.#checks.get(key);
    if (earlier !== undefined) end(earlier);
    if (!isTeamDocument(document)) {
      // The mark may have been taken out just now.
      this.#forget(document.uri);
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => void this.#check(document, abort.signal), delayMs);
    this.#checks.set(key, { timer, abort });
  }

  /** In Restricted Mode the text alone is looked at: what a folder names is not looked for. */
  async #check(document: vscode.TextDocument, signal: AbortSignal): Promise<void> {
    const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath;
    const request = {
      ...{ text: document.getText(), file: document.uri.fsPath },
      level: vscode.workspace.isTrusted ? 'environment' : 'text',
      programs: readSetting('programs.paths'),
      ...(folder === undefined ? {} : { project: folder }),
    } as const;
    const { problems } = await this.#app
      .checkTeam(request, signal)
      .catch(() => ({ problems: undefined }));
    // Without problems it was overtaken by the next check.
    if (!signal.aborted && !document.isClosed && problems !== undefined) {
      this.#diagnostics.set(
        document.uri,
        problems.map((problem) => new TeamDiagnostic(problem, document.uri)),
      );
    }
  }
}

function end({ timer, abort }: Check): void {
  clearTimeout(timer);
  abort.abort();
}
