import * as vscode from 'vscode';
import type { App } from '../../app/app-contract';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { clip } from '../../base/text';
import { formatWhen } from '../../run/selectors/formats';
import type { WindowRuns } from '../runs/window-runs';
import type { TreeRow, TreeSource } from './lazy-tree';

type RunSummary = Awaited<ReturnType<App['listRuns']>>[number];

/** The stored runs, newest first. Opening one shows it in the panel. */
export class HistoryTree implements TreeSource, Disposable {
  readonly #app: App;
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changes.event;

  constructor(app: App, runs: WindowRuns) {
    this.#app = app;
    this.#store.add(runs.onDidChange(() => this.#changes.fire()));
  }

  async rows(): Promise<readonly TreeRow[]> {
    return (await this.#app.listRuns()).map(toRow);
  }

  dispose(): void {
    this.#store.dispose();
  }
}

function toRow(run: RunSummary): TreeRow {
  const task = run.task.replace(/\s+/g, ' ').trim();
  const item = new vscode.TreeItem(clip(task, 80));
  item.id = run.runId;
  item.description = `${formatWhen(run.startedAt, Date.now(), vscode.env.language)} · ${outcomeInWords(run)}`;
  item.tooltip = `${task}\n${item.description}`;
  item.iconPath = new vscode.ThemeIcon(iconOf(run));
  item.contextValue = run.isRunning ? 'run-active' : 'run';
  item.command = {
    command: 'massgen.showRun',
    title: vscode.l10n.t('Open Run'),
    arguments: [run.runId],
  };
  return { item };
}

function outcomeInWords({ isRunning, outcome, winner }: RunSummary): string {
  if (isRunning) {
    return vscode.l10n.t('running');
  }
  const words: Readonly<Record<string, string>> = {
    completed: winner === null ? vscode.l10n.t('completed') : vscode.l10n.t('{0} won', winner),
    timeout: vscode.l10n.t('time limit reached'),
    budget: vscode.l10n.t('limit reached'),
    'no-consensus': vscode.l10n.t('no consensus'),
    error: vscode.l10n.t('failed'),
    cancelled: vscode.l10n.t('stopped'),
    interrupted: vscode.l10n.t('interrupted'),
  };
  return words[outcome ?? 'interrupted'] ?? vscode.l10n.t('interrupted');
}

function iconOf({ isRunning, outcome }: RunSummary): string {
  if (isRunning) {
    return 'play';
  }
  return outcome === 'completed' ? 'law' : 'circle-slash';
}
