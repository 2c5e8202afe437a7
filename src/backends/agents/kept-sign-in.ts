import { randomUUID } from 'node:crypto';
import { realpath, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { canReplace, filesAt, readText } from './sign-in';

/** A file of the user that a program can write, as it was before. */
export class KeptSignIn {
  readonly #path: string;
  readonly #before: string;

  private constructor(path: string, before: string) {
    this.#path = path;
    this.#before = before;
  }

  /** Of files, and of those directly in folders; those that are not there, or are far too long for a sign-in, are left out. */
  static async at(paths: readonly string[]): Promise<readonly KeptSignIn[]> {
    const kept = (await filesAt(paths)).map(async (path) => {
      const before = await readText(path);
      return before === undefined ? [] : [new KeptSignIn(path, before)];
    });
    return (await Promise.all(kept)).flat();
  }

  /**
   * A program that has spoiled the file has signed the user out everywhere: it is put back. A renewed one stays, and one that
   * is gone: the user has signed out. Never rejects.
   */
  async restore(): Promise<void> {
    const found = await stat(this.#path).catch(() => undefined);
    if (found?.isFile() !== true) {
      return;
    }
    const text = await readText(this.#path);
    if (text === undefined || !canReplace(text, this.#before)) {
      await replaceFile(this.#path, this.#before).catch(() => undefined);
    }
  }
}

/** At once as a whole; a link, as to a folder of settings that is kept under version control, stays one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await putFile(await realpath(path).catch(() => path), text);
}

/** At once as a whole, readable by this user alone; what lies there, a link as well, is replaced. */
export async function putFile(path: string, text: string): Promise<void> {
  // Nobody can know the name beforehand, and put something else in its place.
  const partial = join(dirname(path), `.massgen-${process.pid}-${randomUUID()}.partial`);
  await writeFile(partial, text, { mode: 0o600, flag: 'wx' });
  await rename(partial, path);
}
