import { wait } from '../agent/wait';
import type { Clock } from '../ports/clock';
import type { BackendPart, ModelBackend, ModelRequest } from '../ports/model-backend';

/** Who waits for the same service is let in one after the other, this far apart, so that the wait does not end in a rush. */
const gapMs = 150;

/** A wait without a stated length, ms. */
const usualWaitMs = 2_000;

interface Line {
  /** Nobody asks before this, Unix ms. */
  until: number;
  /** Place of the next one behind it. */
  next: number;
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
    const until = this.#clock.now() + delayMs;
    const line = this.#lines.get(key);
    if (line === undefined || until > line.until) {
      this.#lines.set(key, { until, next: 0 });
    }
  }

  /** When the one who asks now may go, Unix ms; a time that has passed: at once. Everybody gets an own place. */
  enter(key: string): number {
    const line = this.#lines.get(key);
    if (line === undefined || line.until <= this.#clock.now()) {
      this.#lines.delete(key);
      return 0;
    }
    line.next += 1;
    return line.until + line.next * gapMs;
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
      const until = gate.enter(key);
      if (until > clock.now()) {
        yield { type: 'waiting', reason: 'rate-limit', until };
        // An aborted wait ends in the backend, which tells of its end as it always does.
        await wait(clock, until - clock.now(), signal).catch(() => undefined);
      }
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
