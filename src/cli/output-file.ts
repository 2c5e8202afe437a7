import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { RunState } from '../run/state';
import { failureOf, UsageError } from './failure';
import type { Terminal } from './terminal';

/** Writing there again would cut off or mix up what has been printed. */
const streams = /^\/(?:dev\/(?:stdout|stderr|fd\/)|proc\/)/;

/** The absolute path that a final answer shall go to. Throws `UsageError` while nothing has been sent yet. */
export function outputPath(written: string | undefined, cwd: string): string | undefined {
  if (written === undefined) {
    return undefined;
  }
  const path = resolve(cwd, written);
  const folder = dirname(path);
  if (statOf(folder)?.isDirectory() !== true) {
    throw new UsageError(`There is no folder ${folder} for --output-file.`);
  }
  const found = statOf(path);
  if (found?.isDirectory() === true) {
    throw new UsageError(`--output-file needs a file; ${path} is a folder.`);
  }
  if (streams.test(path)) {
    throw new UsageError(`--output-file needs a file; ${path} is a stream.`);
  }
  if (!canWrite(isPlain(found) ? dirname(targetOf(path)) : path)) {
    throw new UsageError(`Nothing can be written to ${path} for --output-file.`);
  }
  return path;
}

/** A file that is there or can be made; a device or a pipe is never replaced by one. */
function isPlain(found: Stats | undefined): boolean {
  return found === undefined || found.isFile();
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A part of the path is no folder, or links go round in a circle.
    return undefined;
  }
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A link stays a link. */
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

export type Written = { readonly path: string } | { readonly problem: string } | undefined;

/** Replaces the file as a whole and keeps its permissions; without an answer it stays as it was. */
export function writeAnswer({ finalAnswer }: RunState, path: string | undefined): Written {
  if (path === undefined || finalAnswer === null) {
    return undefined;
  }
  try {
    const found = statOf(path);
    if (isPlain(found)) {
      replace(targetOf(path), finalAnswer.text, found?.mode);
    } else {
      writeFileSync(path, finalAnswer.text);
    }
    return { path };
  } catch (error) {
    return { problem: `The answer was not written to ${path}: ${failureOf(error).message}` };
  }
}

/** Nobody can know the name of the unfinished file and have something there already. */
function replace(path: string, text: string, mode: number | undefined): void {
  const partial = `${path}.${randomBytes(6).toString('hex')}.partial`;
  try {
    writeFileSync(partial, text, { flag: 'wx' });
    if (mode !== undefined) {
      chmodSync(partial, mode & 0o777);
    }
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

export function tellProblem(written: Written, notes: Terminal): boolean {
  if (written !== undefined && 'problem' in written) {
    notes.write(`${written.problem}\n`);
    return true;
  }
  return false;
}
