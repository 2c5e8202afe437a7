import { diffArrays } from 'diff';

/** Longer files are whole files for a review: as lines they would take many times their size in memory. */
const longestText = 8 * 1024 * 1024;

/**
 * The text of a file, `undefined` when it is binary, not UTF-8 or too long to be taken apart. A byte order mark stays in the text, so encoding it
 * again gives the same bytes.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.length > longestText || bytes.subarray(0, 8192).includes(0)) {
    return undefined;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Lines with their own ends (LF, CRLF or a lone CR); joined they give the text again. Empty for an empty text. */
export function splitLines(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
}

/** A run of lines of `from` (`start` to `end`, exclusive, 0-based) replaced by `lines`. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** Edits that lead from one list of lines to the other, in order, with at least one common line between two of them. */
export function diffLineLists(from: readonly string[], to: readonly string[]): LineEdit[] {
  const prefix = commonPrefix(from, to);
  const suffix = commonSuffix(from, to, prefix);
  const middleFrom = from.slice(prefix, from.length - suffix);
  const middleTo = to.slice(prefix, to.length - suffix);
  if (middleFrom.length === 0 && middleTo.length === 0) {
    return [];
  }
  // Beyond this many differences a finer comparison costs more than it tells.
  const changes = diffArrays(middleFrom, middleTo, { maxEditLength: 2000 });
  if (changes === undefined) {
    return [{ start: prefix, end: from.length - suffix, lines: middleTo }];
  }
  return toEdits(changes, prefix);
}

/** Lines added and removed between two versions of a file; 0 for what is not text. */
export function countLines(
  from: Uint8Array | undefined,
  to: Uint8Array | undefined,
): { readonly added: number; readonly removed: number; readonly isBinary: boolean } {
  const before = decodeText(from ?? new Uint8Array());
  const after = decodeText(to ?? new Uint8Array());
  if (before === undefined || after === undefined) {
    return { added: 0, removed: 0, isBinary: true };
  }
  const edits = diffLineLists(splitLines(before), splitLines(after));
  return {
    added: edits.reduce((sum, edit) => sum + edit.lines.length, 0),
    removed: edits.reduce((sum, edit) => sum + edit.end - edit.start, 0),
    isBinary: false,
  };
}

function commonPrefix(a: readonly string[], b: readonly string[]): number {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) {
    n++;
  }
  return n;
}

function commonSuffix(a: readonly string[], b: readonly string[], prefix: number): number {
  const limit = Math.min(a.length, b.length) - prefix;
  let n = 0;
  while (n < limit && a[a.length - 1 - n] === b[b.length - 1 - n]) {
    n++;
  }
  return n;
}

function toEdits(
  changes: readonly {
    readonly added: boolean;
    readonly removed: boolean;
    readonly value: string[];
  }[],
  offset: number,
): LineEdit[] {
  const edits: LineEdit[] = [];
  let position = offset;
  let open: { start: number; end: number; lines: string[] } | undefined;
  for (const change of changes) {
    if (!change.added && !change.removed) {
      if (open !== undefined) {
        edits.push(open);
        open = undefined;
      }
      position += change.value.length;
      continue;
    }
    open ??= { start: position, end: position, lines: [] };
    if (change.removed) {
      position += change.value.length;
      open.end = position;
    } else {
      open.lines = open.lines.concat(change.value);
    }
  }
  if (open !== undefined) {
    edits.push(open);
  }
  return edits;
}
