import { join } from 'node:path';
import type { Disposable } from '../base/disposable';
import type { Clock } from '../core/ports/clock';
import type { RunTallies } from '../protocol/run-tallies';
import { toStatusJson } from '../protocol/status-json';
import type { RunState } from '../run/state';
import { writeFileAtomically } from './atomic-write';

export interface StatusWriterParts {
  /** Folder of the run; `status.json` is written there. */
  readonly dir: string;
  readonly clock: Clock;
}

/** Keeps `status.json` of one run. */
export interface StatusWriter extends Disposable {
  /** Cheap; may be called for every event. The end of the run is written at once. */
  update(state: RunState, tallies: RunTallies): void;
  /** Writes what is not written yet, and stops. */
  dispose(): void;
}

const shortestGapMs = 200;
/** A watcher sees by the time of the file that the run lives. */
const longestGapMs = 2_000;

/** Writes at most every 200 ms and at least every 2 s while the run lasts. A failed write is tried again by the next one. */
export function createStatusWriter({ dir, clock }: StatusWriterParts): StatusWriter {
  return new AtomicStatusWriter(dir, clock);
}

class AtomicStatusWriter implements StatusWriter {
  readonly #dir: string;
  readonly #clock: Clock;
  #state: RunState | undefined;
  #tallies: RunTallies = new Map();
  #isDirty = false;
  #writtenAt = -Infinity;
  #timer: Disposable | undefined;
  #isDisposed = false;

  constructor(dir: string, clock: Clock) {
    this.#dir = dir;
    this.#clock = clock;
  }

  update(state: RunState, tallies: RunTallies): void {
    if (this.#isDisposed) {
      return;
    }
    const isEnd = state.outcome !== null && this.#state?.outcome === null;
    this.#state = state;
    this.#tallies = tallies;
    this.#isDirty = true;
    const wait = shortestGapMs - Math.max(0, this.#clock.now() - this.#writtenAt);
    if (isEnd || wait <= 0) {
      this.#write();
    } else {
      this.#schedule(wait);
    }
  }

  dispose(): void {
    if (this.#isDisposed) {
      return;
    }
    if (this.#isDirty) {
      this.#write();
    }
    this.#isDisposed = true;
    this.#timer?.dispose();
  }

  #schedule(delayMs: number): void {
    this.#timer?.dispose();
    this.#timer = this.#clock.after(delayMs, () => {
      this.#write();
    });
  }

  #write(): void {
    const state = this.#state;
    if (state === undefined) {
      return;
    }
    // The clock of a machine can be set back; a watcher never sees the time run backwards.
    const now = Math.max(this.#clock.now(), this.#writtenAt);
    this.#writtenAt = now;
    try {
      const meta = { logDir: this.#dir, tallies: this.#tallies };
      const status = toStatusJson(state, now, meta);
      writeFileAtomically(join(this.#dir, 'status.json'), `${JSON.stringify(status, null, 2)}\n`);
      this.#isDirty = false;
    } catch {
      // The file is a convenience for watchers: the run goes on, and the next write tries again.
    }
    this.#timer?.dispose();
    this.#timer = undefined;
    if (state.outcome === null) {
      this.#schedule(longestGapMs);
    }
  }
}
