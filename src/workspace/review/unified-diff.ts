import { createHash } from 'node:crypto';
import type { LineEdit } from '../text-lines';
import { diffLineLists } from '../text-lines';
import { binaryPatch } from './git-binary';

/** A file or link as git knows it. */
export interface GitBlob {
  readonly bytes: Uint8Array;
  readonly mode: '100644' | '100755' | '120000';
}

export interface FileDiff {
  /** Absent: there was no such file before. */
  readonly before: { readonly path: string; readonly blob: GitBlob } | undefined;
  readonly after: { readonly path: string; readonly blob: GitBlob } | undefined;
}

const contextLines = 3;

/** One file of a patch for git, each character one byte; empty when nothing changes that git keeps. */
export function fileDiff({ before, after }: FileDiff): string {
  if (before === undefined || after === undefined) {
    const path = (before ?? after)?.path ?? '';
    return before === after ? '' : oneFile({ before, after }, path, path);
  }
  const isKindChange = (before.blob.mode === '120000') !== (after.blob.mode === '120000');
  return isKindChange
    ? fileDiff({ before, after: undefined }) + fileDiff({ before: undefined, after })
    : oneFile({ before, after }, before.path, after.path);
}

function oneFile(diff: FileDiff, from: string, to: string): string {
  const { before, after } = diff;
  const [old, now] = [before?.blob.bytes ?? none, after?.blob.bytes ?? none];
  const isSameText = Buffer.compare(old, now) === 0;
  const header = headerLines(diff, from !== to);
  if (isSameText && header.length === 0) {
    return '';
  }
  const isContentTold = !isSameText || before === undefined || after === undefined;
  const start = `diff --git ${quoted(`a/${from}`)} ${quoted(`b/${to}`)}\n`;
  const head = [start, ...header, ...(isContentTold ? [indexLine(diff)] : [])].join('');
  return isSameText ? head : head + content(diff, from, to);
}

const none = new Uint8Array();

function headerLines({ before, after }: FileDiff, isMove: boolean): readonly string[] {
  if (before === undefined) {
    return [`new file mode ${after?.blob.mode ?? '100644'}\n`];
  }
  if (after === undefined) {
    return [`deleted file mode ${before.blob.mode}\n`];
  }
  const modes =
    before.blob.mode === after.blob.mode
      ? []
      : [`old mode ${before.blob.mode}\n`, `new mode ${after.blob.mode}\n`];
  return isMove
    ? [
        ...modes,
        `similarity index ${similarity(before.blob.bytes, after.blob.bytes)}%\n`,
        `rename from ${quoted(before.path)}\n`,
        `rename to ${quoted(after.path)}\n`,
      ]
    : modes;
}

function indexLine({ before, after }: FileDiff): string {
  const isModeKept = before?.blob.mode === after?.blob.mode;
  const mode = isModeKept && after !== undefined ? ` ${after.blob.mode}` : '';
  return `index ${blobId(before?.blob)}..${blobId(after?.blob)}${mode}\n`;
}

function content({ before, after }: FileDiff, from: string, to: string): string {
  const [old, now] = [before?.blob.bytes ?? none, after?.blob.bytes ?? none];
  if (old.includes(0) || now.includes(0)) {
    return binaryPatch(old, now);
  }
  const oldName = before === undefined ? '/dev/null' : named(`a/${from}`);
  const newName = after === undefined ? '/dev/null' : named(`b/${to}`);
  return `--- ${oldName}\n+++ ${newName}\n${hunks(toLines(old), toLines(now))}`;
}

/** Git ends lines at LF only. */
function toLines(bytes: Uint8Array): readonly string[] {
  return (
    Buffer.from(bytes)
      .toString('latin1')
      .match(/[^\n]*\n|[^\n]+$/g) ?? []
  );
}

function hunks(old: readonly string[], now: readonly string[]): string {
  let text = '';
  let shift = 0;
  for (const group of grouped(diffLineLists(old, now))) {
    const first = group[0]?.start ?? 0;
    const last = group.at(-1)?.end ?? first;
    const start = Math.max(0, first - contextLines);
    const end = Math.min(old.length, last + contextLines);
    let body = '';
    let position = start;
    for (const edit of group) {
      body += prefixed(' ', old.slice(position, edit.start));
      body += prefixed('-', old.slice(edit.start, edit.end)) + prefixed('+', edit.lines);
      position = edit.end;
    }
    body += prefixed(' ', old.slice(position, end));
    const added = group.reduce((sum, edit) => sum + edit.lines.length - (edit.end - edit.start), 0);
    text += `@@ -${range(start, end - start)} +${range(start + shift, end - start + added)} @@\n${body}`;
    shift += added;
  }
  return text;
}

function grouped(edits: readonly LineEdit[]): readonly (readonly LineEdit[])[] {
  const groups: LineEdit[][] = [];
  for (const edit of edits) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (
      group !== undefined &&
      before !== undefined &&
      edit.start - before.end <= 2 * contextLines
    ) {
      group.push(edit);
    } else {
      groups.push([edit]);
    }
  }
  return groups;
}

/** Git counts from 1; for no lines it names the line before. */
function range(start: number, length: number): string {
  return `${length === 0 ? start : start + 1},${length}`;
}

function prefixed(sign: string, lines: readonly string[]): string {
  return lines
    .map((line) =>
      line.endsWith('\n') ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`,
    )
    .join('');
}

function blobId(blob: GitBlob | undefined): string {
  return blob === undefined
    ? '0'.repeat(40)
    : createHash('sha1').update(`blob ${blob.bytes.length}\0`).update(blob.bytes).digest('hex');
}

function similarity(old: Uint8Array, now: Uint8Array): number {
  const [from, to] = [toLines(old), toLines(now)];
  const gone = diffLineLists(from, to).flatMap(({ start, end }) => from.slice(start, end));
  const length = (lines: readonly string[]): number =>
    lines.reduce((sum, line) => sum + line.length, 0);
  const kept = old.length - length(gone);
  const most = Math.max(old.length, now.length);
  return most === 0 ? 100 : Math.floor((100 * kept) / most);
}

/** In the form of git for names with a special character: as bytes, in quotes. */
function quoted(path: string): string {
  const bytes = Buffer.from(path).toString('latin1');
  if (!/["\\\u0000-\u001f\u007f-\u00ff]/.test(bytes)) {
    return path;
  }
  const escaped = bytes.replace(/["\\\u0000-\u001f\u007f-\u00ff]/g, (char) =>
    char === '"' || char === '\\'
      ? `\\${char}`
      : `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `"${escaped}"`;
}

/** A tab ends a name with spaces. */
function named(path: string): string {
  const name = quoted(path);
  return name === path && path.includes(' ') ? `${name}\t` : name;
}
