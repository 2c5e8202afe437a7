import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunId } from '../base/ids';
import { MassGenError } from '../core/errors';

/** Files of one run. The workspace keeps its own files in the same folder. */
export interface RunFolder {
  readonly dir: string;
  /** Header line, then one event per line. */
  readonly log: string;
  readonly lock: string;
  /** What a list of runs shows; may lag behind the log, never contradicts it. */
  readonly summary: string;
  /** State at some place of the log, and where each event begins; both may be missing or wrong. */
  readonly checkpoint: string;
  readonly offsets: string;
  /** Texts that are too long for the log. */
  readonly payloads: string;
}

export function runsDir(storageDir: string): string {
  return join(storageDir, 'runs');
}

/** Throws `storage/failed` when the id could name anything but a folder below `runs/`. */
export function runFolder(storageDir: string, runId: RunId): RunFolder {
  if (!isRunId(runId)) {
    throw new MassGenError('storage/failed', `${JSON.stringify(runId)} is not the id of a run.`);
  }
  const dir = join(runsDir(storageDir), runId);
  return {
    dir,
    log: join(dir, 'run.jsonl'),
    lock: join(dir, 'lock.json'),
    summary: join(dir, 'summary.json'),
    checkpoint: join(dir, 'run.checkpoint'),
    offsets: join(dir, 'run.offsets'),
    payloads: join(dir, 'payloads'),
  };
}

export function isRunId(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name);
}

export function makePrivateFolder(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
}
