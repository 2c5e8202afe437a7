import type { SnapshotId } from '../../base/ids';
import type { Tool, ToolResult } from '../ports/tool';

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

/** A tool that was found when a turn began, as the log has it. */
export type RecordedTool = Pick<Tool, 'name' | 'description' | 'inputSchema' | 'access' | 'effect'>;

export interface RecordedOpening {
  /** First message of the turn. */
  readonly message: string;
  readonly tools: readonly RecordedTool[];
}

export function toRecorded({ name, description, inputSchema, access, effect }: Tool): RecordedTool {
  return { name, description, inputSchema, access, effect };
}

/**
 * Steps of one agent whose results the log keeps. A live agent makes them; where a log is played again they come from
 * there, and nothing is done twice.
 */
export interface StepJournal {
  /**
   * How a turn began that began before; `undefined`: the turn begins now. Asked before anything else of the turn. Rejects
   * with `cancelled/*`.
   */
  openingOf(turnNo: number, signal: AbortSignal): Promise<RecordedOpening | undefined>;
  /** Rejects with `cancelled/*` or like `make`. */
  tool(step: ToolStep, make: () => Promise<ToolOutcome>, signal: AbortSignal): Promise<ToolOutcome>;
  /** State of the agent's files after a model call, asked once for each call that has ended; `undefined`: it is not kept. */
  filesAfter(
    step: Omit<ToolStep, 'index'>,
    make: () => Promise<SnapshotId | undefined>,
  ): Promise<SnapshotId | undefined>;
}

/** Everything is made now. */
export const liveSteps: StepJournal = {
  openingOf: async () => undefined,
  tool: async (_step, make) => make(),
  filesAfter: async (_step, make) => make(),
};
