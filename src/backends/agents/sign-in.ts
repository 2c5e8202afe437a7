// Files in which programs keep how somebody is signed in.
import { lstat, readFile, realpath } from 'node:fs/promises';
import { asObject } from '../wire/json-reading';

/** Such a file is not longer, bytes. */
const longest = 1024 * 1024;

/** Text of a file that holds an object as JSON; `undefined` for every other file, and when there is none. */
export async function readSignIn(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    const found = await lstat(real);
    const text = found.isFile() && found.size <= longest ? await readFile(real, 'utf8') : '';
    return signInOf(text) === undefined ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Whether one text has everything on its first level that another one has. */
export function holdsAllOf(text: string, before: string): boolean {
  const [now, then] = [signInOf(text), signInOf(before)];
  return now !== undefined && Object.keys(then ?? {}).every((name) => name in now);
}

/** Tells what is secret in these files, for it to be kept out of everything that is written. */
export async function concealSignIns(
  paths: readonly string[],
  conceal: (secret: string) => void,
): Promise<void> {
  for (const path of paths) {
    const text = await readSignIn(path);
    secretsIn(text === undefined ? undefined : signInOf(text), '').forEach((each) => conceal(each));
  }
}

const secretName = /token|key|secret|password/i;

/** Shorter ones are kinds and names, such as `Bearer`. */
const shortestSecret = 16;

function secretsIn(value: unknown, name: string): readonly string[] {
  if (typeof value === 'string') {
    return secretName.test(name) && value.length >= shortestSecret ? [value] : [];
  }
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown) => secretsIn(each, name));
  }
  return Object.entries(asObject(value) ?? {}).flatMap(([key, each]) =>
    // What lies in `tokens` may have any name.
    secretsIn(each, secretName.test(name) ? name : key),
  );
}

function signInOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}
