// What tools of servers were like when they were last used, so that a server cannot turn them into something else unseen.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { canonicalJson } from '../../base/canonical-json';
import type { ToolServerConfig } from '../../core/ports/backend-kind';
import type { Listed } from './list';
import { membersOf } from './schema-parts';

const mostEntries = 500;

export interface ToolMemory {
  /**
   * Names of tools whose form is new for an entry that has been used before. Tools of an entry that is used for the first
   * time are remembered and none of them is new: whoever allowed the entry allowed them. Never rejects.
   */
  compare(entry: string, hashes: ReadonlyMap<string, string>): Promise<readonly string[]>;
  /** From now on this is what the tool is like. Never rejects. */
  accept(entry: string, tool: string, hash: string): Promise<void>;
}

/** Of everything that decides what is started or reached, names of variables included. */
export function entryHash({ name, transport, hosts, isLocalAllowed }: ToolServerConfig): string {
  return hashOf({ name, transport, hosts: hosts ?? null, isLocalAllowed: isLocalAllowed === true });
}

/** Of all that a model is told about a tool. */
export function toolHash({ name, description, inputSchema }: Listed): string {
  return hashOf({ name, description, inputSchema: inputSchema ?? null });
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

type Known = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** In one file for all runs; a file that cannot be read or written means that nothing is remembered. */
export function fileToolMemory(file: string): ToolMemory {
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const next = turn.then(work);
    turn = next.catch(() => undefined);
    return next;
  };
  return {
    compare: async (entry, hashes) =>
      inTurn(async () => {
        const known = await read(file);
        const before = known.get(entry);
        if (before === undefined) {
          await write(file, known, [entry, hashes]);
          return [];
        }
        return [...hashes].flatMap(([name, hash]) => (before.get(name) === hash ? [] : [name]));
      }),
    accept: async (entry, tool, hash) =>
      inTurn(async () => {
        const known = await read(file);
        await write(file, known, [entry, new Map([...(known.get(entry) ?? []), [tool, hash]])]);
      }),
  };
}

async function read(file: string): Promise<Known> {
  try {
    const parsed: unknown = JSON.parse(await readFile(file, 'utf8'));
    return new Map(
      Object.entries(membersOf(parsed) ?? {}).map(([entry, tools]) => [
        entry,
        new Map(
          Object.entries(membersOf(tools) ?? {}).flatMap(([name, hash]) =>
            typeof hash === 'string' ? [[name, hash] as const] : [],
          ),
        ),
      ]),
    );
  } catch {
    return new Map();
  }
}

/** The entry that was used last comes last; the oldest ones are forgotten. */
async function write(
  file: string,
  known: Known,
  [entry, tools]: readonly [string, ReadonlyMap<string, string>],
): Promise<void> {
  const others = [...known].filter(([name]) => name !== entry);
  const kept = [...others, [entry, tools] as const].slice(-mostEntries);
  const text = JSON.stringify(
    Object.fromEntries(kept.map(([name, hashes]) => [name, Object.fromEntries(hashes)])),
  );
  const fresh = `${file}.${randomUUID()}`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(fresh, text, { mode: 0o600, flag: 'wx' });
    await rename(fresh, file);
  } catch {
    // Without it the next run knows nothing of this one, and asks about nothing.
  }
}
