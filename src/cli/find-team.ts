import { readFile, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { App, StartRunRequest } from '../app/app-contract';
import { revealOnOneLine } from '../run/selectors/visible-text';
import { UsageError } from './failure';
import { problemLines } from './problem-lines';
import type { World } from './world';

export type Team = StartRunRequest['config'];

export interface TeamQuery {
  /** As given on the command line. */
  readonly file: string | undefined;
  readonly project: string;
  readonly isTrusted: boolean;
}

/** Reads the team file; `undefined` when none was named and none is at the usual places. Throws `UsageError`. */
export async function findTeam(
  app: App,
  world: World,
  query: TeamQuery,
): Promise<Team | undefined> {
  const found = await firstThatExists(candidates(world, query));
  if (found === undefined) {
    if (query.file !== undefined) {
      throw new UsageError(`There is no team file ${query.file}.`);
    }
    return undefined;
  }
  const result = app.loadConfig(found.text, found.file);
  if (result.kind === 'problems') {
    throw new UsageError(
      ['The team file has problems:', ...problemLines(result.problems)].join('\n'),
    );
  }
  for (const line of [...problemLines(result.warnings), ...result.config.notices]) {
    world.notes.write(`${line}\n`);
  }
  await checkTrust(app, world, query, result.config);
  return result.config;
}

function candidates({ cwd, home }: World, { file, project }: TeamQuery): readonly string[] {
  return file === undefined
    ? [join(project, '.massgen', 'config.yaml'), join(home, '.config', 'massgen', 'config.yaml')]
    : [resolve(cwd, file.replace(/^~(?=\/)/, home))];
}

async function firstThatExists(
  files: readonly string[],
): Promise<{ readonly file: string; readonly text: string } | undefined> {
  for (const file of files) {
    try {
      return { file, text: await readFile(file, 'utf8') };
    } catch {
      continue;
    }
  }
  return undefined;
}

/**
 * A file inside the project may come from anybody, and a key may be sent only where it belongs: both need the word of
 * the user, who is shown what the file would do. A file that reaches nothing outside the project, runs nothing and
 * writes nothing by itself needs none.
 */
async function checkTrust(app: App, world: World, query: TeamQuery, team: Team): Promise<void> {
  if (query.isTrusted || team.file === undefined) {
    return;
  }
  const egress = app.describeEgress(team);
  const { hosts, commands, programs, downloads } = egress;
  const isShipped = await isInside(team.file, join(world.installDir, 'configs'));
  const isForeign = !isShipped && (await isInside(team.file, query.project));
  const reachesOut =
    [hosts, commands, programs, downloads].some(({ length }) => length > 0) ||
    team.autoApply !== undefined ||
    egress.paths.some((path) => leaves(query.project, path));
  const strays = hosts.flatMap(({ host, keys }) =>
    keys.filter(({ isUsual }) => !isUsual).map(({ name }) => shown(`${name} to ${host}`)),
  );
  const reasons = [
    ...(isForeign && reachesOut
      ? [`The team file ${shown(team.file)} lies inside the project.`]
      : []),
    ...(strays.length > 0
      ? [`It sends a key to a host that is new to it: ${strays.join(', ')}.`]
      : []),
  ];
  if (reasons.length > 0) {
    const lines = [...reasons, ...hostLines(egress), ...otherLines(egress, team)];
    throw new UsageError(lines.join('\n'), 'Read the file, then add --trust-config.');
  }
}

type Egress = ReturnType<App['describeEgress']>;

function hostLines({ hosts }: Egress): readonly string[] {
  return hosts.map(({ host, agentIds, keys }) => {
    const sent =
      keys.length === 0 ? '' : `, and the key ${keys.map(({ name }) => name).join(', ')}`;
    return shown(`  ${host} would receive the task and code for ${agentIds.join(', ')}${sent}`);
  });
}

function otherLines(
  { paths, downloads, commands, programs }: Egress,
  { autoApply }: Team,
): readonly string[] {
  return [
    ...programs.map(programLine),
    ...downloads.map(({ host, address }) => shown(`  ${host} would be asked for ${address}`)),
    ...paths.map((path) => shown(`  agents would see ${path}`)),
    ...commands.map((command) => shown(`  it would run, in copies: ${command}`)),
    ...(autoApply === undefined ? [] : ['  it would write the result into the project by itself']),
  ];
}

function programLine({
  purpose,
  command,
  variables,
  agentIds,
}: Egress['programs'][number]): string {
  const verb = /^https?:\/\//.test(command) ? 'reach' : 'start';
  const given = variables.length === 0 ? '' : ` (with the variables ${variables.join(', ')})`;
  return shown(`  it would ${verb} ${purpose} for ${agentIds.join(', ')}: ${command}${given}`);
}

/** Names and paths of the file can hold line breaks and characters that turn what follows them around. */
const shown = revealOnOneLine;

function leaves(project: string, path: string): boolean {
  const inner = relative(project, resolve(project, path));
  return inner.startsWith('..') || isAbsolute(inner);
}

async function isInside(path: string, folder: string): Promise<boolean> {
  try {
    const inner = relative(await realpath(folder), await realpath(path));
    return inner !== '' && !inner.startsWith('..') && !isAbsolute(inner);
  } catch {
    return false;
  }
}
