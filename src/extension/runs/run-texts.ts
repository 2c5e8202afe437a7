import * as vscode from 'vscode';
import type { App, RunHandle } from '../../app/app-contract';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Label, RunId, Slot } from '../../base/ids';
import type { CheckState } from '../../run/state';
import { toPlainText } from '../../run/selectors/plain-text';
import type { WindowRuns } from './window-runs';

const scheme = 'massgen-text';

/** What of a run is shown as a read-only document. */
export type RunTextPart =
  | { readonly kind: 'run' }
  | { readonly kind: 'agent'; readonly slot: Slot }
  | { readonly kind: 'answer'; readonly label: Label }
  /** `label: null`: of the untouched folders. */
  | { readonly kind: 'check'; readonly label: Label | null; readonly name: string }
  | { readonly kind: 'instructions'; readonly root: string; readonly path: string };

/** Read-only documents of a run: the whole run in words, one agent's text, one answer. */
export class RunTexts implements vscode.TextDocumentContentProvider, Disposable {
  readonly #app: App;
  readonly #runs: WindowRuns;
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.#changes.event;

  constructor(app: App, runs: WindowRuns) {
    this.#app = app;
    this.#runs = runs;
    this.#store.add(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
    this.#store.add(
      runs.onNews(({ run, events }) => {
        if (events.some(({ event }) => event.type !== 'text-delta')) this.#refresh(run.runId);
      }),
    );
  }

  async show(runId: RunId, part: RunTextPart): Promise<void> {
    const document = await vscode.workspace.openTextDocument(toUri(runId, part));
    await vscode.window.showTextDocument(document, { preview: true, preserveFocus: false });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const [, runId = '', kind, name = '', ...rest] = uri.path.split('/').map(decodeURIComponent);
    const run = await this.#runs.open(runId);
    switch (kind) {
      case 'agent':
        return this.#runs.textOf(run, Number.parseInt(name.replace(/\D/g, ''), 10));
      case 'answer':
        return answerText(run, name.replace(/\.md$/, ''));
      case 'instructions':
        return this.#instructions(run, name, rest.join('/'));
      case 'check':
        return this.#checkOutput(run, name, rest.join('/').replace(/\.txt$/, ''));
      default:
        return toPlainText(run.state(), Date.now(), vscode.env.language);
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** As they were put before the agents; what was cut off is said. */
  #instructions(run: RunHandle, root: string, path: string): string {
    const file = run.state().instructions.find((each) => each.root === root && each.path === path);
    const text = file === undefined ? undefined : this.#app.readPayload(run.runId, file.text);
    if (file === undefined || text === undefined) {
      return vscode.l10n.t('The text is not stored any more.');
    }
    return file.isCut ? `${text}\n\n${vscode.l10n.t('[The rest was not given.]')}\n` : text;
  }

  /** All that was kept of a check's output. */
  #checkOutput(run: RunHandle, subject: string, name: string): string {
    const { checks } = run.state();
    const answers: ReadonlyMap<string, CheckState> = new Map(Object.entries(checks?.answers ?? {}));
    const state = subject === 'base' ? (checks?.baseline ?? undefined) : answers.get(subject);
    const result = state?.results.find((each) => each.name === name);
    if (result === undefined) {
      return vscode.l10n.t('The check has no output yet.');
    }
    const { output, tail } = result;
    return (output === undefined ? undefined : this.#app.readPayload(run.runId, output)) ?? tail;
  }

  #refresh(runId: RunId): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === scheme && uri.path.startsWith(`/${encodeURIComponent(runId)}/`)) {
        this.#changes.fire(uri);
      }
    }
  }
}

function toUri(runId: RunId, part: RunTextPart): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${encodeURIComponent(runId)}/${pathOf(part)}` });
}

function pathOf(part: RunTextPart): string {
  switch (part.kind) {
    case 'agent':
      return `agent/Agent ${String(part.slot)}.md`;
    case 'answer':
      return `answer/${part.label}.md`;
    case 'run':
      return 'run/MassGen run.txt';
    case 'check':
      return `check/${part.label ?? 'base'}/${encodeURIComponent(part.name)}.txt`;
    case 'instructions':
      return `instructions/${encodeURIComponent(part.root)}/${part.path}`;
  }
}

/** The answer's text, or what is known of the run's final text under this label. */
function answerText(run: RunHandle, label: string): string {
  const { agents, finalAnswer } = run.state();
  const revision = agents.flatMap(({ revisions }) => revisions).find((one) => one.label === label);
  return revision?.text ?? (finalAnswer?.label === label ? finalAnswer.text : '');
}
