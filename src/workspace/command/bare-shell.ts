import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
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
  /** Absent: its input is closed. */
  readonly input?: 'pipe';
}

/** Of the process that waits beside the command. */
const watcherFd = 4;

/** Ends whatever bears the mark of the command, which may have started more meanwhile, and then what still works in its folder. */
const endLeft = [
  'for round in 1 2 3; do',
  `for each in $(grep -lsF "${markVariable}=$${markVariable}" /proc/[0-9]*/environ); do`,
  'each=${each#/proc/}; each=${each%/environ}; [ "$each" = "$me" ] || kill -KILL "$each"; done; done',
  '; for each in /proc/[0-9]*; do',
  'case "$(readlink "$each/cwd")/" in "$folder"/*) each=${each#/proc/}; [ "$each" = "$me" ] || kill -KILL "$each";; esac; done',
].join(' ');

/**
 * Beside the command waits a process for the end of this one: if it is killed, nobody else would be left to end the command
 * with all that it started. It tells its own id first, and works elsewhere than the command. The command itself takes the
 * place of the launching shell.
 */
const watch = [
  `cd /; exec >/dev/null 2>&1 </dev/null ${watcherFd}>&-`,
  'me=$(exec /bin/sh -c \'echo "$PPID"\')',
  `read -r _ <&3; ${endLeft}`,
  'kill -KILL -$$',
].join('; ');
const launch = `folder=$1; shift; (${watch}) & echo $! >&${watcherFd}; exec "$@" 3<&- ${watcherFd}>&-`;

/** Starts a command in a process group of its own, in no namespace. */
export function startBare(command: BareCommand): StartedProcess {
  if (process.platform === 'win32') {
    throw new MassGenError('tool/failed', 'Commands cannot be run on Windows yet.');
  }
  const { mark, folder } = command;
  const child = spawn('/bin/sh', ['-c', launch, 'sh', folder, ...command.argv], {
    cwd: command.cwd,
    env: { ...command.environment, [markVariable]: mark },
    detached: true,
    // The fourth stays open as long as this process lives; nothing is ever written to it.
    stdio: [command.input ?? 'ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  const group = child.pid;
  let told = '';
  const [, , , , reports] = child.stdio;
  if (isReadable(reports)) {
    reports.on('data', (chunk: Buffer) => (told += chunk.toString('latin1')));
  }
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
      reports?.destroy();
    },
    hasBegun: () => group !== undefined,
    family() {
      const watcher = Number.parseInt(told, 10);
      return group === undefined
        ? undefined
        : {
            traces: { group, mark, folder },
            watcher: Number.isNaN(watcher) ? undefined : watcher,
          };
    },
  };
}

function isReadable(stream: unknown): stream is Readable {
  return typeof stream === 'object' && stream !== null && 'on' in stream && 'read' in stream;
}
