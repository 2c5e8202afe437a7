// Plays the stored events of a run: the state after any of them, made by the one reducer.
import type { RecordedEvent } from '../src/run/events';
import { apply } from '../src/run/reducer';
import type { RunState } from '../src/run/state';

/** A state is kept after this many events, so that going back does not begin at the start. */
const keepEvery = 200;

/** Longest pause between two events while playing, ms: a model may have thought for minutes. */
const longestPauseMs = 1_000;

export class ReplayPlayer {
  readonly #events: readonly RecordedEvent[];
  /** States after each `keepEvery` events. */
  readonly #kept: RunState[] = [];
  #latest: { readonly index: number; readonly state: RunState };

  /** `undefined` when there is nothing to play: no event, or events that do not begin a run. */
  static create(events: readonly RecordedEvent[]): ReplayPlayer | undefined {
    const [first] = events;
    return first?.event.type === 'run-started'
      ? new ReplayPlayer(events, apply(undefined, first))
      : undefined;
  }

  private constructor(events: readonly RecordedEvent[], first: RunState) {
    this.#events = events;
    this.#kept.push(first);
    this.#latest = { index: 0, state: first };
  }

  /** Index of the last event. */
  get last(): number {
    return this.#events.length - 1;
  }

  /** The events up to, and with, the one at `index`. */
  eventsUpTo(index: number): readonly RecordedEvent[] {
    return this.#events.slice(0, index + 1);
  }

  /** The state after the event at `index`, counted from 0. */
  stateAt(index: number): RunState {
    const wanted = Math.min(Math.max(0, index), this.last);
    let { index: at, state } = this.#latest;
    const block = Math.min(Math.floor(wanted / keepEvery), this.#kept.length - 1);
    const kept = this.#kept[block];
    if ((at > wanted || at < block * keepEvery) && kept !== undefined) {
      at = block * keepEvery;
      state = kept;
    }
    while (at < wanted) {
      const next = this.#events[++at];
      if (next !== undefined) {
        state = apply(state, next);
      }
      if (at % keepEvery === 0 && this.#kept.length === at / keepEvery) {
        this.#kept.push(state);
      }
    }
    this.#latest = { index: at, state };
    return state;
  }

  /** The nearest event before or after that is more than a piece of text; the end where there is none. */
  step(index: number, by: 1 | -1): number {
    for (let at = index + by; at > 0 && at < this.last; at += by) {
      if (this.#events[at]?.event.type !== 'text-delta') {
        return at;
      }
    }
    return by === 1 ? this.last : 0;
  }

  /** Time until the event after `index` at this speed, ms; `undefined` at the end. */
  pauseAfter(index: number, speed: number): number | undefined {
    const [now, next] = [this.#events[index], this.#events[index + 1]];
    return now === undefined || next === undefined
      ? undefined
      : Math.min(longestPauseMs, Math.max(0, next.at - now.at) / speed);
  }
}
