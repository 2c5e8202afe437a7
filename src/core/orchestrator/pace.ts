import { wait } from '../agent/wait';
import type { AgentRuntime } from '../ports/agent-runtime';
import type { Clock } from '../ports/clock';

/** Keeps starts apart that one service would count together, over all runs that share it. */
export class Pacer {
  readonly #clock: Clock;
  /** When the next start may be, Unix ms, by key. */
  readonly #freeAt = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when `gapMs` have passed since the start before; starts are let in in the order in which they ask. */
  async enter(key: string, gapMs: number, signal: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    const at = Math.max(now, this.#freeAt.get(key) ?? now);
    this.#freeAt.set(key, at + gapMs);
    await wait(this.#clock, at - now, signal);
  }
}

export interface Pace {
  readonly pacer: Pacer;
  /** The same for all that one service counts together. */
  readonly key: string;
  readonly gapMs: number;
}

/** The same runtime, whose turns begin no faster than the pace allows. */
export function paced(runtime: AgentRuntime, { pacer, key, gapMs }: Pace): AgentRuntime {
  return {
    async runTurn(turn, engine, signal): Promise<void> {
      await pacer.enter(key, gapMs, signal);
      await runtime.runTurn(turn, engine, signal);
    },
    close: async () => runtime.close(),
  };
}
