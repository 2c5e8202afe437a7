import type { PayloadStore } from '../ports/payload-store';
import type { Logger } from '../ports/logger';
import type { Media } from '../ports/model-backend';
import type { Tool, ToolSource } from '../ports/tool';
import type { UserFiles } from '../ports/user-files';
import type { AgentWorkspace } from '../ports/workspace';
import type { AgentInstructions } from './agent-instructions';
import type { ApprovalDesk } from './approval';
import type { CallParts } from './model-call';
import type { StepJournal } from './steps';

/** What one agent plays all its turns with. */
export interface AgentParts extends CallParts {
  readonly workspace: AgentWorkspace;
  /** Ordinary tools; none may be named like a workflow tool. */
  readonly tools: readonly Tool[];
  /** Tools of this agent that are found when a turn begins; absent: none. */
  readonly source?: ToolSource;
  /** Files that are put before the model with the task; absent: none. */
  readonly uploads?: readonly Media[];
  readonly desk: ApprovalDesk;
  /** Time limit of a command that asks for none itself, ms. */
  readonly commandTimeoutMs: number;
  /** The user's own text for this agent. */
  readonly systemMessage: string | undefined;
  /** Where instructions of the project are read from; absent: there are none. */
  readonly userFiles?: UserFiles;
  readonly steps: StepJournal;
  readonly payloads: PayloadStore;
  readonly logger: Logger;
}

export interface TurnParts extends AgentParts {
  /** Lives as long as the agent, so that it is told the same in each turn; absent: there are none. */
  readonly instructions: AgentInstructions | undefined;
}
