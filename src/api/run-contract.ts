// A run in the hands of a program, and what the extension offers; part of the published types.
import type { BuiltConfig, RunResult, TeamOptions } from './contract';
import type { RunEvent } from './event-contract';

/**
 * A run at work: a promise of its result, and what happens meanwhile. Each `for await` begins with the first event and ends
 * with the run; nobody has to read events, and slow readers hold nothing up.
 */
export interface TeamRun extends Promise<RunResult>, AsyncIterable<RunEvent> {
  /** Ends it; the promise then resolves with the outcome `cancelled`, or rejects when nothing had begun. Idempotent. */
  stop(): void;
}

/** What the extension hands to other extensions: their runs are shown and decided about by the user. */
export interface ExtensionApi {
  readonly apiVersion: 1;
  /**
   * Asks the user, then runs the team that the user has chosen, or the one that is given, in the open folders. Keys,
   * commands and changes stay the user's: the run is in the panel, and `changes.apply` is always refused.
   */
  run(task: string, options: ExtensionRunOptions): TeamRun;
  buildConfig(options: TeamOptions): Promise<BuiltConfig>;
}

export interface ExtensionRunOptions {
  /** Id of the extension that asks, for the question to the user. */
  readonly extensionId: string;
  /** What `buildConfig` has answered, or the content of a team file as an object. */
  readonly config?: BuiltConfig | Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}
