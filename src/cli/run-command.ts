import { isAbsolute, relative, resolve } from 'node:path';
import type { App, RunHandle } from '../app/app-contract';
import type { CliOptions } from './arguments';
import { AutomationLines } from './automation-lines';
import type { ExitCode } from './exit-codes';
import { failureOf, UsageError } from './failure';
import { followToEnd } from './follow-run';
import { printIntroduction } from './introduction';
import { localServerLines } from './local-servers';
import { storageDirOf, withApp } from './open-app';
import { makePlan, type Plan } from './plan';
import { systemClock } from './system-clock';
import type { World } from './world';

/** Runs one team on one task and answers with the exit code. Throws before the run starts, never afterwards. */
export function runCommand(options: CliOptions, world: World): Promise<ExitCode> {
  const storageDir = storageDirOf(options, world);
  return withApp({ storageDir, debug: options.debug }, world, async (app) => {
    const plan = await makePlan(app, world, options);
    try {
      refuseStorageInside(storageDir, plan);
      return await play(app, await following(app, plan, { options, world }), { options, world });
    } finally {
      await plan.cleanUp();
    }
  });
}

interface Setting {
  readonly options: CliOptions;
  readonly world: World;
}

async function play(app: App, plan: Plan, { options, world }: Setting): Promise<ExitCode> {
  const screen = options.automation ? world.notes : world.output;
  const { config } = plan.request;
  const facts = { forecast: app.forecast(config), kinds: app.backendKinds };
  printIntroduction(plan, facts, { terminal: screen, world });
  const lines = options.automation ? new AutomationLines(world.output) : undefined;
  const handle = await start(app, plan, { world, lines });
  lines?.follow(handle);
  const { state, exitCode } = await followToEnd(handle, {
    way: plan,
    apply: options.apply,
    autoApply: config.autoApply,
    isTimeoutOk: config.isTimeoutWithAnswerOk === true,
    ...{ screen, world },
  });
  lines?.end(state, systemClock.now());
  return exitCode;
}

/** The plan with the run that its task goes on from. Throws `UsageError` when there is none. */
async function following(app: App, plan: Plan, { options, world }: Setting): Promise<Plan> {
  const { follows, project } = options;
  if (follows === undefined) {
    return plan;
  }
  const folder = resolve(world.cwd, project ?? '.');
  const runId =
    follows === 'folder'
      ? await newestAbout(app, [folder, ...plan.request.folders.map(({ path }) => path)])
      : await app.runToContinue({ sessionId: await sessionIdOf(app, follows.session) });
  if (runId === undefined) {
    const message =
      follows === 'folder'
        ? `No run about ${folder} has an answer yet.`
        : `There is no session ${follows.session}.`;
    throw new UsageError(message, 'massgen runs lists them; --session ID goes on from one.');
  }
  return { ...plan, request: { ...plan.request, follows: runId } };
}

async function newestAbout(app: App, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const found = await app.runToContinue({ folder });
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** An id of a session, of any run of it, or the beginning of one. */
async function sessionIdOf(app: App, written: string): Promise<string> {
  const runs = await app.listRuns();
  const found = runs.find(
    ({ runId, sessionId }) => runId.startsWith(written) || sessionId?.startsWith(written) === true,
  );
  return found?.sessionId ?? found?.runId ?? written;
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
    const servers = isScripted
      ? localServerLines(await app.detectLocalServers(world.interrupted))
      : [];
    const { message, hint } = failureOf(error);
    throw servers.length === 0 ? error : new UsageError(message, [hint, ...servers].join('\n'));
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
