// The state the panel draws: what the host said last, and the run as its events make it.
import { batch, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import { apply } from '../src/run/reducer';
import { selectAnnouncements } from '../src/run/selectors/announcements';
import type { RunState } from '../src/run/state';
import type { HostState, ToView } from '../src/protocol/webview';
import type { Post } from './vscode-api';

export interface Store {
  readonly host: ReadonlySignal<HostState | null>;
  /** The run that is shown, or the last one that was; `null` before the first snapshot. */
  readonly run: ReadonlySignal<RunState | null>;
  /** Text that a command puts into the task box; a new object each time. */
  readonly prefill: ReadonlySignal<{ readonly task: string; readonly isFocused: boolean } | null>;
  /** A stored run that is looked at step by step; kept until the host shows something else. */
  readonly replay: ReadonlySignal<Replay | null>;
  /** A part of the run that a command leads to, until that part has taken notice. */
  readonly revealed: Signal<{ readonly part: RevealedPart } | null>;
  /** What is to be told to a screen reader; a new list each time something is. */
  readonly announcements: ReadonlySignal<readonly string[]>;
  /** How far the clock of this page is ahead of the clock that stamps the events, ms. */
  readonly clockOffset: ReadonlySignal<number>;
  /** Takes a message that was parsed. Messages are applied in order, all that wait in one frame. */
  receive(message: ToView): void;
}

export type Replay = Omit<Extract<ToView, { readonly type: 'replay' }>, 'type'>;
export type RevealedPart = Extract<ToView, { readonly type: 'reveal' }>['part'];

export interface StoreEnvironment {
  readonly post: Post;
  /** Calls back when the next frame may be drawn. */
  readonly onNextFrame: (callback: () => void) => void;
  /** Unix ms. */
  readonly now: () => number;
}

/** So many waiting messages mean that no frames are drawn; they are then applied at once. */
const mostWaiting = 500;

export function createStore(environment: StoreEnvironment): Store {
  return new SignalStore(environment);
}

class SignalStore implements Store {
  readonly host = signal<HostState | null>(null);
  readonly run = signal<RunState | null>(null);
  readonly prefill = signal<{ readonly task: string; readonly isFocused: boolean } | null>(null);
  readonly replay = signal<Replay | null>(null);
  readonly revealed = signal<{ readonly part: RevealedPart } | null>(null);
  readonly announcements = signal<readonly string[]>([]);
  readonly clockOffset = signal(0);
  readonly #environment: StoreEnvironment;
  #waiting: ToView[] = [];
  #isResyncing = false;

  constructor(environment: StoreEnvironment) {
    this.#environment = environment;
  }

  receive(message: ToView): void {
    if (message.type === 'ping') {
      this.#environment.post({ type: 'pong', nonce: message.nonce });
      return;
    }
    this.#waiting.push(message);
    if (this.#waiting.length === 1) {
      this.#environment.onNextFrame(() => this.#flush());
    } else if (this.#waiting.length >= mostWaiting) {
      this.#flush();
    }
  }

  #flush(): void {
    const messages = this.#waiting;
    this.#waiting = [];
    batch(() => {
      for (const message of messages) {
        this.#apply(message);
      }
    });
  }

  #apply(message: ToView): void {
    switch (message.type) {
      case 'host':
        if (message.host.rev > (this.host.value?.rev ?? -1)) {
          this.host.value = message.host;
        }
        break;
      case 'compose':
        this.prefill.value = { task: message.task, isFocused: message.isFocused };
        break;
      case 'snapshot':
        this.#takeSnapshot(message.state);
        break;
      case 'replay':
        this.replay.value = { ...message };
        break;
      case 'reveal':
        this.revealed.value = { part: message.part };
        break;
      case 'events':
        this.#takeEvents(message);
        break;
      case 'ping':
        break;
    }
  }

  /** An older snapshot of the same run came late and says nothing new. */
  #takeSnapshot(state: RunState): void {
    const current = this.run.value;
    const isOlder = current?.runId === state.runId && state.seq < current.seq;
    if (this.replay.value !== null) {
      this.replay.value = null;
    }
    if (!isOlder || this.#isResyncing) {
      this.#isResyncing = false;
      this.run.value = state;
    }
  }

  #takeEvents({ runId, events }: EventsMessage): void {
    const before = this.run.value;
    const last = events.at(-1);
    if (before?.runId !== runId || this.#isResyncing || last === undefined) {
      return;
    }
    const after = applyAll(before, events);
    if (after === undefined) {
      this.#isResyncing = true;
      this.#environment.post({ type: 'resync', runId });
      return;
    }
    this.clockOffset.value = this.#environment.now() - last.at;
    this.run.value = after;
    const said = selectAnnouncements(before, after, this.host.value?.language ?? 'en');
    if (said.length > 0) {
      this.announcements.value = said;
    }
  }
}

type EventsMessage = Extract<ToView, { readonly type: 'events' }>;

/** The state after these events, or `undefined` when one is missing or cannot be applied. Events seen before change nothing. */
function applyAll(state: RunState, events: EventsMessage['events']): RunState | undefined {
  let next = state;
  for (const recorded of events) {
    if (recorded.seq > next.seq + 1) {
      return undefined;
    }
    if (recorded.seq === next.seq + 1) {
      next = apply(next, recorded);
    }
  }
  return next;
}
