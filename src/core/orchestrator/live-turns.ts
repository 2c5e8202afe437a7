import { raceAbort } from '../../base/abort';
import type { Slot } from '../../base/ids';
import type { ObservedEvent } from '../../run/events';
import type { ErrorInfo } from '../../run/facts';
import type { RunState } from '../../run/state';
import type { Directive, TurnReport } from '../coordination/inputs';
import { MassGenError, toErrorInfo } from '../errors';
import type { AgentRuntime, TurnEngine, TurnInput } from '../ports/agent-runtime';
import type { Logger } from '../ports/logger';

/** Where the turns' news go. */
export interface TurnSink {
  state(): RunState;
  observe(event: ObservedEvent): void;
  report(slot: Slot, turnNo: number, report: TurnReport): void;
  crashed(slot: Slot, turnNo: number, error: ErrorInfo): void;
}

export interface LiveTurnsParts {
  readonly runtimes: ReadonlyMap<Slot, AgentRuntime>;
  readonly sink: TurnSink;
  readonly redact: (text: string) => string;
  readonly logger: Logger;
}

interface LiveTurn {
  readonly abort: AbortController;
  /** Reports that wait for their directive, by call. */
  readonly waiting: Map<number, (directive: Directive) => void>;
  /** Told to end, or aborted: nobody waits for it any more. */
  isReleased: boolean;
}

const abortReasons = {
  superseded: () => new MassGenError('cancelled/superseded', 'Other answers came in.'),
  timeout: () => new MassGenError('cancelled/timeout', 'The time for this turn is over.'),
  user: () => new MassGenError('cancelled/user', 'The run was stopped.'),
} as const;

/** The turns that run now: started, answered, aborted. One agent plays one turn at a time; the next waits for the end of the one before. */
export class LiveTurns {
  readonly #parts: LiveTurnsParts;
  readonly #turns = new Map<string, LiveTurn>();
  readonly #lastOf = new Map<Slot, Promise<void>>();

  constructor(parts: LiveTurnsParts) {
    this.#parts = parts;
  }

  start(input: TurnInput): void {
    const key = keyOf(input.slot, input.turnNo);
    const turn: LiveTurn = {
      abort: new AbortController(),
      waiting: new Map(),
      isReleased: false,
    };
    this.#turns.set(key, turn);
    const before = this.#lastOf.get(input.slot) ?? Promise.resolve();
    this.#lastOf.set(input.slot, this.#play(before, turn, input));
  }

  direct(slot: Slot, turnNo: number, call: number, directive: Directive): void {
    const turn = this.#turns.get(keyOf(slot, turnNo));
    const answer = turn?.waiting.get(call);
    if (turn === undefined || answer === undefined) {
      this.#parts.logger.debug('orchestrator', `no turn waits for ${directive.kind}`);
      return;
    }
    turn.waiting.delete(call);
    turn.isReleased ||= directive.kind === 'end';
    answer(directive);
  }

  abort(slot: Slot, turnNo: number, reason: keyof typeof abortReasons): void {
    const turn = this.#turns.get(keyOf(slot, turnNo));
    if (turn !== undefined) {
      turn.isReleased = true;
      turn.abort.abort(abortReasons[reason]());
    }
  }

  /** Ends everything that runs or waits for its start. */
  abortAll(reason: MassGenError): void {
    for (const turn of this.#turns.values()) {
      turn.isReleased = true;
      turn.abort.abort(reason);
    }
  }

  /** Resolves when no turn runs any more. Start none afterwards. */
  async settled(): Promise<void> {
    await Promise.all(this.#lastOf.values());
  }

  /** Never rejects: whatever goes wrong is told to the sink. */
  async #play(before: Promise<void>, turn: LiveTurn, input: TurnInput): Promise<void> {
    const { slot, turnNo } = input;
    const { runtimes, sink, redact, logger } = this.#parts;
    const { signal } = turn.abort;
    await before;
    try {
      signal.throwIfAborted();
      const runtime = runtimes.get(slot);
      if (runtime === undefined) {
        throw new MassGenError('bug/invariant', `there is no agent in slot ${slot}`);
      }
      await runtime.runTurn(input, this.#engine(turn, slot, turnNo), signal);
      if (!turn.isReleased && !signal.aborted) {
        throw new MassGenError('bug/invariant', 'The turn ended without being told to.');
      }
    } catch (error) {
      if (turn.isReleased || signal.aborted) {
        logger.debug('agent', `turn ${turnNo} of agent${slot} ended: ${String(error)}`);
      } else {
        logger.error('agent', `turn ${turnNo} of agent${slot} broke`, error);
        sink.crashed(slot, turnNo, toErrorInfo(error, redact));
      }
    } finally {
      this.#turns.delete(keyOf(slot, turnNo));
    }
  }

  #engine(turn: LiveTurn, slot: Slot, turnNo: number): TurnEngine {
    const { sink } = this.#parts;
    return {
      state: () => sink.state(),
      observe: (event) => sink.observe(event),
      report: async (report, signal) => {
        signal.throwIfAborted();
        const directive = new Promise<Directive>((resolve) => {
          turn.waiting.set(report.call, resolve);
        });
        sink.report(slot, turnNo, report);
        return raceAbort(directive, signal);
      },
    };
  }
}

function keyOf(slot: Slot, turnNo: number): string {
  return `${slot}/${turnNo}`;
}
