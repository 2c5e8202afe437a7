import { isAbsolute, relative, resolve } from 'node:path';
import type { App, RunHandle } from '../app/app-contract';
import { createApp } from '../app/create-app';
import { createDiskFiles } from '../app/disk-files';
import { onAbort } from '../base/abort';
import type { RunState } from '../run/state';
import type { CliOptions } from './arguments';
import { AutomationLines } from './automation-lines';
import { type ExitCode, exitCodeOf, exitCodes } from './exit-codes';
import { failureOf, UsageError } from './failure';
import { printIntroduction } from './introduction';
import { keySource } from './key-source';
import { localServerLines } from './local-servers';
import { isClone, makePlan, type Plan } from './plan';
import { printClosing } from './closing';
import { applyProposal, readDiff, type ReviewResult } from './proposal';
import { printResult } from './result-printer';
import { RunPrinter } from './run-printer';
import { stderrLogger } from './stderr-logger';
import { systemClock } from './system-clock';
import { defaultStorageDir, type World } from './world';

/** Runs one team on one task and answers with the exit code. Throws before the run starts, never afterwards. */
export async function runCommand(options: CliOptions, world: World): Promise<ExitCode> {
  const storageDir = resolve(world.cwd, options.storage ?? defaultStorageDir(world));
  const app = createApp({
    storageDir,
    installDir: world.installDir,
    clock: systemClock,
    logger: stderrLogger(world.notes, options.debug),
    secrets: keySource(world),
    extraBackends: [],
    liveFiles: createDiskFiles(),
    cliArgs: world.args,
  });
  try {
    const plan = await makePlan(app, world, options);
    try {
      refuseStorageInside(storageDir, plan);
      return await play(app, plan, { options, world, storageDir });
    } finally {
      await plan.cleanUp();
    }
  } finally {
    await app.close();
  }
}

interface Setting {
  readonly options: CliOptions;
  readonly world: World;
  readonly storageDir: string;
}

async function play(app: App, plan: Plan, setting: Setting): Promise<ExitCode> {
  const { options, world } = setting;
  const screen = options.automation ? world.notes : world.output;
  printIntroduction(plan, app.forecast(plan.request.config), { terminal: screen, world });
  const lines = options.automation ? new AutomationLines(world.output) : undefined;
  const handle = await start(app, plan, { world, lines });
  lines?.follow(handle);
  const { state, refusedCommands } = await watch(handle, screen, world);
  // An interrupt ends the run; what follows only reads, or writes files that were asked for.
  const rest = new AbortController();
  printResult(state, await readDiff(handle, rest.signal), screen);
  const canApply = options.apply && state.outcome !== 'cancelled';
  const applied = canApply ? await applyProposal(handle, rest.signal) : undefined;
  printClosing(
    { plan, state, applied, refusedCommands, isClone: await isClone(world) },
    { terminal: screen, world },
  );
  lines?.end(state, systemClock.now());
  return endCode(state, applied);
}

/** Prints until the run is over; an interrupt stops the run and waits for its end. */
async function watch(
  handle: RunHandle,
  screen: World['output'],
  { interrupted, notes }: World,
): Promise<{ readonly state: RunState; readonly refusedCommands: number }> {
  const printer = new RunPrinter(screen);
  const listening = handle.onEvents((events, state) => printer.update(events, state));
  printer.update([], handle.state());
  const stopping = onAbort(interrupted, () => {
    notes.write('\nStopping; press Ctrl+C again to leave at once.\n');
    handle.stop();
  });
  const state = await handle.ended;
  stopping.dispose();
  listening.dispose();
  printer.update([], state);
  return { state, refusedCommands: printer.refusedCommands };
}

function endCode(state: RunState, applied: readonly ReviewResult[] | undefined): ExitCode {
  const isIncomplete = applied?.some(
    ({ outcome }) => outcome === 'conflict' || outcome === 'failed',
  );
  const code = exitCodeOf(state);
  return code === exitCodes.done && isIncomplete === true ? exitCodes.failed : code;
}

/** A script that refuses a task leaves the user without a model: a server that runs here is one way on. */
async function start(
  app: App,
  { request }: Plan,
  { world, lines }: { readonly world: World; readonly lines: AutomationLines | undefined },
): Promise<RunHandle> {
  try {
    const onFolder = (dir: string): void => lines?.begin(request.task, dir);
    return await app.startRun({ ...request, onFolder }, world.interrupted);
  } catch (error) {
    const isScripted = request.config.agents.every(({ backend }) => backend.type === 'offline');
    const lines = isScripted
      ? localServerLines(await app.detectLocalServers(world.interrupted))
      : [];
    const { message, hint } = failureOf(error);
    throw lines.length === 0 ? error : new UsageError(message, [hint, ...lines].join('\n'));
  }
}

/** Logs and snapshots of a run must not become part of what the run looks at. */
function refuseStorageInside(storageDir: string, { request }: Plan): void {
  for (const { path } of request.folders) {
    const inner = relative(path, storageDir);
    if (!inner.startsWith('..') && !isAbsolute(inner)) {
      throw new UsageError(
        `Runs cannot be kept inside ${path}, which the agents see.`,
        'Choose another folder with --storage.',
      );
    }
  }
}
