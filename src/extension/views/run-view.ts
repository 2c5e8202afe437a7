import * as vscode from 'vscode';
import type { RunHandle } from '../../app/app-contract';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { Logger } from '../../core/ports/logger';
import type { FromView, HostState, ToView } from '../../protocol/webview';
import type { RecordedEvent } from '../../run/events';
import type { HostModel } from '../host/host-model';
import { isFromView } from './message-guard';
import { runHtml } from './run-html';

/** What the panel reads of a run. */
type ShownRun = Pick<RunHandle, 'runId' | 'state'>;

/** The runs as the panel needs them; see `WindowRuns`. */
export interface ShownRuns {
  readonly shown: ShownRun | undefined;
  onNews(
    listener: (news: { readonly run: ShownRun; readonly events: readonly RecordedEvent[] }) => void,
  ): Disposable;
}

export interface RunViewParts {
  readonly extensionUri: vscode.Uri;
  readonly host: Pick<HostModel, 'onDidChange' | 'read'>;
  readonly runs: ShownRuns;
  readonly logger: Logger;
  /** Carries out what the user did in the panel. */
  readonly onMessage: (message: FromView) => void;
  /** Called when the page has loaded, also after a reload. */
  readonly onReady: () => void;
}

type Replay = Omit<Extract<ToView, { readonly type: 'replay' }>, 'type'>;
type RevealedPart = Extract<ToView, { readonly type: 'reveal' }>['part'];

/** Events of all agents go out together, at most this often, ms. */
const batchMs = 50;
const heartbeatMs = 5_000;
/** So many pings without an answer, and the page is loaded anew. */
const missesBeforeReload = 2;

/**
 * The run panel's host side. A hidden view gets nothing, because the editor drops messages to it; when it becomes
 * visible it gets everything anew. The runs do not depend on the view in any way.
 */
export class RunView implements Disposable {
  readonly #parts: RunViewParts;
  readonly #store = new DisposableStore();
  readonly #visibility = this.#store.add(new Emitter<void>());
  #ofView: DisposableStore | undefined;
  #view: vscode.WebviewView | undefined;
  #isReady = false;
  #pending: RecordedEvent[] = [];
  /** What the page was told of. A run that goes on after it was cut off is another one under the same id. */
  #sent: ShownRun | undefined;
  #timer: NodeJS.Timeout | undefined;
  #missed = 0;
  #compose: ToView | undefined;
  #reveal: ToView | undefined;
  #replay: Replay | undefined;
  #badge: vscode.ViewBadge | undefined;

