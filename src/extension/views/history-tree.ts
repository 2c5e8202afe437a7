import * as vscode from 'vscode';
import type { App, SessionSummary } from '../../app/app-contract';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { clip } from '../../base/text';
import { formatWhen } from '../../run/selectors/formats';
import type { ForeignSessions } from '../runs/foreign-sessions';
import type { WindowRuns } from '../runs/window-runs';
import { groupTurns } from './group-turns';
import type { TreeRow, TreeSource } from './lazy-tree';

type RunSummary = Awaited<ReturnType<App['listRuns']>>[number];

/**
 * The stored runs, newest first, with the turns of a session below it, and among them the sessions about the open
 * folders that other shells keep. Opening one shows it in the panel.
 */
export class HistoryTree implements TreeSource, Disposable {
  readonly #app: App;
  readonly #foreign: ForeignSessions;
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changes.event;

  constructor(app: App, runs: WindowRuns, foreign: ForeignSessions) {
    this.#app = app;
    this.#foreign = foreign;
    this.#store.add(runs.onDidChange(() => this.#changes.fire()));
    this.#store.add(foreign.onDidChange(() => this.#changes.fire()));
  }

  async rows(): Promise<readonly TreeRow[]> {
    const own = groupTurns(await this.#app.listRuns()).map((group) => ({ ...group, place: '' }));
    const foreign = (await this.#foreign.list()).map((session) => ({
      sessionId: session.sessionId,
      turns: session.runs,
      place: placeInWords(session),
    }));
    return [...own, ...foreign]
      .toSorted((a, b) => startOf(b.turns) - startOf(a.turns))
      .flatMap(({ sessionId, turns, place }) =>
        turns.length === 1
          ? turns.map((run) => toRow(run, place))
          : [toSession(sessionId, turns, place)],
      );
  }

  dispose(): void {
    this.#store.dispose();
  }
}

function startOf([newest]: readonly RunSummary[]): number {
  return newest?.startedAt ?? 0;
}

/** Where another shell keeps it. */
function placeInWords({ origin }: SessionSummary): string {
  switch (origin) {
    case 'cli':
      return vscode.l10n.t('command line');
    case 'vscode':
      return vscode.l10n.t('another window');
    case 'api':
    case null:
      return vscode.l10n.t('another program');
  }
}

/** `turns`: newest first; `place`: empty for sessions of this window. */
function toSession(sessionId: string, turns: readonly RunSummary[], place: string): TreeRow {
  const first = turns.at(-1);
  const [newest] = turns;
  const item = new vscode.TreeItem(
    clip((first?.task ?? '').replace(/\s+/g, ' ').trim(), 80),
    vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = `session ${sessionId}`;
  item.iconPath = new vscode.ThemeIcon('comment-discussion');
  item.contextValue = 'session';
  item.description = [
    ...(newest === undefined
      ? []
      : [formatWhen(newest.startedAt, Date.now(), vscode.env.language)]),
    vscode.l10n.t('{0} turns', turns.length),
    ...(place === '' ? [] : [place]),
  ].join(' · ');
  return { item, children: turns.map((run) => toTurn(run, place)) };
}

function toTurn(run: RunSummary, place: string): TreeRow {
  const row = toRow(run, place);
  const turn = run.turn ?? 1;
  row.item.label = vscode.l10n.t('Turn {0}: {1}', turn, clip(run.task.replace(/\s+/g, ' '), 70));
  return row;
}

function toRow(run: RunSummary, place: string): TreeRow {
  const task = run.task.replace(/\s+/g, ' ').trim();
  const item = new vscode.TreeItem(clip(task, 80));
  item.id = run.runId;
  item.description = [
    formatWhen(run.startedAt, Date.now(), vscode.env.language),
    outcomeInWords(run),
    ...(place === '' ? [] : [place]),
  ].join(' · ');
  item.tooltip = `${task}\n${item.description}`;
  item.iconPath = new vscode.ThemeIcon(iconOf(run));
  item.contextValue = contextOf(run);
  item.command = {
    command: 'massgen.showRun',
    title: vscode.l10n.t('Open Run'),
    arguments: [run.runId],
  };
  return { item };
}

/** What the menus of a row go by. */
function contextOf({ isRunning, outcome }: RunSummary): string {
  if (isRunning) {
    return 'run-active';
  }
  return outcome === null || outcome === 'interrupted' ? 'run-interrupted' : 'run';
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
