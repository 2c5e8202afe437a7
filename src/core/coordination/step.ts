import type { RunEvent } from '../../run/events';
import { apply } from '../../run/reducer';
import type { RunState } from '../../run/state';
import type { Effect } from './effects';

/** One input being handled: what has been decided so far, and the state that follows from it. */
export class Step {
  readonly #events: RunEvent[] = [];
  readonly #effects: Effect[] = [];
  #state: RunState;
  /** Unix ms of the input. */
  readonly at: number;

  constructor(state: RunState, at: number) {
    this.#state = state;
    this.at = at;
  }

  get state(): RunState {
    return this.#state;
  }

  get events(): readonly RunEvent[] {
    return this.#events;
  }

  get effects(): readonly Effect[] {
    return this.#effects;
  }

  /** The log will give the event the same number, because events of one input are appended together. */
  emit(event: RunEvent): void {
    this.#events.push(event);
    this.#state = apply(this.#state, { seq: this.#state.seq + 1, at: this.at, event });
  }

  request(effect: Effect): void {
    this.#effects.push(effect);
  }
}
