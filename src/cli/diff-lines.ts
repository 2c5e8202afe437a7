import { structuredPatch } from 'diff';
import type { ReviewFile } from '../run/state';
import { revealHidden } from '../run/selectors/visible-text';

export interface DiffLine {
  readonly kind: 'head' | 'hunk' | 'added' | 'removed' | 'same' | 'note';
  readonly text: string;
}

export interface DiffSides {
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
  /** As it is shown; the path inside the root when absent. */
  readonly path?: string;
}

/** One file of a proposal as a unified diff; what is not text is described instead. */
export function diffLines(
  file: ReviewFile,
  { before, after, path = file.path }: DiffSides,
): readonly DiffLine[] {
  const from = before === undefined ? '/dev/null' : `a/${path}`;
  const to = after === undefined ? '/dev/null' : `b/${path}`;
  const head: readonly DiffLine[] = [
    { kind: 'head', text: revealHidden(`--- ${from}`) },
    { kind: 'head', text: revealHidden(`+++ ${to}`) },
  ];
  const [old, proposed] = [textOf(before), textOf(after)];
  if (file.isBinary || old === undefined || proposed === undefined) {
    const text = `(not text: ${before?.length ?? 0} bytes before, ${after?.length ?? 0} bytes after)`;
    return [...head, { kind: 'note', text }];
  }
  const hunks = structuredPatch(from, to, old, proposed, '', '', { context: 3 }).hunks;
  if (hunks.length === 0) {
    return [...head, { kind: 'note', text: `(${notes[file.kind]})` }];
  }
  const showsReturns = old.includes('\r\n') !== proposed.includes('\r\n');
  return [...head, ...hunks.flatMap((hunk) => hunkLines(hunk, showsReturns))];
}

const notes: Readonly<Record<ReviewFile['kind'], string>> = {
  add: 'a new, empty file',
  modify: 'the same text',
  delete: 'an empty file is removed',
  rename: 'moved, with the same text',
  mode: 'only the permissions change',
  link: 'a symbolic link',
  folder: 'an empty folder',
};

type Hunk = ReturnType<typeof structuredPatch>['hunks'][number];

/** An empty side counts from the line before it. Carriage returns are shown only where they are part of the change. */
function hunkLines(hunk: Hunk, showsReturns: boolean): readonly DiffLine[] {
  const range = (start: number, lines: number): string =>
    lines === 1 ? `${start}` : `${lines === 0 ? start - 1 : start},${lines}`;
  const place = `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`;
  const lines = hunk.lines.map((line): DiffLine => {
    const kind = kinds[line.charAt(0)] ?? 'note';
    return { kind, text: revealHidden(showsReturns ? line : line.replace(/\r$/, '')) };
  });
  return [{ kind: 'hunk', text: place }, ...lines];
}

const kinds: Readonly<Record<string, DiffLine['kind']>> = {
  '+': 'added',
  '-': 'removed',
  ' ': 'same',
  '\\': 'note',
};

/** `undefined` for bytes that are no UTF-8; the text of a file that does not exist is empty. */
function textOf(bytes: Uint8Array | undefined): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes ?? new Uint8Array());
  } catch {
    return undefined;
  }
}