  constructor(parts: RunViewParts) {
    this.#parts = parts;
    this.#store.add(parts.host.onDidChange((host) => this.#sendHost(host)));
    this.#store.add(
      parts.runs.onNews(({ run, events }) => {
        if (run === this.#sent) this.#queue(events);
      }),
    );
    const heartbeat = setInterval(() => this.#beat(), heartbeatMs);
    this.#store.add(toDisposable(() => clearInterval(heartbeat)));
    this.#store.add(toDisposable(() => clearTimeout(this.#timer)));
  }

  get isVisible(): boolean {
    return this.#view?.visible === true;
  }

  /** Called by the editor when the view is created, and again after it was moved. */
  attach(view: vscode.WebviewView): void {
    this.#ofView?.dispose();
    const ofView = new DisposableStore();
    this.#ofView = ofView;
    this.#view = view;
    view.badge = this.#badge;
    view.webview.options = {
      enableScripts: true,
      enableCommandUris: false,
      localResourceRoots: ['dist', 'media'].map((name) =>
        vscode.Uri.joinPath(this.#parts.extensionUri, name),
      ),
    };
    ofView.add(view.webview.onDidReceiveMessage((message: unknown) => this.#receive(message)));
    ofView.add(
      view.onDidChangeVisibility(() => {
        this.#visibility.fire();
        if (view.visible && this.#isReady) void this.#sendAll();
      }),
    );
    ofView.add(
      view.onDidDispose(() => {
        ofView.dispose();
        if (this.#view === view) {
          this.#view = undefined;
          this.#isReady = false;
        }
        this.#visibility.fire();
      }),
    );
    this.reload();
  }

  /** Loads the page anew; the runs go on. */
  reload(): void {
    if (this.#view !== undefined) {
      this.#isReady = false;
      this.#missed = 0;
      this.#view.webview.html = runHtml(this.#view.webview, this.#parts.extensionUri);
    }
  }

  /** Makes the panel visible; where it is already, the focus stays where it is. */
  async show(): Promise<void> {
    if (!this.isVisible) {
      await this.reveal();
    }
  }

  /** Makes the panel visible and gives it the focus: on the user's command only. */
  async reveal(): Promise<void> {
    await vscode.commands.executeCommand('massgen.run.focus');
  }

  /** Puts a task into the task box, now or as soon as the page is there. */
  compose(task: string): void {
    this.#compose = { type: 'compose', task, isFocused: true };
    if (this.#isReady && this.isVisible) {
      this.#sendCompose();
    }
  }

  /** Opens a part of the run that is shown, now or as soon as the page is there. */
  revealPart(part: RevealedPart): void {
    this.#reveal = { type: 'reveal', part };
    if (this.#isReady && this.isVisible) {
      this.#sendReveal();
    }
  }

  /** Lets the shown run be looked at event by event, until it is closed or another run is shown. */
  showReplay(replay: Replay): void {
    this.#replay = replay;
    this.#sendReplay();
  }

  closeReplay(): void {
    this.#replay = undefined;
    this.#sendSnapshot();
  }

  /** Called when the panel comes into sight or goes out of it. */
  onDidChangeVisibility(listener: () => void): Disposable {
    return this.#visibility.on(listener);
  }

  /** Kept for a view that is created later. */
  setBadge(count: number, tooltip: string): void {
    this.#badge = count === 0 ? undefined : { value: count, tooltip };
    if (this.#view !== undefined) {
      this.#view.badge = this.#badge;
    }
  }

  dispose(): void {
    this.#store.dispose();
    this.#ofView?.dispose();
  }

  #receive(message: unknown): void {
    if (!isFromView(message)) {
      this.#parts.logger.warn(
        'view',
        'The panel sent a message that does not fit; it was dropped.',
      );
      return;
    }
    switch (message.type) {
      case 'ready':
        this.#isReady = true;
        void this.#sendAll();
        this.#parts.onReady();
        return;
      case 'pong':
        this.#missed = 0;
        return;
      case 'resync':
        if (message.runId === this.#sent?.runId) this.#sendSnapshot();
        return;
      default:
        this.#parts.onMessage(message);
    }
  }

  async #sendAll(): Promise<void> {
    this.#sendHost(await this.#parts.host.read());
    this.#sendSnapshot();
    this.#sendReplay();
    this.#sendCompose();
    this.#sendReveal();
  }

  #sendHost(host: HostState): void {
    this.#post({ type: 'host', host });
    const { shown } = this.#parts.runs;
    if (shown !== this.#sent) {
      if (shown?.runId !== this.#replay?.runId) {
        this.#replay = undefined;
      }
      this.#sendSnapshot();
      this.#sendReplay();
    }
  }

  /** The snapshot holds everything up to now, so what was waiting is not sent again. */
  #sendSnapshot(): void {
    const run = this.#parts.runs.shown;
    this.#pending = [];
    this.#sent = run;
    if (run !== undefined) {
      this.#post({ type: 'snapshot', runId: run.runId, state: run.state() });
    }
  }

  /** The page that is shown anew begins the replay anew as well. */
  #sendReplay(): void {
    if (this.#replay !== undefined && this.#replay.runId === this.#sent?.runId) {
      this.#post({ type: 'replay', ...this.#replay });
    }
  }

  #sendReveal(): void {
    if (this.#reveal !== undefined) {
      this.#post(this.#reveal);
      this.#reveal = undefined;
    }
  }

  #sendCompose(): void {
    if (this.#compose !== undefined) {
      this.#post(this.#compose);
      this.#compose = undefined;
    }
  }

  #queue(events: readonly RecordedEvent[]): void {
    if (!this.#isReady || !this.isVisible) {
      return;
    }
    this.#pending.push(...events);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const runId = this.#sent?.runId;
      if (runId !== undefined && this.#pending.length > 0) {
        this.#post({ type: 'events', runId, events: this.#pending });
        this.#pending = [];
      }
    }, batchMs);
  }

  #beat(): void {
    if (!this.#isReady || !this.isVisible) {
      return;
    }
    if (this.#missed >= missesBeforeReload) {
      this.#parts.logger.warn('view', 'The panel did not answer and is loaded anew.');
      this.reload();
      return;
    }
    this.#missed++;
    this.#post({ type: 'ping', nonce: Date.now() });
  }

  #post(message: ToView): void {
    if (this.#isReady && this.isVisible) {
      void this.#view?.webview.postMessage(message);
    }
  }
}
