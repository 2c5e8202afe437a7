// Files in which programs keep how somebody is signed in.
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonOf, secretsIn } from './sign-in-secrets';

/** Such a file is not longer, bytes. */
const longest = 1024 * 1024;

/** So many files of one folder are looked at. */
const mostFiles = 64;

/** Text of a file that holds an object as JSON; `undefined` for every other file, and when there is none. */
export async function readSignIn(path: string): Promise<string | undefined> {
  const text = await readText(path);
  return text === undefined || jsonOf(text) === undefined ? undefined : text;
}

/** Text of a file; `undefined` when there is none, or one that is too long to be a sign-in. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    const found = await lstat(real);
    return found.isFile() && found.size <= longest ? await readFile(real, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a text can still sign somebody in who was signed in by the one before. */
export function canReplace(text: string, before: string): boolean {
  const [now, then] = [jsonOf(text), jsonOf(before)];
  if (then !== undefined) {
    return now !== undefined && Object.keys(then).every((name) => name in now);
  }
  return secretsIn(before).length === 0 ? text.trim() !== '' : secretsIn(text).length > 0;
}

/** The files themselves, and those that lie directly in folders. */
export async function filesAt(paths: readonly string[]): Promise<readonly string[]> {
  const found = paths.map(async (path) => {
    const names = await readdir(path).catch(() => undefined);
    return names === undefined ? [path] : names.slice(0, mostFiles).map((name) => join(path, name));
  });
  return (await Promise.all(found)).flat();
}

/** Keeps what is secret in these files out of everything that is written. */
export class ConcealedSignIns {
  readonly #paths: readonly string[];
  readonly #conceal: (secret: string) => void;
  readonly #seen = new Map<string, string>();

  /** Files, and folders for the files directly in them. */
  constructor(paths: readonly string[], conceal: (secret: string) => void) {
    this.#paths = paths;
    this.#conceal = conceal;
  }

  /** Tells what is secret in files that have changed since the last look. Never rejects. */
  async look(): Promise<void> {
    await Promise.all((await filesAt(this.#paths)).map(async (path) => this.#lookAt(path)));
  }

  async #lookAt(path: string): Promise<void> {
    const found = await stat(path, { bigint: true }).catch(() => undefined);
    const state = found === undefined ? '' : `${found.ino} ${found.size} ${found.ctimeNs}`;
    if (found === undefined || this.#seen.get(path) === state) {
      return;
    }
    const text = await readText(path);
    secretsIn(text ?? '').forEach((secret) => this.#conceal(secret));
    this.#seen.set(path, state);
  }
}
