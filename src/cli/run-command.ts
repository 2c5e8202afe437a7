import { isAbsolute, relative } from 'node:path';
import type { App, RunHandle } from '../app/app-contract';
import type { CliOptions } from './invocation';
import { placesOf, scriptOutput } from './automation';
import { type ExitCode, exitCodes } from './exit-codes';
import { failureOf, UsageError } from './failure';
import { followToEnd } from './follow-run';
import { following } from './follow-session';
import { printIntroduction } from './introduction';
import { localServerLines } from './local-servers';
import { withPassingStorage } from './no-logs';
import { storageDirOf, withApp } from './open-app';
import { outputPath, tellProblem, writeAnswer } from './output-file';
import { isPersonThere, withPerson } from './person';
import { makePlan, type Plan } from './plan';
import type { ScriptOutput } from './script-output';
import { systemClock } from './system-clock';
import type { World } from './world';

/** Runs one team on one task and answers with the exit code. Throws before the run starts, never afterwards. */
export function runCommand(options: CliOptions, world: World): Promise<ExitCode> {
  return options.noLogs
    ? withPassingStorage((dir) => runIn(dir, { options, world }))
    : runIn(storageDirOf(options, world), { options, world });
}

interface Setting {
  readonly options: CliOptions;
  readonly world: World;
}

function runIn(storageDir: string, { options, world }: Setting): Promise<ExitCode> {
  const { debug, noLogs, noSessionRegistry } = options;
  const place = { storageDir, debug, isListed: !noSessionRegistry, isKept: !noLogs };
  return withApp(place, world, async (app) => {
    const plan = await makePlan(app, world, options);
    try {
      refuseStorageInside(storageDir, plan);
      return await play(app, await following(app, plan, { options, world }), { options, world });
    } finally {
      await plan.cleanUp();
    }
  });
}

async function play(app: App, plan: Plan, { options, world }: Setting): Promise<ExitCode> {
  const script = scriptOutput(options, world);
  const screen = script === undefined ? world.output : world.notes;
  const { config } = plan.request;
  const outputFile = outputPath(options.outputFile, world.cwd);
  const facts = { forecast: app.forecast(config), kinds: app.backendKinds };
  printIntroduction(plan, facts, { terminal: screen, world });
  const handle = await start(app, plan, { options, world, script });
  script?.follow(handle);
  const { state, exitCode } = await followToEnd(handle, {
    way: plan,
    apply: options.apply,
    autoApply: config.autoApply,
    isTimeoutOk: config.isTimeoutWithAnswerOk === true,
    inbox: placesOf(handle.artifactsDir, options, world).inbox,
    isKept: !options.noLogs,
    ...{ screen, world, watching: watchingOf(options, config) },
  });
  const written = writeAnswer(state, outputFile);
  const isLost = tellProblem(written, world.notes);
  const code = isLost && exitCode === exitCodes.done ? exitCodes.failed : exitCode;
  const path = written !== undefined && 'path' in written ? written.path : undefined;
  script?.end({ state, now: systemClock.now(), exitCode: code, outputFile: path });
  if (script === undefined && path !== undefined) {
    screen.write(`The answer is in ${path}.\n`);
  }
  return code;
}

/** The line goes before what the team file says. */
function watchingOf(options: CliOptions, { display }: Plan['request']['config']): CliOptions {
  const isPlain = options.display === undefined && (display === 'simple' || display === 'silent');
  return isPlain ? { ...options, display: 'simple' } : options;
}

/** A script that refuses a task leaves the user without a model: a server that runs here is one way on. */
async function start(
  app: App,
  { request }: Plan,
  { options, world, script }: Setting & { readonly script: ScriptOutput | undefined },
): Promise<RunHandle> {
  try {
    const onFolder = (dir: string): void =>
      script?.begin(request.task, placesOf(dir, options, world));
    const onEvents = script?.onEvents;
    const told = { onFolder, ...(onEvents === undefined ? {} : { onEvents }) };
    const asked = isPersonThere(world, options) ? withPerson(request) : request;
    return await app.startRun({ ...asked, ...told }, world.interrupted);
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
export function refuseStorageInside(storageDir: string, { request }: Plan): void {
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
