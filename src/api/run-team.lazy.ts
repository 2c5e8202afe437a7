import { isAbsolute, relative, resolve } from 'node:path';
import { writeFile } from 'node:fs/promises';
import type { App, RunHandle, StartRunRequest } from '../app/app-contract';
import { onAbort } from '../base/abort';
import { applyChanges, changeSet, patchOf } from './change-set';
import { answerQuestions } from './commands';
import {
  type AppliedFile,
  type BuiltConfig,
  type ChangeSet,
  RunError,
  type RunOptions,
  type RunResult,
  type TeamOptions,
} from './contract';
import type { RunEvent } from './event-contract';
import { EventTeller } from './public-events';
import { requestOfOptions, requireFolder } from './request-of-options';
import { toRunError } from './run-error';
import { runResult } from './run-result';
import { type Surroundings, surroundingsOf, withApp } from './surroundings';
import { builtConfig } from './checked-team';
import { teamOfOptions } from './team-of-options';

export interface Call {
  readonly task: string;
  readonly options: RunOptions;
  /** Folder of the installed product: holds `media/` and `configs/`. */
  readonly installDir: string;
  readonly tell: (events: readonly RunEvent[]) => void;
}

/** Plays one run from its options to its result. Throws `RunError`. */
export async function runTeam(call: Call, signal: AbortSignal): Promise<RunResult> {
  const around = await surroundingsOf(call.options, call.installDir, signal);
  try {
    return await withApp(around.parts, async (app) => play(app, call, around, signal));
  } finally {
    await around.cleanUp();
  }
}

export async function buildTeam(options: TeamOptions, installDir: string): Promise<BuiltConfig> {
  const { signal } = new AbortController();
  const around = await surroundingsOf({ enableLogging: false }, installDir, signal);
  try {
    return await withApp(around.parts, async (app) => builtConfig(app, options, signal));
  } catch (error) {
    throw toRunError(error, undefined);
  } finally {
    await around.cleanUp();
  }
}

async function play(
  app: App,
  { task, options, tell }: Call,
  around: Surroundings,
  signal: AbortSignal,
): Promise<RunResult> {
  const { world, notes, parts } = around;
  await requireFolder(world.cwd);
  const { config, warnings } = await teamOfOptions(options, { app, world, notes }, signal);
  const place = { app, task, config, cwd: world.cwd };
  const request = await requestOfOptions(options, place, signal);
  refuseStorageInside(parts.storageDir, request);
  const teller = new EventTeller();
  const onEvents: StartRunRequest['onEvents'] = (events, state) => tell(teller.tell(events, state));
  const handle = await app.startRun({ ...request, onEvents }, signal);
  await follow(handle, options, signal);
  // A stop ends the run; what follows only reads, or writes what was asked for.
  const rest = new AbortController().signal;
  const patch = await patchOf(handle, rest);
  const isApplied = options.apply === true && handle.state().outcome !== 'cancelled';
  const applied = isApplied ? await applyChanges(handle, undefined, rest) : [];
  await writeAnswer(handle, options.outputFile, world.cwd);
  const apply = laterApply(around, handle.runId, options);
  return runResult(handle, {
    changes: changeSet(handle, { patch, applied, apply }),
    warnings,
    logDirectory: options.enableLogging === false ? null : handle.artifactsDir,
  });
}

async function follow(
  handle: RunHandle,
  { commandPolicy }: RunOptions,
  signal: AbortSignal,
): Promise<void> {
  const answering = answerQuestions(handle, commandPolicy);
  const stopping = onAbort(signal, () => handle.stop());
  try {
    await handle.ended;
  } finally {
    stopping.dispose();
    answering.dispose();
  }
}

/** The run is opened again for it: nothing of a run stays open for a call that may never come. */
function laterApply(
  { parts }: Surroundings,
  runId: string,
  { enableLogging }: RunOptions,
): ChangeSet['apply'] {
  return async (files, signal = new AbortController().signal): Promise<readonly AppliedFile[]> => {
    if (enableLogging === false) {
      throw new RunError({
        code: 'config/invalid',
        message: 'Nothing of this run was kept, so its changes cannot be applied any more.',
        hint: 'Run with apply: true, or without enableLogging: false; or take the patch.',
      });
    }
    try {
      return await withApp(parts, async (app) =>
        applyChanges(await app.openRun(runId), files, signal),
      );
    } catch (error) {
      throw toRunError(error, signal);
    }
  };
}

async function writeAnswer(
  handle: RunHandle,
  file: string | undefined,
  cwd: string,
): Promise<void> {
  const text = handle.state().finalAnswer?.text;
  if (file !== undefined && text !== undefined) {
    await writeFile(resolve(cwd, file), text.endsWith('\n') ? text : `${text}\n`);
  }
}

/** Logs and snapshots of a run must not become part of what the run looks at. */
function refuseStorageInside(storageDir: string, { folders }: StartRunRequest): void {
  for (const { path } of folders) {
    const inner = relative(path, storageDir);
    if (!inner.startsWith('..') && !isAbsolute(inner)) {
      const message = `Runs cannot be kept inside ${path}, which the agents see.`;
      throw new RunError({ code: 'config/invalid', message, hint: 'Choose another storageDir.' });
    }
  }
}
