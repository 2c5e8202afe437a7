import * as vscode from 'vscode';
import type { App } from '../../app/app-contract';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { TeamCompletion, TeamHover } from './team-completion';
import { TeamDiagnostic } from './team-diagnostic';
import { isTeamFile } from './team-file';
import { TeamFixes } from './team-fixes';

/** Checks wait for a pause in typing, ms. */
const settleMs = 200;
const selector: vscode.DocumentSelector = [
  { scheme: 'file', pattern: '**/*.massgen.{yaml,yml}' },
  { scheme: 'file', pattern: '**/.massgen/*.{yaml,yml}' },
];

/** Checks, quick fixes, completion and hover for team files, all from the one schema. */
export class TeamLanguage implements Disposable {
  readonly #app: App;
  readonly #store = new DisposableStore();
  readonly #diagnostics = this.#store.add(
    vscode.languages.createDiagnosticCollection('massgen-team'),
  );
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(app: App) {
    this.#app = app;
    const check = (document: vscode.TextDocument): void => this.#check(document);
    this.#store.add(vscode.workspace.onDidOpenTextDocument(check));
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#later(document)),
    );
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#diagnostics.delete(uri)),
    );
    this.#store.add(
      vscode.languages.registerCodeActionsProvider(selector, new TeamFixes(app.teamLanguage), {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    );
    this.#store.add(
      vscode.languages.registerCompletionItemProvider(
        selector,
        new TeamCompletion(app.teamLanguage),
        '$',
        '{',
      ),
    );
    this.#store.add(
      vscode.languages.registerHoverProvider(selector, new TeamHover(app.teamLanguage)),
    );
    vscode.workspace.textDocuments.forEach(check);
  }

  dispose(): void {
    this.#timers.forEach((timer) => clearTimeout(timer));
    this.#store.dispose();
  }

  #later(document: vscode.TextDocument): void {
    if (!isTeamFile(document.uri)) {
      return;
    }
    const key = document.uri.toString();
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => {
        this.#timers.delete(key);
        if (!document.isClosed) this.#check(document);
      }, settleMs),
    );
  }

  #check(document: vscode.TextDocument): void {
    if (!isTeamFile(document.uri)) {
      return;
    }
    const problems = this.#app.teamLanguage.diagnose(document.getText(), document.uri.fsPath);
    this.#diagnostics.set(
      document.uri,
      problems.map((problem) => new TeamDiagnostic(problem)),
    );
  }
}
