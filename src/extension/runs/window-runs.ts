import type { App, ResumeRequest, RunHandle, StartRunRequest } from '../../app/app-contract';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { RunId, Slot } from '../../base/ids';
import type { RunMark } from '../../protocol/webview';
import type { RecordedEvent } from '../../run/events';
import type { RunState } from '../../run/state';

export interface RunNews {
  readonly run: RunHandle;
  readonly events: readonly RecordedEvent[];
  readonly state: RunState;
}

/** The runs of this window, live ones and stored ones that were opened, and which of them the panel shows. */
export class WindowRuns implements Disposable {
  readonly #app: App;
  readonly #runs = new Map<RunId, RunHandle>();
  readonly #texts = new Map<RunId, Map<Slot, string[]>>();
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new Emitter<void>());
  readonly #news = this.#store.add(new Emitter<RunNews>());
  #shownId: RunId | null = null;
  #isStarting = false;
  #hasShown = false;

  constructor(app: App) {
    this.#app = app;
  }

  /** Newest first. */
  get all(): readonly RunHandle[] {
    return [...this.#runs.values()].reverse();
  }

  get live(): readonly RunHandle[] {
    return this.all.filter(isActive);
  }

  get shownId(): RunId | null {
    return this.#shownId;
  }

  /** False until somebody has said what the panel is to show. */
  get hasShown(): boolean {
    return this.#hasShown;
  }

  get shown(): RunHandle | undefined {
    return this.#shownId === null ? undefined : this.#runs.get(this.#shownId);
  }

  get(runId: RunId): RunHandle | undefined {
    return this.#runs.get(runId);
  }

  /** After a run began, ended, was opened, or another one is shown. */
  onDidChange(listener: () => void): Disposable {
    return this.#changes.on(listener);
  }

  /** After new events of any run, once they are stored. */
  onNews(listener: (news: RunNews) => void): Disposable {
    return this.#news.on(listener);
  }

  /** Lets one start at a time happen: a second click on Run is the same wish, not another run. */
  async startOnce(start: () => Promise<void>): Promise<void> {
    if (!this.#isStarting) {
      this.#isStarting = true;
      try {
        await start();
      } finally {
        this.#isStarting = false;
      }
    }
  }

  async start(request: StartRunRequest, signal: AbortSignal): Promise<RunHandle> {
    const run = await this.#app.startRun(request, signal);
    this.#adopt(run);
    this.show(run.runId);
    return run;
  }

  /** Goes on with a run that was cut off; the run that goes on takes the place of the stored one. */
  async resume(runId: RunId, request: ResumeRequest, signal: AbortSignal): Promise<void> {
    const run = await this.#app.resumeRun(runId, request, signal);
    this.#adopt(run);
    this.show(run.runId);
  }

  /** A run by its id, opened from its log when this window does not know it yet. */
  async open(runId: RunId): Promise<RunHandle> {
    const known = this.#runs.get(runId);
    if (known !== undefined && !isPlayedElsewhere(known)) {
      return known;
    }
    const opened = await this.#app.openRun(runId);
    const current = this.#runs.get(runId);
    const earlier = current === known ? undefined : current;
    if (earlier === undefined) {
      this.#adopt(opened);
    }
    return earlier ?? opened;
  }

  /** Takes what another process has written of the shown run since it was opened. */
  async readAgain(): Promise<void> {
    const { shown } = this;
    if (shown !== undefined && isPlayedElsewhere(shown)) {
      await this.open(shown.runId);
    }
  }

  /** `null` shows the page for a new run. */
  show(runId: RunId | null): void {
    if (runId === null || this.#runs.has(runId)) {
      this.#hasShown = true;
      this.#shownId = runId;
      this.#changes.fire();
    }
  }

  /** Everything an agent wrote, call by call, as far as this window saw it; else the newest part. */
  textOf(run: RunHandle, slot: Slot): string {
    const agent = run.state().agents[slot - 1];
    const finished = this.#texts.get(run.runId)?.get(slot) ?? [];
    const isInCall = agent?.activity.kind === 'model';
    const live = agent === undefined || (finished.length > 0 && !isInCall) ? [] : [agent.liveText];
    return [...finished, ...live].join('\n\n');
  }

  dispose(): void {
    this.#store.dispose();
    this.#runs.clear();
    this.#texts.clear();
  }

  #adopt(run: RunHandle): void {
    this.#runs.set(run.runId, run);
    this.#store.add(
      run.onEvents((events, state) => {
        this.#keepTexts(run.runId, events);
        this.#news.fire({ run, events, state });
        if (events.some(({ event }) => event.type === 'run-ended')) {
          this.#changes.fire();
        }
      }),
    );
    this.#changes.fire();
  }

  #keepTexts(runId: RunId, events: readonly RecordedEvent[]): void {
    for (const { event } of events) {
      if (event.type === 'model-call-ended' && event.text !== '') {
        const ofRun = this.#texts.get(runId) ?? new Map<Slot, string[]>();
        this.#texts.set(runId, ofRun);
        ofRun.set(event.slot, [...(ofRun.get(event.slot) ?? []), event.text]);
      }
    }
  }
}

export function isActive(run: RunHandle): boolean {
  return run.isLive && run.state().outcome === null;
}

/** Another process writes it: it can be read here, and what was read is soon out of date. */
export function isPlayedElsewhere(run: RunHandle): boolean {
  return !run.isLive && run.state().outcome === null;
}

export function markOf(run: RunHandle): RunMark {
  const { approvals, outcome } = run.state();
  if (isActive(run)) {
    return approvals.length > 0 ? 'needs-you' : 'running';
  }
  if (outcome === 'error') {
    return 'failed';
  }
  return outcome === null || outcome === 'cancelled' || outcome === 'interrupted'
    ? 'stopped'
    : 'ended';
}
