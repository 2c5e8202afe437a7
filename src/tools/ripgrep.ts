import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { onAbort } from '../base/abort';

/** Longest list of paths on one command line, characters; systems take somewhat more. */
const batchChars = 100_000;

/** Reads no settings of the user, skips no file, takes every byte for text. */
const options = ['--no-config', '--no-messages', '--no-ignore', '--hidden', '--text'];
const query = ['--encoding', 'none', '--fixed-strings', '--case-sensitive', '--files-with-matches'];

/** Tells fast which of many files may have a text. Its word only rules files out. */
export class Ripgrep {
  readonly #programs: string[];

  /** Names or paths, tried in order until one is there. */
  constructor(programs: readonly string[]) {
    this.#programs = [...programs];
  }

  /** `undefined` when nobody can tell; then all may have it. Rejects with the reason of the signal. */
  async filesWith(
    text: string,
    files: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlySet<string> | undefined> {
    if (/[\r\n\0]/.test(text)) {
      return undefined;
    }
    const found = new Set<string>();
    for (const batch of batches(files)) {
      const some = await this.#ask(text, batch, signal);
      if (some === undefined) {
        return undefined;
      }
      some.forEach((file) => found.add(file));
    }
    return found;
  }

  async #ask(
    text: string,
    files: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined> {
    for (;;) {
      signal.throwIfAborted();
      const [program] = this.#programs;
      if (program === undefined) {
        return undefined;
      }
      const answer = await run(
        program,
        [...options, ...query, '--null', '-e', text, '--', ...files],
        signal,
      );
      signal.throwIfAborted();
      if (answer !== 'missing') {
        return answer;
      }
      this.#programs.shift();
    }
  }
}

/** `missing`: there is no such program; `undefined`: it failed. */
async function run(
  program: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[] | 'missing' | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      // A name is not looked up in a folder of the user.
      cwd: dirname(process.execPath),
    });
    const chunks: Buffer[] = [];
    const tie = onAbort(signal, () => child.kill('SIGKILL'));
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', () => {
      tie.dispose();
      resolve('missing');
    });
    child.once('close', (code) => {
      tie.dispose();
      const isDone = code === 0 || code === 1;
      const names = Buffer.concat(chunks).toString('utf8').split('\0');
      resolve(isDone ? names.filter((name) => name !== '') : undefined);
    });
  });
}

function batches(files: readonly string[]): readonly (readonly string[])[] {
  const all: string[][] = [];
  let room = 0;
  for (const file of files) {
    const last = all.at(-1);
    if (last === undefined || room < file.length + 1) {
      all.push([file]);
      room = batchChars - file.length;
    } else {
      last.push(file);
      room -= file.length + 1;
    }
  }
  return all;
}
