// Files that the user has protected against writing: they are changed only after a second word.
import { chmod, lstat } from 'node:fs/promises';
import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { RunHandle } from '../../app/app-contract';
import type { ReviewResult } from '../../core/ports/review';
import { livePathOf } from './review-targets';

interface ReadOnlyFile {
  readonly result: ReviewResult;
  readonly livePath: string;
  readonly mode: number;
}

/** The failed ones among the results whose file nobody may write. */
export async function readOnlyAmong(
  run: RunHandle,
  results: readonly ReviewResult[],
): Promise<readonly ReadOnlyFile[]> {
  const found: ReadOnlyFile[] = [];
  for (const result of results.filter(({ outcome }) => outcome === 'failed')) {
    const livePath = livePathOf(run, result);
    const stat = livePath === undefined ? undefined : await lstat(livePath).catch(() => undefined);
    if (livePath !== undefined && stat?.isFile() === true && (stat.mode & 0o200) === 0) {
      found.push({ result, livePath, mode: stat.mode & 0o777 });
    }
  }
  return found;
}

/** Asks, and takes the protection away from exactly these files; `false` when the user does not want that. */
export async function makeWritable(files: readonly ReadOnlyFile[]): Promise<boolean> {
  const [first] = files;
  if (first === undefined) {
    return false;
  }
  const text =
    files.length === 1
      ? vscode.l10n.t('{0} is read-only, so it was not changed.', posix.basename(first.result.path))
      : vscode.l10n.t('{0} files are read-only, so they were not changed.', files.length);
  const make = vscode.l10n.t('Make Writable and Accept');
  if ((await vscode.window.showWarningMessage(text, make)) !== make) {
    return false;
  }
  for (const { livePath, mode } of files) {
    await chmod(livePath, mode | 0o200);
  }
  return true;
}
