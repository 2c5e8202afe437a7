import * as vscode from 'vscode';
import type { App } from '../../app/app-contract';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { Blocker, HostState } from '../../protocol/webview';
import type { RunEvent } from '../../run/events';
import type { Memory } from '../memory';
import type { EditorModels } from '../lm/editor-models';
import type { SessionFacts } from '../runs/session-facts';
import { type WindowRuns, markOf } from '../runs/window-runs';
import { findBlocker } from './blockers';
import { capsOf } from './caps';
import { contextFolders, unsavedDocuments } from './folders';
import { isSampleProject } from './sample-project';
import type { HostChecks } from './host-checks';
import type { HostConfinement } from './host-confinement';
import type { TeamFiles } from './team-files';
import { type Team, type Teams, toTeamChoice } from './teams';

export interface HostParts {
  readonly app: App;
  readonly installDir: string;
  readonly memory: Memory;
  readonly teams: Teams;
  readonly teamFiles: TeamFiles;
  readonly models: EditorModels;
  readonly runs: WindowRuns;
  readonly sessions: SessionFacts;
  readonly checks: HostChecks;
  readonly confinement: HostConfinement;
  /** Task of the shipped sample. */
  readonly sampleTask: string;
}

/** Changes within this time are told as one, ms. */
const settleMs = 30;

/** Everything around runs that the panel shows, gathered anew after each change of any part. */
export class HostModel implements Disposable {
  readonly #parts: HostParts;
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new Emitter<HostState>());
  #rev = 0;
  #timer: NodeJS.Timeout | undefined;
  #unsaved = 0;
  #startFailure: Blocker | undefined;

  constructor(parts: HostParts) {
    this.#parts = parts;
    const touch = (): void => this.touch();
    this.#store.add(toDisposable(() => clearTimeout(this.#timer)));
    for (const listening of [
      parts.runs.onDidChange(touch),
      parts.runs.onNews(({ events }) => {
        if (events.some(({ event }) => isAboutApproval(event))) touch();
      }),
      parts.models.onDidChange(touch),
      parts.teamFiles.onDidChange(touch),
      vscode.workspace.onDidGrantWorkspaceTrust(touch),
      vscode.workspace.onDidChangeWorkspaceFolders(touch),
      vscode.workspace.onDidSaveTextDocument((document) => {
        parts.checks.forget(document);
        this.#watchUnsaved();
      }),
      vscode.workspace.onDidChangeTextDocument(() => this.#watchUnsaved()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('massgen.team')) {
          // The newest wish counts, whether it was made in the settings or in the panel.
          void parts.memory.setTeamId(undefined).then(touch);
        } else if (change.affectsConfiguration('massgen')) {
          touch();
        }
      }),
    ]) {
      this.#store.add(listening);
    }
  }

  onDidChange(listener: (host: HostState) => void): Disposable {
    return this.#changes.on(listener);
  }

  /** Gathers and tells soon; many calls in a row make one message. */
  touch(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (!this.#store.isDisposed) void this.read().then((host) => this.#changes.fire(host));
    }, settleMs);
  }

  /** Shown until the next start or another choice of team. */
  setStartFailure(blocker: Blocker | undefined): void {
    this.#startFailure = blocker;
    this.touch();
  }

  /** The team as its file is at this moment. */
  async chosenTeam(): Promise<Team | undefined> {
    this.#parts.teamFiles.forget();
    return this.#parts.teams.choose(await this.#parts.teams.list());
  }

  async read(): Promise<HostState> {
    const { app, checks, memory, runs, sessions, teams, installDir } = this.#parts;
    // Two readings may end in the other order than they began; the one that began later knows more.
    const rev = ++this.#rev;
    const all = await teams.list();
    const team = teams.choose(all);
    const folders = contextFolders(memory, team?.config);
    const caps = capsOf(team?.config);
    const [first] = folders;
    const isSample = first !== undefined && (await isSampleProject(first.path, installDir));
    return {
      rev,
      blocker: findBlocker(team, { app, memory }) ?? this.#startFailure ?? null,
      teams: all.map((each) => toTeamChoice(each, app)),
      teamId: team?.id ?? null,
      hasNoModel: all.every(({ isScripted }) => isScripted),
      folders,
      forecast: team?.config === undefined ? null : app.forecast({ ...team.config, caps }),
      caps,
      ...this.#confinement(),
      checks: await checks.read(team?.config, folders),
      unsavedFiles: unsavedDocuments().length,
      runs: runs.all.map((run) => ({
        runId: run.runId,
        task: run.state().task,
        mark: markOf(run),
      })),
      shownRunId: runs.shownId,
      sampleTask: isSample ? this.#parts.sampleTask : null,
      language: vscode.env.language,
      session: await sessions.read(),
    };
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Nothing is tried in Restricted Mode, where no command can run. */
  #confinement(): Pick<HostState, 'unconfinedReason' | 'confinement'> {
    const known = vscode.workspace.isTrusted
      ? this.#parts.confinement.read(() => this.touch())
      : undefined;
    if (known === undefined) {
      return { unconfinedReason: null, confinement: null };
    }
    return known.isConfined
      ? { unconfinedReason: null, confinement: known.words }
      : { unconfinedReason: known.reason, confinement: null };
  }

  /** Typing is frequent, and only the number of unsaved files is shown. */
  #watchUnsaved(): void {
    const unsaved = unsavedDocuments().length;
    if (unsaved !== this.#unsaved) {
      this.#unsaved = unsaved;
      this.touch();
    }
  }
}

/** The list of runs shows which of them waits for the user. */
function isAboutApproval({ type }: RunEvent): boolean {
  return type === 'approval-requested' || type === 'approval-resolved';
}
