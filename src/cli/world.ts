import { posix, win32 } from 'node:path';
import type { Keyboard, Terminal } from './terminal';

/** Everything a command takes from the process it runs in. */
export interface World {
  /** Arguments of the command line, without the program. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** Folder of the installed product: holds `media/` and `configs/`. */
  readonly installDir: string;
  readonly version: string;
  /** Standard output. */
  readonly output: Terminal;
  /** Standard error. */
  readonly notes: Terminal;
  /** Standard input. */
  readonly input: Keyboard;
  /** Aborts at the first interrupt of the user. */
  readonly interrupted: AbortSignal;
}

/** Where runs are kept when nothing else is said: the place that the system has for data of programs. */
export function defaultStorageDir({
  platform,
  environment,
  home,
}: Pick<World, 'platform' | 'environment' | 'home'>): string {
  switch (platform) {
    case 'win32':
      return `${absolute(environment['LOCALAPPDATA'], win32) ?? `${home}\\AppData\\Local`}\\massgen`;
    case 'darwin':
      return `${home}/Library/Application Support/massgen`;
    default:
      return `${absolute(environment['XDG_DATA_HOME'], posix) ?? `${home}/.local/share`}/massgen`;
  }
}

/** An empty or relative path would lead somewhere else from every folder: it counts as none. */
function absolute(path: string | undefined, rules: typeof posix): string | undefined {
  return path !== undefined && rules.isAbsolute(path) ? path : undefined;
}
