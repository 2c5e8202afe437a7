import { defined } from '../../base/assert';
import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { EventCause, RecordedEvent, RunEnded, RunEvent } from '../../run/events';
import { apply } from '../../run/reducer';
import type { RunState } from '../../run/state';
import type { EventLogWriter } from '../ports/event-store';
import type { Logger } from '../ports/logger';
import { mapStrings } from './map-strings';

interface Appended {
  readonly events: readonly RecordedEvent[];
  readonly state: RunState;
}

export interface RunRecordParts {
  readonly writer: EventLogWriter;
  readonly redact: (text: string) => string;
  readonly logger: Logger;
  /** What others have written behind the event `seq`; absent for a run that nobody else can write. */
  readonly writtenAfter?: (seq: number) => readonly RecordedEvent[];
}

/**
 * The one place where a run changes: gives each event its number, removes secrets, writes it, reduces it and tells the
 * listeners, in this order. What cannot be written did not happen; a listener that throws changes nothing.
 */
export class RunRecord {
  readonly #parts: RunRecordParts;
  readonly #appended = new Emitter<Appended>();
  #state: RunState | undefined;

  /** `state` is what the log holds already; `undefined` for a new log. */
  constructor(parts: RunRecordParts, state?: RunState) {
    this.#parts = parts;
    this.#state = state;
  }

  /** `undefined` before the first event. */
  get started(): RunState | undefined {
    return this.#state;
  }

  get state(): RunState {
    return defined(this.#state, 'a run has a state from its first event on');
  }

  /** `by` is noted with the first event. Throws `storage/failed`; the state is then what it was before. */
  append(events: readonly RunEvent[], at: number, by?: EventCause): void {
    if (events.length === 0) {
      return;
    }
    const { redact, writer } = this.#parts;
    this.catchUp();
    const first = (this.#state?.seq ?? -1) + 1;
    const recorded = events.map((event, i) => ({
      seq: first + i,
      at,
      event: mapStrings(event, redact),
      ...(i === 0 && by !== undefined ? { by: mapStrings(by, redact) } : {}),
    }));
    writer.append(recorded);
    this.adopt(recorded);
  }

  /** Takes over what other processes have written since. Throws `storage/failed`. */
  catchUp(): void {
    const written = this.#parts.writtenAfter?.(this.#state?.seq ?? -1) ?? [];
    if (written.length > 0) {
      this.adopt(written);
    }
  }

  /** Takes over what the log holds already. */
  adopt(recorded: readonly RecordedEvent[]): void {
    let state = this.#state;
    for (const one of recorded) {
      state = apply(state, one);
    }
    this.#state = defined(state, 'at least one event was reduced');
    this.#tell({ events: recorded, state: this.#state });
  }

  /** The end of a run whose log cannot be written any more: told to the listeners, but not kept. */
  endInMemory(event: RunEnded, at: number): void {
    const state = this.#state;
    if (state?.outcome !== null) {
      return;
    }
    const recorded = { seq: state.seq + 1, at, event: mapStrings(event, this.#parts.redact) };
    this.#state = apply(state, recorded);
    this.#tell({ events: [recorded], state: this.#state });
  }

  onEvents(listener: (events: readonly RecordedEvent[], state: RunState) => void): Disposable {
    return this.#appended.on(({ events, state }) => listener(events, state));
  }

  #tell(appended: Appended): void {
    try {
      this.#appended.fire(appended);
    } catch (error) {
      this.#parts.logger.error('orchestrator', 'a listener of the run failed', error);
    }
  }
}
