import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { maxChars } from '../config/yaml/refuse-text';
import { MassGenError } from '../core/errors';
import { readRegularFile } from './read-regular-file';

/** A character has at most this many bytes in UTF-8. */
const bytesOfCharacter = 4;

/**
 * The text of a team file (absolute path). Throws `config/invalid` for another kind of file, for one that is too large to
 * be read at all, for one that is not UTF-8, and for one that is not there.
 */
export async function readTeamFile(file: string): Promise<string> {
  const suffix = extname(file);
  if (!/^\.(?:ya?ml|json)$/i.test(suffix)) {
    const kind = suffix === '' ? 'no suffix' : `the suffix ${suffix}`;
    throw refusal(`${file} has ${kind}; a team file ends with .yaml, .yml or .json.`);
  }
  try {
    const found = await stat(file);
    const mostBytes = maxChars * bytesOfCharacter;
    if (found.size > mostBytes) {
      throw refusal(
        `${file} has ${found.size} bytes; a team file has at most ${maxChars} characters.`,
      );
    }
    const bytes = await readRegularFile(file, mostBytes);
    if (bytes === undefined) {
      const what = found.isDirectory() ? 'a folder' : 'no ordinary file';
      throw refusal(`The team file ${file} cannot be read: it is ${what}.`);
    }
    return decoded(bytes, file);
  } catch (error) {
    throw error instanceof MassGenError
      ? error
      : refusal(`The team file ${file} cannot be read: ${reasonOf(error)}.`, error);
  }
}

function decoded(bytes: Uint8Array, file: string): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw refusal(`${file} is written in UTF-16; save it as UTF-8.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw refusal(`${file} is no text in UTF-8; save it as UTF-8.`, error);
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    EACCES: 'you may not read it',
  };
  return (typeof code === 'string' ? reasons[code] : undefined) ?? String(error);
}

function refusal(message: string, cause?: unknown): MassGenError {
  return new MassGenError('config/invalid', message, cause === undefined ? {} : { cause });
}
