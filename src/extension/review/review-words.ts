// How files and parts of a review are named, in rows, titles and for screen readers.
import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { HunkInfo } from '../../run/facts';
import type { ReviewDecision, ReviewFile } from '../../run/state';
import type { FilePart } from './parts';

type Counts = Pick<HunkInfo, 'added' | 'removed'>;

/** `+18 −6`, or the size of what has no lines. */
export function countsOf(file: ReviewFile): string {
  return file.isBinary ? vscode.l10n.t('{0} bytes', file.sizeBytes) : lineCounts(file);
}

export function lineCounts({ added, removed }: Counts): string {
  return `+${String(added)} \u2212${String(removed)}`;
}

/** `lines 12–24` of the file as it was when the run began, or the line that lines are added after. */
export function linesOf(hunk: HunkInfo): string {
  return hunk.baseLines < 2
    ? oneLine(hunk)
    : vscode.l10n.t('lines {0}–{1}', hunk.baseStart + 1, hunk.baseStart + hunk.baseLines);
}

function spokenLines(hunk: HunkInfo): string {
  return hunk.baseLines < 2
    ? oneLine(hunk)
    : vscode.l10n.t('lines {0} to {1}', hunk.baseStart + 1, hunk.baseStart + hunk.baseLines);
}

function oneLine({ baseStart, baseLines }: HunkInfo): string {
  if (baseLines === 1) {
    return vscode.l10n.t('line {0}', baseStart + 1);
  }
  return baseStart === 0
    ? vscode.l10n.t('at the beginning')
    : vscode.l10n.t('after line {0}', baseStart);
}

/** The same as the whole words of a row. */
export function capitalized(text: string): string {
  return text.slice(0, 1).toLocaleUpperCase() + text.slice(1);
}

/** Empty for what is not decided. */
export function decisionInWords(decision: ReviewDecision): string {
  switch (decision) {
    case 'accepted':
      return vscode.l10n.t('Accepted');
    case 'rejected':
      return vscode.l10n.t('Rejected');
    case 'conflict':
      return vscode.l10n.t('Conflict');
    case 'pending':
      return '';
  }
}

/** `duration.ts, lines 12 to 24, 6 added, 2 removed, not decided`. */
export function spokenPart(path: string, part: FilePart, isForeign: boolean): string {
  return joined([
    posix.basename(path),
    spokenLines(part.hunk),
    vscode.l10n.t('{0} added, {1} removed', part.hunk.added, part.hunk.removed),
    isForeign ? vscode.l10n.t('from {0}', part.from) : '',
    spokenDecision(part.decision),
    part.detail,
  ]);
}

export function spokenFile(file: ReviewFile, extra: readonly string[]): string {
  const counts = file.isBinary
    ? vscode.l10n.t('binary, {0} bytes', file.sizeBytes)
    : vscode.l10n.t('{0} added, {1} removed', file.added, file.removed);
  return joined([
    posix.basename(file.path),
    shortKindOf(file),
    counts,
    ...extra,
    spokenDecision(file.decision),
    file.detail ?? '',
  ]);
}

function spokenDecision(decision: ReviewDecision): string {
  return decision === 'pending'
    ? vscode.l10n.t('not decided')
    : decisionInWords(decision).toLowerCase();
}

export function kindOf({ kind, from }: ReviewFile): string {
  switch (kind) {
    case 'add':
      return vscode.l10n.t('New file');
    case 'modify':
      return vscode.l10n.t('Changed file');
    case 'delete':
      return vscode.l10n.t('Deleted file');
    case 'rename':
      return from === undefined
        ? vscode.l10n.t('Moved file')
        : vscode.l10n.t('Moved file, before: {0}', from);
    case 'folder':
      return vscode.l10n.t('Empty folder');
    case 'mode':
      return vscode.l10n.t('Changed permissions');
    case 'link':
      return vscode.l10n.t('Symbolic link');
  }
}

/** A word for what the counts do not tell; empty for a change like any other. */
export function shortKindOf({ kind, isBinary }: ReviewFile): string {
  switch (kind) {
    case 'add':
      return vscode.l10n.t('new');
    case 'delete':
      return vscode.l10n.t('deleted');
    case 'modify':
      return isBinary ? vscode.l10n.t('binary') : '';
    case 'rename':
      return vscode.l10n.t('moved');
    case 'folder':
      return vscode.l10n.t('folder');
    case 'mode':
      return vscode.l10n.t('permissions');
    case 'link':
      return vscode.l10n.t('link');
  }
}

/** Why a text file is decided as a whole; empty when it is not, or needs no word. */
export function wholeFileInWords({ wholeFile }: ReviewFile): string {
  switch (wholeFile) {
    case 'generated':
      return vscode.l10n.t('Written by a tool, so it is decided as a whole.');
    case 'too-large':
      return vscode.l10n.t('Too large for parts, so it is decided as a whole.');
    case 'too-slow':
      return vscode.l10n.t('Too different for parts, so it is decided as a whole.');
    case 'encoding':
      return vscode.l10n.t('Its encoding is not known, so it is decided as a whole.');
    default:
      return '';
  }
}

export function joined(words: readonly string[], separator = ', '): string {
  return words.filter((word) => word !== '').join(separator);
}

/** Text of a model in a place where the editor would draw `$(name)` as an icon. */
export function withoutIcons(text: string): string {
  return text.replace(/\$\(/g, '\\$(');
}
