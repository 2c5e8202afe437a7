import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { App, ContextFolder, StartRunRequest } from '../app/app-contract';
import type { CliOptions } from './invocation';
import { withChecks } from './choose-checks';
import { commandPolicy } from './command-policy';
import { copySample, type ListedCommand, readDemonstration } from './demonstration';
import { UsageError } from './failure';
import { findTeam, type Team } from './find-team';
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
  const isWithoutTask = options.task === undefined;
  if (isWithoutTask && options.config === undefined && options.project === undefined) {
    return planDemonstration(app, world, options, await app.offlineTeam());
  }
  const query = { file: options.config, project, isTrusted: options.trustConfig };
  const found = await findTeam(app, world, query);
  if (isWithoutTask) {
    if (found !== undefined && isScripted(found) && options.project === undefined) {
      return planDemonstration(app, world, options, found);
    }
    throw new UsageError('There is no task.', 'Give it in quotes: massgen "Fix the failing test".');
  }
  return planTask(options.task, options, { config: found ?? (await app.offlineTeam()), project });
}

function planTask(
  task: string,
  options: CliOptions,
  { config, project }: { readonly config: Team; readonly project: string },
): PlannedRun {
  const folders = contextFolders(config, project, options.project !== undefined);
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

/** What the team file lists, from the project; else the project itself when it was named. */
function contextFolders(team: Team, project: string, isNamed: boolean): readonly ContextFolder[] {
  const listed = team.contextPaths.map(({ path, permission, protectedPaths }) => ({
    path: resolve(project, path),
    permission,
    protectedPaths,
  }));
  const own = isNamed ? [{ path: project, permission: 'write' as const, protectedPaths: [] }] : [];
  const taken = new Set<string>();
  return (listed.length > 0 ? listed : own).map((folder) => {
    const name = freeName(basename(folder.path) || 'root', taken);
    taken.add(name);
    return { ...folder, name };
  });
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let n = 2; taken.has(name); n++) {
    name = `${wanted}-${n}`;
  }
  return name;
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
