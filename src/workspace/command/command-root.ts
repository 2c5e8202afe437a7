import type { Sandbox } from '../confinement/sandbox';
import type { GitIgnore } from '../git-ignore';
import type { LayeredRoot } from '../layered-root';
import type { CopyLimits } from './command-copy';

export interface CommandRoot {
  readonly root: LayeredRoot;
  readonly shownPath: string;
  /** Whether the kernel merges its layers at the shown path; else commands get a copy there. */
  readonly isLayered: boolean;
  /** `undefined` for the agent's own folder and for peers. */
  readonly ignore: GitIgnore | undefined;
}

export interface CommandSettings {
  readonly searchPath: string;
  /** Further variables the user wants commands to have. */
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: CopyLimits;
  /** Bytes that commands of one agent may leave on the disk; absent: 8 GB. */
  readonly quotaBytes?: number;
  /** How commands are confined on this machine. */
  readonly sandbox: Sandbox;
  /** Folder of all runs: no confined command sees what is in it but its own agent's part. */
  readonly runStore: string;
  /** Homes in which credentials are hidden. */
  readonly homes: readonly string[];
  /** Says where other credentials are; nothing of it is handed on. */
  readonly ownEnvironment: NodeJS.ProcessEnv;
}
