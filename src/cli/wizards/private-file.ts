import { mkdir, open, readFile, readlink, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { randomBytes } from 'node:crypto';

/** The text of a file; empty when there is none. Rejects for one that is there and cannot be read. */
export async function textOrNothing(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return '';
    }
    throw error;
  }
}

/** The same with the way back to bytes: what is not UTF-8 is read one character for each byte, so that none is lost. */
export async function exactTextOrNothing(
  file: string,
): Promise<{ readonly text: string; readonly encoding: BufferEncoding }> {
  try {
    const bytes = await readFile(file);
    const text = bytes.toString('utf8');
    return Buffer.from(text, 'utf8').equals(bytes)
      ? { text, encoding: 'utf8' }
      : { text: bytes.toString('latin1'), encoding: 'latin1' };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return { text: '', encoding: 'utf8' };
    }
    throw error;
  }
}

export interface FileModes {
  readonly file: number;
  /** Of folders that are made on the way. */
  readonly folder: number;
}

/** Nobody else can read it. */
export const privateModes: FileModes = { file: 0o600, folder: 0o700 };

/** Like any other file of the user. */
export const usualModes: FileModes = { file: 0o666, folder: 0o777 };

/**
 * Writes the file whole: whoever reads it sees the old text or the new one, and a failure leaves the old one. A link is
 * followed, so that it stays a link, also one to a file that is still to be made.
 */
export async function writeWhole(
  file: string,
  content: string | Uint8Array,
  modes: FileModes,
): Promise<void> {
  const target = await realpath(file).catch(() => linkTarget(file));
  await mkdir(dirname(target), { recursive: true, mode: modes.folder });
  const partial = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}`);
  try {
    const handle = await open(partial, 'wx', modes.file);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Writes a file that must not be there yet; answers `false` when it is. */
export async function writeNew(file: string, text: string, modes: FileModes): Promise<boolean> {
  await mkdir(dirname(file), { recursive: true, mode: modes.folder });
  try {
    await writeFile(file, text, { flag: 'wx', mode: modes.file });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

async function linkTarget(file: string): Promise<string> {
  try {
    return resolve(dirname(file), await readlink(file));
  } catch {
    return file;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
