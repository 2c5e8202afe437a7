import { spawn } from 'node:child_process';
import { MassGenError } from '../../core/errors';
import { killMarked, markVariable, sendToGroup } from './marked-processes';
import type { StartedProcess } from './started-process';

export interface BareCommand {
  /** Program and arguments that run the command. */
  readonly argv: readonly string[];
  /** Existing absolute folder. */
  readonly cwd: string;
  /** The whole environment but for the mark; nothing of the host's own is added. */
  readonly environment: Readonly<Record<string, string>>;
  /** Unique for this command. */
  readonly mark: string;
  /** Real path of the folder around `cwd` in which nothing else works: whatever is still in it belongs to the command. */
  readonly folder: string;
}

/**
 * Beside the command waits a process for the end of this one: if it is killed, nobody else would be left to end the
 * command's process group. The command itself takes the place of the launching shell.
 */
const launch = '(exec >/dev/null 2>&1; read -r _ <&3; kill -KILL -$$) & exec "$@" 3<&-';

/** Starts a command in a process group of its own, with closed input, in no namespace. */
export function startBare(command: BareCommand): StartedProcess {
  if (process.platform === 'win32') {
    throw new MassGenError('tool/failed', 'Commands cannot be run on Windows yet.');
  }
  const { mark, folder } = command;
  const child = spawn('/bin/sh', ['-c', launch, 'sh', ...command.argv], {
    cwd: command.cwd,
    env: { ...command.environment, [markVariable]: mark },
    detached: true,
    // The last one stays open as long as this process lives; nothing is ever written to it.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const group = child.pid;
  return {
    child,
    terminate(): void {
      if (group !== undefined) {
        sendToGroup(group, 'SIGTERM');
      }
    },
    async kill(): Promise<void> {
      if (group !== undefined) {
        await killMarked({ group, mark, folder });
      }
      child.stdio[3]?.destroy();
    },
    hasBegun: () => group !== undefined,
  };
}
