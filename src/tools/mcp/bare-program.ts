import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdtemp, realpath, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onAbort } from '../../base/abort';
import { firstOf } from '../../base/text';
import { MassGenError } from '../../core/errors';
import type { Program } from '../../core/ports/workspace';
import { type Traces, killLeft, markVariable } from './left-processes';

const graceMs = 2_000;
const drainMs = 500;

/**
 * Beside the program waits a process for the end of this one: if it is killed, nobody else would be left to end the
 * program's process group, what has left that group but carries the mark, and the folder. The program itself takes the
 * place of the launching shell; its input is handed on as another descriptor, because a shell gives none to what it
 * starts beside itself.
 */
const watch = [
  'exec >/dev/null 2>&1 </dev/null',
  'me=$(exec /bin/sh -c \'echo "$PPID"\')',
  'read -r _ <&3',
  'for round in 1 2 3; do for each in $(grep -lsF "MASSGEN_RUN=$MASSGEN_RUN" /proc/[0-9]*/environ); do each=${each#/proc/}; each=${each%/environ}; [ "$each" = "$me" ] || kill -KILL "$each"; done; done',
  'rm -rf -- "$PWD"',
  'kill -KILL -$$',
].join('; ');
const launch = `(${watch}) & exec "$@" 3<&-`;

export interface BareProgram {
  readonly argv: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Starts a program that nothing confines, in an empty folder of its own and a process group that ends with it and with this
 * process. Throws `tool/failed` when it does not start.
 */
export async function startBareProgram(
  { argv, environment }: BareProgram,
  signal: AbortSignal,
): Promise<Program> {
  if (process.platform === 'win32') {
    throw new MassGenError('tool/failed', 'Servers cannot be started on Windows yet.', {
      hint: 'Open the folder in WSL, or use a server that is reached by its url.',
    });
  }
  await checkFound(argv[0], environment['PATH'] ?? process.env['PATH'] ?? '');
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'massgen-server-')));
  const mark = randomUUID();
  try {
    signal.throwIfAborted();
    const child = spawn('/bin/sh', ['-c', launch, 'sh', ...argv], {
      cwd: folder,
      env: { ...ordinaryVariables(), ...environment, [markVariable]: mark },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    const ended = endOf(child, { mark, folder });
    const program = toProgram(child, ended);
    const tie = onAbort(signal, () => void program.stop());
    void ended.then(() => tie.dispose());
    return program;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** The shell would say only that there is none. */
async function checkFound(program: string, searchPath: string): Promise<void> {
  const folders = searchPath.split(delimiter).filter((each) => each !== '');
  const places = program.includes('/') ? [program] : folders.map((each) => join(each, program));
  const found = await Promise.all(
    places.map(async (place) =>
      access(place, constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  if (!found.includes(true)) {
    const where = program.includes('/') ? '' : ` in the folders of PATH (${firstOf(folders, 3)})`;
    throw new MassGenError('tool/failed', `${program} cannot be found${where}.`, {
      hint: 'Install it, or give its whole path.',
    });
  }
}

function ordinaryVariables(): Readonly<Record<string, string>> {
  const names = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL'];
  const known = names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { HOME: homedir(), ...Object.fromEntries(known), TERM: 'dumb', LANG: 'C.UTF-8' };
}

async function endOf(child: ChildProcess, traces: Traces): Promise<number | null> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const closed = Promise.all(
    streams.map(async (stream) => new Promise((resolve) => stream.once('close', resolve))),
  );
  const code = await new Promise<number | null>((resolve) => {
    child.once('exit', (status) => resolve(status));
    child.once('error', () => resolve(null));
  });
  await killGroup(child);
  await killLeft(traces).catch(() => undefined);
  // Its last words may still be on their way.
  await Promise.race([closed, delay(drainMs, undefined, { ref: false })]);
  [child.stdin, ...streams, child.stdio[3]].forEach((each) => each?.destroy());
  await rm(traces.folder, { recursive: true, force: true }).catch(() => undefined);
  return code;
}

function toProgram(child: ChildProcess, ended: Promise<number | null>): Program {
  let stopping: Promise<void> | undefined;
  child.stdin?.on('error', () => undefined);
  const stop = async (): Promise<void> => {
    child.stdin?.end();
    send(child, 'SIGTERM');
    const patience = new AbortController();
    const late = delay(graceMs, true, { signal: patience.signal, ref: false }).catch(() => false);
    if (await Promise.race([late, ended.then(() => false)])) {
      send(child, 'SIGKILL');
    }
    patience.abort();
    await ended;
  };
  return {
    input: {
      write: async (bytes) => write(child, bytes),
      end: () => void child.stdin?.end(),
    },
    onOutput(stream, listener): void {
      child[stream]?.on('data', (bytes: Buffer) => void listener(bytes));
    },
    ended,
    async stop(): Promise<void> {
      stopping ??= stop();
      await stopping;
    },
  };
}

async function write({ stdin }: ChildProcess, bytes: Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    if (stdin?.writable !== true) {
      reject(new MassGenError('tool/failed', 'The program reads no more.'));
      return;
    }
    stdin.write(bytes, (error) => {
      if (error === null || error === undefined) {
        resolve();
      } else {
        reject(new MassGenError('tool/failed', 'The program reads no more.', { cause: error }));
      }
    });
  });
}

/** Whoever still runs in the group, the one that waits for our end included. */
async function killGroup(child: ChildProcess): Promise<void> {
  send(child, 'SIGKILL');
  for (let tries = 0; tries < 50 && send(child, 0); tries++) {
    await delay(10);
  }
}

/** `false` when there is nobody any more. */
function send({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false;
  }
}
