import type { Slot } from '../../base/ids';
import { isMassGenError } from '../errors';
import type { AgentWorkspace } from '../ports/workspace';
import type { MemoryNote } from './prompt/memory';

const mostNotes = 50;
const terms = [
  { term: 'short', folder: 'memory/short_term' },
  { term: 'long', folder: 'memory/long_term' },
] as const;

/** A folder in which an agent leaves its notes, as the reader sees it. */
export interface NotesPlace {
  readonly slot: Slot;
  readonly folder: string;
}

/** The agent's own folder and, in each answer that it is shown, the folder that belonged to the author. */
export function notesPlaces(
  workspace: AgentWorkspace,
  reader: Slot,
  answers: readonly { readonly slot: Slot; readonly folder: string }[],
): readonly NotesPlace[] {
  const own = workspace.roots.find(({ kind }) => kind === 'private')?.shownPath;
  if (own === undefined) {
    return [];
  }
  const name = own.slice(Math.max(own.lastIndexOf('/'), own.lastIndexOf('\\')) + 1);
  return [
    { slot: reader, folder: own },
    ...answers
      .filter(({ slot }) => slot !== reader)
      .map(({ slot, folder }) => ({ slot, folder: `${folder}/${name}` })),
  ];
}

/** Notes in order of places and paths. What cannot be read is left out. */
export async function readNotes(
  workspace: AgentWorkspace,
  places: readonly NotesPlace[],
  signal: AbortSignal,
): Promise<readonly MemoryNote[]> {
  const notes: MemoryNote[] = [];
  for (const { slot, folder } of places) {
    for (const { term, folder: inside } of terms) {
      const read = await notesIn(workspace, `${folder}/${inside}`, signal);
      notes.push(...read.map((note) => ({ slot, term, ...note })));
    }
  }
  return notes;
}

async function notesIn(
  workspace: AgentWorkspace,
  folder: string,
  signal: AbortSignal,
): Promise<readonly Omit<MemoryNote, 'slot' | 'term'>[]> {
  const notes: Omit<MemoryNote, 'slot' | 'term'>[] = [];
  for (const path of await filesIn(workspace, folder, signal)) {
    const text = await textOf(workspace, path, signal);
    if (text !== undefined) {
      notes.push({ path, ...parts(path, text) });
    }
  }
  return notes;
}

async function filesIn(
  workspace: AgentWorkspace,
  folder: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const files = await workspace
    .listFiles(folder, mostNotes, signal)
    .catch((error: unknown) => nothing(error, signal));
  return files?.filter((path) => path.endsWith('.md')) ?? [];
}

async function textOf(
  workspace: AgentWorkspace,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const bytes = await workspace
    .readFile(path, signal)
    .catch((error: unknown) => nothing(error, signal));
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}

function nothing(error: unknown, signal: AbortSignal): undefined {
  signal.throwIfAborted();
  if (!isMassGenError(error)) {
    throw error;
  }
}

/** Name and description stand in front matter; without it the file's name has to do. */
function parts(path: string, text: string): Pick<MemoryNote, 'name' | 'description' | 'text'> {
  const fields = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text);
  const field = (name: string): string =>
    new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(fields?.[1] ?? '')?.[1]?.trim() ?? '';
  const fileName = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const body = fields === null ? text : text.slice(fields[0].length);
  return {
    name: field('name') || fileName.replace(/\.md$/, ''),
    description: field('description'),
    text: body.trim(),
  };
}
