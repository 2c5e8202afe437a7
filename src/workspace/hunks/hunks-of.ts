import { createHash } from 'node:crypto';
import type { HunkInfo, WholeFileReason } from '../../run/facts';
import type { LineEdit } from '../text-lines';
import { findLineEdits, splitLines, withoutLineEnd } from '../text-lines';
import type { ByteCodec, ByteText } from './byte-text';
import { readableText, toByteText } from './byte-text';
import { isGeneratedFile, mostBytes, mostChangedLines, mostLines } from './whole-file';

export type HunksOfFile =
  | { readonly hunks: readonly HunkInfo[] }
  /** Text that is decided as a whole. */
  | { readonly wholeFile: WholeFileReason };

/** Edits with fewer unchanged lines between them are one part: nobody can decide on them without each other. */
const fewestLinesBetween = 3;
const longestTitle = 80;

/**
 * The parts in which a file differs from its base, told from the bytes alone: equal bytes always give equal parts.
 * `undefined` when one of the two is binary.
 */
export function hunksOf(base: Uint8Array, now: Uint8Array, path: string): HunksOfFile | undefined {
  const [from, to] = [textOrBlank(base, now), textOrBlank(now, base)];
  if (from === undefined || to === undefined) {
    return undefined;
  }
  if (from.codec !== to.codec) {
    return { wholeFile: 'encoding' };
  }
  if (Math.max(base.length, now.length) > mostBytes) {
    return { wholeFile: 'too-large' };
  }
  const [old, next] = [splitLines(from.text), splitLines(to.text)];
  if (Math.max(old.length, next.length) > mostLines) {
    return { wholeFile: 'too-large' };
  }
  if (isGeneratedFile(path, old) || isGeneratedFile(path, next)) {
    return { wholeFile: 'generated' };
  }
  const ends = lineEndsOnly(old, next);
  if (ends !== undefined) {
    return { hunks: [toHunk([ends], { old, next, codec: from.codec }, 0)] };
  }
  const edits = findLineEdits(old, next);
  if (edits === undefined) {
    return { wholeFile: 'too-slow' };
  }
  if (edits.reduce((sum, edit) => sum + changedLines(edit), 0) > mostChangedLines) {
    return { wholeFile: 'generated' };
  }
  return { hunks: toHunks(edits, { old, next, codec: from.codec }) };
}

/** 16 hex digits that say which lines of the base become which others. */
export function hunkId(baseStart: number, old: readonly string[], next: readonly string[]): string {
  const oldText = old.join('');
  return createHash('sha256')
    .update(`${baseStart} ${old.length} ${oldText.length}\n`)
    .update(oldText + next.join(''), 'utf16le')
    .digest('hex')
    .slice(0, 16);
}

interface Sides {
  readonly old: readonly string[];
  readonly next: readonly string[];
  readonly codec: ByteCodec;
}

/** An empty file has the codec of the other one. */
function textOrBlank(bytes: Uint8Array, other: Uint8Array): ByteText | undefined {
  const text = toByteText(bytes);
  return bytes.length > 0 || text === undefined
    ? text
    : { codec: toByteText(other)?.codec ?? 'bytes', text: '' };
}

function toHunks(edits: readonly LineEdit[], sides: Sides): readonly HunkInfo[] {
  const groups: LineEdit[][] = [];
  for (const edit of edits) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (group !== undefined && before !== undefined && isClose(before, edit)) {
      group.push(edit);
    } else {
      groups.push([edit]);
    }
  }
  let shift = 0;
  return groups.map((group) => {
    const hunk = toHunk(group, sides, shift);
    shift += hunk.newLines - hunk.baseLines;
    return hunk;
  });
}

function isClose(before: LineEdit, after: LineEdit): boolean {
  return after.start - before.end < fewestLinesBetween;
}

/** `shift`: how many lines the earlier parts have added. */
function toHunk(group: readonly LineEdit[], sides: Sides, shift: number): HunkInfo {
  const baseStart = group[0]?.start ?? 0;
  const baseEnd = group.at(-1)?.end ?? baseStart;
  const added = group.reduce((sum, { lines }) => sum + lines.length, 0);
  const removed = group.reduce((sum, { start, end }) => sum + end - start, 0);
  const baseLines = baseEnd - baseStart;
  const newStart = baseStart + shift;
  const newLines = baseLines + added - removed;
  const old = sides.old.slice(baseStart, baseEnd);
  const next = sides.next.slice(newStart, newStart + newLines);
  return {
    id: hunkId(baseStart, old, next),
    ...{ baseStart, baseLines, newStart, newLines, added, removed },
    title: titleOf(group, sides),
  };
}

/** The first line with something to read, of the new ones if there are any. */
function titleOf(group: readonly LineEdit[], { old, codec }: Sides): string {
  const added = group.flatMap(({ lines }) => lines);
  const removed = group.flatMap(({ start, end }) => old.slice(start, end));
  for (const line of [...added, ...removed]) {
    const text = readableText({ codec, text: withoutLineEnd(line) })
      .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
      .trim();
    if (text !== '') {
      return Array.from(text).slice(0, longestTitle).join('');
    }
  }
  return '';
}

/** One edit from the first to the last line whose end changed; `undefined` when anything else did. */
function lineEndsOnly(old: readonly string[], next: readonly string[]): LineEdit | undefined {
  if (old.length !== next.length) {
    return undefined;
  }
  let first = -1;
  let last = -1;
  for (const [index, line] of old.entries()) {
    const other = next[index] ?? '';
    if (line === other) {
      continue;
    }
    if (withoutLineEnd(line) !== withoutLineEnd(other)) {
      return undefined;
    }
    first = first < 0 ? index : first;
    last = index;
  }
  return first < 0
    ? undefined
    : { start: first, end: last + 1, lines: next.slice(first, last + 1) };
}

function changedLines({ start, end, lines }: LineEdit): number {
  return end - start + lines.length;
}
