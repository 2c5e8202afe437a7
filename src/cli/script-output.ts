import type { RunHandle, StartRunRequest } from '../app/app-contract';
import type { RunState } from '../run/state';
import type { ExitCode } from './exit-codes';

/** Where a run keeps its files; all are absolute, and `undefined` where nothing is kept. */
export interface Places {
  /** Of the turn. */
  readonly dir: string | undefined;
  /** Of the session. */
  readonly logDir: string | undefined;
  readonly statusFile: string | undefined;
  readonly inbox: string | undefined;
}

export interface Ending {
  readonly state: RunState;
  /** Unix ms. */
  readonly now: number;
  readonly exitCode: ExitCode;
  /** Where the answer was written because that was asked for. */
  readonly outputFile: string | undefined;
}

export interface ScriptOutput {
  /** Told every event from the first on; absent: not interested. */
  readonly onEvents?: NonNullable<StartRunRequest['onEvents']>;
  begin(task: string, places: Places): void;
  follow(handle: RunHandle): void;
  end(ending: Ending): void;
}
