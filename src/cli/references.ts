// `@path` and `@path:w` in a task: files and folders that the agents may see.
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { nearest } from '../base/text';
import { UsageError } from './failure';
import { expandHome } from './find-file';

export interface Reference {
  /** Absolute. */
  readonly path: string;
  readonly permission: 'read' | 'write';
}

export interface ReadTask {
  /** For people and agents: paths as they were written, without the signs around them. */
  readonly task: string;
  readonly references: readonly Reference[];
}

interface Bases {
  /** Where relative paths are looked for, the first that has them counts. */
  readonly folders: readonly string[];
  readonly home: string;
}

/** Not after a letter or digit, where it is an address such as `ann@example.org`. */
const written = /(?<![\p{L}\p{N}_.%+@/-])(\\?)@("[^"\n]+"|[^\s"'`<>|*?]+)(:w(?![\p{L}\p{N}]))?/gu;

/** Signs of the sentence around a path, not of the path. */
const trailing = /(?::w)?[.,;:!?)\]}]*$/;

/**
 * Finds the paths that a task names. `\@` stays an ordinary sign; `@examples/…` names a team, not a path. Throws
 * `UsageError` with every path that is not there.
 */
export async function readReferences(text: string, bases: Bases): Promise<ReadTask> {
  const references = new Map<string, Reference>();
  const missing: string[] = [];
  const parts: string[] = [];
  let end = 0;
  for (const match of text.matchAll(written)) {
    const [whole, escape = '', token = ''] = match;
    const word = whole.slice(1);
    const isPath = escape === '' && !token.startsWith('examples/');
    const found = isPath ? await find(word, bases) : undefined;
    if (found !== undefined) {
      keep(references, found);
    } else if (isPath) {
      missing.push(await missingLine(word, bases));
    }
    parts.push(text.slice(end, match.index), textOf(found) ?? (escape === '' ? whole : word));
    end = match.index + whole.length;
  }
  if (missing.length > 0) {
    throw new UsageError(
      missing.join('\n'),
      'Write \\@ for a word that begins with @, or add --no-parse-at-references.',
    );
  }
  return { task: [...parts, text.slice(end)].join(''), references: [...references.values()] };
}

function keep(references: Map<string, Reference>, { path, permission }: Reference): void {
  const known = references.get(path)?.permission;
  references.set(path, { path, permission: known === 'write' ? known : permission });
}

function textOf(found: Found | undefined): string | undefined {
  return found === undefined ? undefined : `${found.shown}${found.rest}`;
}

interface Found extends Reference {
  /** As it stands in the task afterwards. */
  readonly shown: string;
  /** What of the word belongs to the sentence. */
  readonly rest: string;
}

/** A path may end in a point or bracket itself, so the whole word is tried first. */
async function find(word: string, bases: Bases): Promise<Found | undefined> {
  for (const { name, permission, rest } of readings(word)) {
    const path = await existing(name, bases);
    if (path !== undefined) {
      return { path, permission, shown: name, rest };
    }
  }
  return undefined;
}

interface Reading {
  readonly name: string;
  readonly permission: 'read' | 'write';
  readonly rest: string;
}

function readings(word: string): readonly Reading[] {
  const quoted = /^"([^"]+)"(:w)?(.*)$/su.exec(word);
  if (quoted !== null) {
    const [, name = '', write, rest = ''] = quoted;
    return [{ name, permission: write === undefined ? 'read' : 'write', rest }];
  }
  const tail = trailing.exec(word)?.[0] ?? '';
  const name = word.slice(0, word.length - tail.length);
  const isWritten = tail.startsWith(':w');
  return [
    { name: word, permission: 'read', rest: '' },
    {
      name,
      permission: isWritten ? 'write' : 'read',
      rest: isWritten ? tail.slice(':w'.length) : tail,
    },
  ];
}

async function existing(name: string, { folders, home }: Bases): Promise<string | undefined> {
  for (const folder of folders) {
    const path = resolve(folder, expandHome(name, home));
    if ((await stat(path).catch(() => undefined)) !== undefined) {
      return path;
    }
  }
  return undefined;
}

async function missingLine(word: string, bases: Bases): Promise<string> {
  const name = readings(word).at(-1)?.name ?? word;
  const near = await similar(name, bases);
  const question = near === undefined ? '' : ` Did you mean @${near}?`;
  return `There is no file or folder ${name}, which the task names as @${name}.${question}`;
}

async function similar(name: string, { folders, home }: Bases): Promise<string | undefined> {
  for (const folder of folders) {
    const path = resolve(folder, expandHome(name, home));
    const others = await readdir(dirname(path)).catch(() => []);
    const near = nearest(basename(path), others);
    if (near !== undefined) {
      const before = name.slice(0, name.length - basename(name).length);
      return `${before}${near}`;
    }
  }
  return undefined;
}
