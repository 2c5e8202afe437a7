import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { App, ContextFolder, StartRunRequest } from '../app/app-contract';
import type { CliOptions } from './invocation';
import { withChecks } from './choose-checks';
import { commandPolicy } from './command-policy';
import { copySample, type ListedCommand, readDemonstration } from './demonstration';
import { UsageError } from './failure';
import { findTeam, type Team, type TeamQuery } from './find-team';
import { contextFolders } from './context-folders';
import { localServerLines } from './local-servers';
import { readReferences } from './references';
import { usualPlaces } from './find-file';
import { withChanges } from './change-team';
import type { World } from './world';

/** What one call of the command line will do. */
export interface Plan {
  readonly request: StartRunRequest;
  /** The folder for people to look at; `undefined` when agents see none of the user's. */
  readonly project: string | undefined;
  /** Commands that the shipped script runs on its own sample; empty otherwise. */
  readonly listedCommands: readonly ListedCommand[];
  readonly isDemonstration: boolean;
  /** Checks that were found in the project and that nobody asked for. */
  readonly offeredChecks: readonly string[];
  readonly confinement: Confinement;
  /** Removes what was made only for this call. */
  cleanUp(): Promise<void>;
}

type Confinement = Awaited<ReturnType<App['confinement']>>;

/** Throws `UsageError` for everything that the user can mend; nothing has been sent anywhere then. */
export async function makePlan(app: App, world: World, options: CliOptions): Promise<Plan> {
  const plan = await planRun(app, world, options);
  const { request } = plan;
  const found = await app.proposeChecks(request.folders, world.interrupted);
  const { config, offered } = withChecks(request.config, options.checks, found);
  return {
    ...plan,
    request: { ...request, config },
    offeredChecks: request.folders.length === 0 ? [] : offered,
    confinement: await app.confinement(world.interrupted),
  };
}

type PlannedRun = Omit<Plan, 'offeredChecks' | 'confinement'>;

async function planRun(app: App, world: World, options: CliOptions): Promise<PlannedRun> {
  const project = resolve(world.cwd, options.project ?? '.');
  await requireFolder(project);
  if (options.isDemonstration || isBare(options)) {
    return planDemonstration(app, world, options, await demonstrationTeam(app, world, options));
  }
  const found = await findTeam(app, world, queryOf(options, project));
  const task = options.task ?? found?.prompt;
  if (task === undefined) {
    const isShown = found !== undefined && isScripted(found) && !options.automation;
    if (isShown && options.project === undefined) {
      return planDemonstration(app, world, options, found);
    }
    throw noTask(options);
  }
  const team = found ?? (await teamWithoutFile(app, world, task, project));
  const config = withChanges(team, options.changes);
  return planTask(task, options, { config, project, world });
}

function noTask({ automation }: CliOptions): UsageError {
  return new UsageError(
    'There is no task.',
    automation
      ? 'With --automation nobody is asked; give the task in quotes: massgen --automation "Fix the failing test".'
      : 'Give it in quotes: massgen "Fix the failing test".',
  );
}

/** Nothing says what to do: the shipped team shows itself. A script is not shown anything. */
function isBare({ task, config, project, quick, automation }: CliOptions): boolean {
  return !automation && [task, config, project, quick].every((word) => word === undefined);
}

function queryOf(options: CliOptions, project: string): TeamQuery {
  const { config: file, quick, warnings, trustConfig: isTrusted } = options;
  return { file, project, isTrusted, quick, warnings, mode: options.changes.coordinationMode };
}

async function demonstrationTeam(app: App, world: World, options: CliOptions): Promise<Team> {
  if (options.config === undefined) {
    return app.offlineTeam();
  }
  const found = await findTeam(app, world, queryOf(options, resolve(world.cwd)));
  if (found === undefined || !isScripted(found)) {
    throw new UsageError('The demonstration needs a team of the type offline.');
  }
  return found;
}

/** The task of the demonstration is all that the shipped team can do. */
async function teamWithoutFile(
  app: App,
  world: World,
  task: string,
  project: string,
): Promise<Team> {
  const { task: known } = await readDemonstration(world.installDir);
  if (task === known) {
    return app.offlineTeam();
  }
  const servers = localServerLines(await app.detectLocalServers(world.interrupted));
  throw new UsageError(
    'No default configuration found.',
    [
      `Looked for: ${usualPlaces(world, project).join(', ')}.`,
      'Name a team with --config FILE or a model with --model NAME, or make a team with massgen --quickstart.',
      ...servers,
    ].join('\n'),
  );
}

interface Setting {
  readonly config: Team;
  readonly project: string;
  readonly world: World;
}

async function planTask(
  written: string,
  options: CliOptions,
  setting: Setting,
): Promise<PlannedRun> {
  const { config, project, world } = setting;
  const bases = { folders: [world.cwd, project], home: world.home };
  const { task, references } = options.readsReferences
    ? await readReferences(written, bases)
    : { task: written, references: [] };
  const own =
    options.cwdContext === undefined ? [] : [{ path: world.cwd, permission: options.cwdContext }];
  const folders = contextFolders(config, {
    ...{ project, isNamed: options.project !== undefined },
    further: [...own, ...references],
  });
  return {
    request: {
      ...{ task, config, folders, unsaved: new Map() },
      commandPolicy: commandPolicy(options.allowCommands ? 'all' : []),
      ...(options.logInProject ? { artifactsRoot: join(project, '.massgen') } : {}),
    },
    project: folders.length === 0 ? undefined : project,
    listedCommands: [],
    isDemonstration: false,
    cleanUp: () => Promise.resolve(),
  };
}

/** Only here are commands allowed without a word of the user: those of the shipped script on the shipped sample. */
async function planDemonstration(
  app: App,
  world: World,
  options: CliOptions,
  config: Team,
): Promise<PlannedRun> {
  const { task, commands } = await readDemonstration(world.installDir);
  const sample = await copySample(world.installDir);
  const allowed = options.allowCommands ? 'all' : commands.map(({ command }) => command);
  const folder: ContextFolder = { name: 'sample-project', path: sample.dir, permission: 'write' };
  return {
    request: {
      ...{ task, config, folders: [folder], unsaved: new Map() },
      commandPolicy: commandPolicy(allowed),
    },
    project: sample.dir,
    listedCommands: commands,
    isDemonstration: true,
    cleanUp: () => (options.apply ? Promise.resolve() : sample.remove()),
  };
}

function isScripted({ agents }: Team): boolean {
  return agents.every(({ backend }) => backend.type === 'offline');
}

async function requireFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    throw new UsageError(`There is no folder ${path}.`);
  }
}

/** True in a clone of the project, where scripts can open a whole VS Code. */
export async function isClone({ installDir }: World): Promise<boolean> {
  const script = await stat(join(installDir, 'scripts', 'vscode.mjs')).catch(() => undefined);
  return script !== undefined;
}
