import { wait } from '../agent/wait';
import type { Clock } from '../ports/clock';
import type { BackendPart, ModelBackend, ModelRequest } from '../ports/model-backend';

/** Who waits for the same service is let in one after the other, this far apart, so that the wait does not end in a rush. */
const gapMs = 150;

/** A wait without a stated length, ms. */
const usualWaitMs = 2_000;

/** Longer waits than this are between the service and each agent, whose patience is limited. */
const longestHoldMs = 60_000;

/** So long after a wait those who come back are still let in one after the other, ms. */
const calmAfterMs = 5_000;

interface Line {
  heldAt: number;
  /** Nobody asks before this, Unix ms. */
  until: number;
  /** Place of the last one who was let in, or who waits; `undefined`: nobody yet. */
  last: number | undefined;
}

/**
 * What services have asked of everybody who uses one key: when one agent is told to wait, the others wait too instead of
 * being refused one by one. One for all runs of a process.
 */
export class RateGate {
  readonly #clock: Clock;
  readonly #lines = new Map<string, Line>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A service asks everybody with this key for patience. */
  hold(key: string, delayMs: number = usualWaitMs): void {
    const now = this.#clock.now();
    const until = now + Math.min(delayMs, longestHoldMs);
    const line = this.#lineOf(key);
    if (line === undefined) {
      this.#lines.set(key, { heldAt: now, until, last: undefined });
    } else if (until > line.until) {
      line.heldAt = now;
      line.until = until;
    }
  }

  /** A service still asks for patience. */
  isHeld(key: string): boolean {
    const line = this.#lineOf(key);
    return line !== undefined && line.until > this.#clock.now();
  }

  /** When the one who asks now may go, Unix ms; a time that has passed: at once. Everybody gets an own place. */
  enter(key: string): number {
    const line = this.#lineOf(key);
    if (line === undefined) {
      return 0;
    }
    const earliest = Math.max(this.#clock.now(), line.until);
    const place = Math.max(earliest, (line.last ?? -Infinity) + gapMs);
    line.last = place;
    return place;
  }

  /** Forgets a line that nobody stands in any more. */
  #lineOf(key: string): Line | undefined {
    const line = this.#lines.get(key);
    const now = this.#clock.now();
    if (line === undefined || now > Math.max(line.until, line.last ?? 0) + calmAfterMs) {
      this.#lines.delete(key);
      return undefined;
    }
    if (now < line.heldAt) {
      // The time of day was set back; nobody waits longer for that.
      const delayMs = line.until - line.heldAt;
      this.#lines.set(key, { heldAt: now, until: now + delayMs, last: undefined });
    }
    return this.#lines.get(key);
  }
}

export interface Gated {
  readonly gate: RateGate;
  /** The same for all that one service counts together. */
  readonly key: string;
  readonly clock: Clock;
}

/** The same model, which waits when the service has asked somebody else with its key to. */
export function gated(backend: ModelBackend, { gate, key, clock }: Gated): ModelBackend {
  return {
    capabilities: backend.capabilities,
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<BackendPart> {
      do {
        const until = gate.enter(key);
        if (until > clock.now()) {
          yield { type: 'waiting', reason: 'rate-limit', until };
          // An aborted wait ends in the backend, which tells of its end as it always does.
          await wait(clock, until - clock.now(), signal).catch(() => undefined);
        }
        // Somebody else may have been told to wait meanwhile.
      } while (gate.isHeld(key) && !signal.aborted);
      for await (const part of backend.stream(request, signal)) {
        if (part.type === 'end' && part.reason === 'error') {
          const { code, retryAfterMs } = part.error;
          if (code === 'backend/rate-limited') {
            gate.hold(key, retryAfterMs);
          }
        }
        yield part;
      }
    },
    close: async () => backend.close(),
  };
}
