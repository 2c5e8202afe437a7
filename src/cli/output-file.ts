import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { RunState } from '../run/state';
import { failureOf, UsageError } from './failure';
import type { Terminal } from './terminal';

/** The absolute path that a final answer shall go to. Throws `UsageError` while nothing has been sent yet. */
export function outputPath(written: string | undefined, cwd: string): string | undefined {
  if (written === undefined) {
    return undefined;
  }
  const path = resolve(cwd, written);
  if (statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`There is no folder ${dirname(path)} for --output-file.`);
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new UsageError(`--output-file needs a file; ${path} is a folder.`);
  }
  return path;
}

export type Written = { readonly path: string } | { readonly problem: string } | undefined;

/** Replaces the file as a whole; without an answer it stays as it was. */
export function writeAnswer({ finalAnswer }: RunState, path: string | undefined): Written {
  if (path === undefined || finalAnswer === null) {
    return undefined;
  }
  const partial = `${path}.${process.pid}.partial`;
  try {
    writeFileSync(partial, finalAnswer.text);
    renameSync(partial, path);
    return { path };
  } catch (error) {
    rmSync(partial, { force: true });
    return { problem: `The answer was not written to ${path}: ${failureOf(error).message}` };
  }
}

export function tellProblem(written: Written, notes: Terminal): boolean {
  if (written !== undefined && 'problem' in written) {
    notes.write(`${written.problem}\n`);
    return true;
  }
  return false;
}
