import type { ChildProcess } from 'node:child_process';
import type { CommandTraces } from './marked-processes';

/** How everything of a process is found on this machine. */
export type Family =
  /** Whatever descends from it, itself not. */
  | { readonly below: number }
  /** What bears its traces, but for the process that waits for the end of this one. */
  | { readonly traces: CommandTraces; readonly watcher: number | undefined };

/** A process with everything that belongs to it. */
export interface StartedProcess {
  readonly child: ChildProcess;
  /** Asks everything of it to end. */
  terminate(): void;
  /** Ends everything of it; resolves when nothing of it runs any more, or when the system does not let go of it. */
  kill(): Promise<void>;
  /** After it has ended: whether the command itself ever began. */
  hasBegun(): boolean;
  /** `undefined` when it was not started. */
  family(): Family | undefined;
}
