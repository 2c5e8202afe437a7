import type { ChildProcess } from 'node:child_process';

/** A process with everything that belongs to it. */
export interface StartedProcess {
  readonly child: ChildProcess;
  /** Asks everything of it to end. */
  terminate(): void;
  /** Ends everything of it; resolves when nothing of it runs any more, or when the system does not let go of it. */
  kill(): Promise<void>;
  /** After it has ended: whether the command itself ever began. */
  hasBegun(): boolean;
}
