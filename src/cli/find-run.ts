import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { App } from '../app/app-contract';
import type { CommonOptions } from './invocation';
import { UsageError } from './failure';
import { storageDirOf, withApp } from './open-app';
import type { World } from './world';

/** A run as it was named on the command line, with the product over the folder that holds it. */
export interface FoundRun {
  readonly app: App;
  readonly runId: string;
}

/**
 * Finds a run by its id, the beginning of one, `latest`, or the path of its folder or log, and gives it to `use`. Throws
 * `UsageError` when there is none, or more than one.
 */
export async function withRun<T>(
  written: string,
  { options, world }: { readonly options: CommonOptions; readonly world: World },
  use: (found: FoundRun) => Promise<T>,
): Promise<T> {
  const place = await placeOf(resolve(world.cwd, written));
  const storageDir = place?.storageDir ?? storageDirOf(options, world);
  return withApp({ storageDir, debug: options.debug }, world, async (app) => {
    const runId = place?.runId ?? (await runIdOf(written, app, storageDir));
    return use({ app, runId });
  });
}

interface Place {
  readonly storageDir: string;
  readonly runId: string;
}

/** A path is one of `STORAGE/runs/RUN` and the log in it. */
async function placeOf(path: string): Promise<Place | undefined> {
  const kind = await kindOf(path);
  if (kind === 'none') {
    return undefined;
  }
  const folder = kind === 'file' ? dirname(path) : path;
  const runs = dirname(folder);
  const hasLog = (await kindOf(resolve(folder, 'run.jsonl'))) === 'file';
  if (!hasLog || basename(runs) !== 'runs') {
    const hint = 'A run is a folder in `runs` of where runs are kept, with run.jsonl in it.';
    throw new UsageError(`${path} is not a stored run.`, hint);
  }
  return { storageDir: dirname(runs), runId: basename(folder) };
}

async function kindOf(path: string): Promise<'file' | 'folder' | 'none'> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? 'none' : found.isDirectory() ? 'folder' : 'file';
}

async function runIdOf(written: string, app: App, storageDir: string): Promise<string> {
  const sessions = await app.listSessions();
  const runs = [...(await app.listRuns()), ...sessions.flatMap((session) => session.runs)];
  const ids = [...new Set(runs.map(({ runId }) => runId))];
  const newest = ids[0];
  if (newest === undefined) {
    throw new UsageError(`There are no runs in ${storageDir}.`, 'Is it kept elsewhere? --storage');
  }
  if (written === 'latest') {
    return newest;
  }
  const fitting = ids.includes(written) ? [written] : ids.filter((id) => id.startsWith(written));
  const [found, second] = fitting;
  if (found === undefined) {
    throw new UsageError(
      `There is no run ${written} in ${storageDir}.`,
      'massgen runs lists them.',
    );
  }
  if (second !== undefined) {
    throw new UsageError(
      `${written} is the beginning of ${fitting.length} runs: ${fitting.slice(0, 3).join(', ')}.`,
      'Write more of the id.',
    );
  }
  return found;
}
