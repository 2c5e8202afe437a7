import type { RunId } from '../base/ids';
import type { LoadOptions } from '../config/load-config';
import type { AgentConfig } from '../config/run-config';
import type { Pacer } from '../core/orchestrator/pace';
import type { RateGate } from '../core/orchestrator/rate-gate';
import type { BackendKind } from '../core/ports/backend-kind';
import type { Clock } from '../core/ports/clock';
import type { EventStore } from '../core/ports/event-store';
import type { OpenAddresses } from '../core/ports/open-web';
import type { PayloadStore } from '../core/ports/payload-store';
import type { SessionStore } from '../core/ports/session-store';
import type { Logger } from '../core/ports/logger';
import type { Secrets } from '../core/ports/secrets';
import type { Tool, ToolServerChange, ToolSource } from '../core/ports/tool';
import type { AgentWorkspace } from '../core/ports/workspace';
import type { Redactor } from '../logging/redactor';
import type { ArtifactsOfRuns } from './run-artifacts';
import type { FilesOfRuns } from './run-files';
import type { SessionBook } from './session-book';

export interface ToolSourceParts {
  /** Absolute path of the user's own folder; `undefined` when the run has none. */
  readonly projectFolder: string | undefined;
  readonly onChange: (change: ToolServerChange) => void;
}

/** Everything runs are made of, composed once. */
export interface Services {
  /** Where everything is kept that outlives the process. */
  readonly storageDir: string;
  readonly kinds: readonly BackendKind[];
  /** How team files are read: with the variables of the user and what is known of models. */
  readonly loadOptions: LoadOptions;
  readonly tools: readonly Tool[];
  readonly addressesOf: OpenAddresses;
  /** Tools of the shell, as they are now; a run plays again without them. */
  readonly extraTools: () => readonly Tool[];
  /** Tools that are the agent's alone; `undefined`: it has none. Starts nothing yet. */
  openToolSource(
    agent: AgentConfig,
    workspace: AgentWorkspace,
    parts: ToolSourceParts,
  ): ToolSource | undefined;
  readonly store: EventStore;
  readonly sessions: SessionStore;
  /** The list of sessions that all shells share; absent: this one notes none. */
  readonly book?: SessionBook | undefined;
  /** What is kept beside the log of a run. */
  payloadsOf(runId: RunId): PayloadStore;
  readonly files: FilesOfRuns;
  readonly artifacts: ArtifactsOfRuns;
  readonly secrets: Secrets;
  readonly redactor: Redactor;
  readonly clock: Clock;
  /** One for all runs of this process. */
  readonly pacer: Pacer;
  /** One for all runs of this process. */
  readonly gate: RateGate;
  readonly logger: Logger;
}
