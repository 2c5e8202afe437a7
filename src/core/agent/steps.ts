import type { SnapshotId } from '../../base/ids';
import type { ToolResult } from '../ports/tool';

/** Place of a tool call among everything that its agent does. */
export interface ToolStep {
  readonly turnNo: number;
  readonly call: number;
  /** Index of the call in the response, from 0. */
  readonly index: number;
}

export interface ToolOutcome {
  readonly result: ToolResult;
  /** State of the agent's files after a call that may have changed them. */
  readonly filesAfter?: SnapshotId;
}

/**
 * Steps of one agent whose results the log keeps. A live agent makes them; where a log is played again they come from
 * there, and nothing is done twice.
 */
export interface StepJournal {
  /**
   * First message of a turn that began before; `undefined`: the turn writes its own. Asked before anything else of the
   * turn. Rejects with `cancelled/*`.
   */
  openingOf(turnNo: number, signal: AbortSignal): Promise<string | undefined>;
  /** Rejects with `cancelled/*` or like `make`. */
  tool(step: ToolStep, make: () => Promise<ToolOutcome>, signal: AbortSignal): Promise<ToolOutcome>;
}

/** Everything is made now. */
export const liveSteps: StepJournal = {
  openingOf: async () => undefined,
  tool: async (_step, make) => make(),
};
