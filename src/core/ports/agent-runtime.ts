import type { Label, Slot } from '../../base/ids';
import type { ObservedEvent } from '../../run/events';
import type { RunState } from '../../run/state';
import type { Directive, Toolset, TurnReport } from '../coordination/inputs';

export type { Directive, TurnReport };

export interface TurnInput {
  readonly slot: Slot;
  readonly turnNo: number;
  readonly attempt: number;
  /** `present`: write the final text. `evaluate`: judge the presented text with read tools only. */
  readonly purpose: 'coordinate' | 'present' | 'evaluate';
  /** The state at the start of the turn; prompts are built from it. */
  readonly state: RunState;
  readonly shown: readonly Label[];
  /** What the first call may use; later calls go by the directives. */
  readonly toolset: Toolset;
}

/** The engine as a turn sees it. All rules are on the other side: the turn reports and obeys. */
export interface TurnEngine {
  /** The state now; texts of answers that arrive during the turn are read from it. */
  state(): RunState;
  observe(event: ObservedEvent): void;
  /** Reports one model response or tool round; the directive says how to go on. Rejects only with `cancelled/*`. */
  report(report: TurnReport, signal: AbortSignal): Promise<Directive>;
}

/** Something that plays one whole turn: our loop around a ModelBackend, or a foreign agent program. */
export interface AgentRuntime {
  /** Resolves when the turn is over in any way. Rejects with `cancelled/*` after `signal` aborted; anything else is a bug. */
  runTurn(turn: TurnInput, engine: TurnEngine, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
