import { isAbsolute, join, relative, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import type { App, StartRunRequest } from '../app/app-contract';
import { revealOnOneLine } from '../run/selectors/visible-text';
import { UsageError } from './failure';
import { findTeamFile, type TeamSource } from './find-file';
import { comesWithProject, isReallyInside } from './foreign-file';
import type { QuickOptions, TeamChanges, WarningLevel } from './invocation';
import { problemLines } from './problem-lines';
import type { World } from './world';

export type Team = StartRunRequest['config'];

export interface TeamQuery {
  /** As given on the command line. */
  readonly file: string | undefined;
  readonly project: string;
  readonly isTrusted: boolean;
  /** A team without a file; absent: there is one, or none at all. */
  readonly quick?: QuickOptions | undefined;
  /** Absent: warnings are told. */
  readonly warnings?: WarningLevel;
  /** In place of what the file says; absent: as it says. */
  readonly mode?: TeamChanges['coordinationMode'];
}

/**
 * Reads the team file and checks it as a whole, with what it needs of this machine, so that everything that is wrong is
 * told before anybody is asked. `undefined` when none was named and none is at the usual places. Throws `UsageError`.
 */
export async function findTeam(
  app: App,
  world: World,
  query: TeamQuery,
): Promise<Team | undefined> {
  const found =
    query.quick === undefined ? await findTeamFile(world, query) : quickSource(app, query.quick);
  if (found === undefined) {
    return undefined;
  }
  // What the text alone says is enough to ask for trust, before anything of this machine is looked at for it.
  const asWritten = await app.checkTeam({ ...found, level: 'text' }, world.interrupted);
  if (asWritten.config !== undefined) {
    await checkTrust(app, world, query, asWritten.config);
  }
  return checked(app, world, { source: found, query });
}

interface Checking {
  readonly source: TeamSource;
  readonly query: TeamQuery;
}

async function checked(app: App, world: World, { source, query }: Checking): Promise<Team> {
  const { project, warnings = 'told', mode } = query;
  const request = { ...source, project, level: 'environment' } as const;
  const { problems, config } = await app.checkTeam(request, world.interrupted);
  if (config === undefined) {
    const told = warnings === 'silent' ? errorsOf(problems) : problems;
    throw new UsageError(['The team has problems:', ...problemLines(told)].join('\n'));
  }
  if (warnings === 'strict' && problems.length > 0) {
    throw new UsageError(
      ['With --strict-validation warnings stop the run:', ...problemLines(problems)].join('\n'),
    );
  }
  for (const line of warnings === 'silent' ? [] : [...problemLines(problems), ...config.notices]) {
    world.notes.write(`${line}\n`);
  }
  if (mode === undefined) {
    return config;
  }
  const other = { ...request, text: withMode(source.text, mode) };
  const changed = await app.checkTeam(other, world.interrupted);
  if (changed.config === undefined) {
    throw new UsageError(
      [
        `With --coordination-mode ${mode} the team has problems:`,
        ...problemLines(changed.problems),
      ].join('\n'),
    );
  }
  return changed.config;
}

type Problems = Parameters<typeof problemLines>[0];

function errorsOf(problems: Problems): Problems {
  return problems.filter(({ severity }) => severity === 'error');
}

/** What a mode means for each agent is made when the file is read, so the text itself is changed. */
function withMode(text: string, mode: 'parallel' | 'decomposition'): string {
  const isJson = /^\uFEFF?\s*\{/.test(text);
  const document = parseDocument(text, { merge: true });
  const path = ['orchestrator', 'coordination_mode'];
  try {
    document.setIn(path, mode === 'parallel' ? 'voting' : 'decomposition');
  } catch {
    throw new UsageError(
      '--coordination-mode cannot be put into this team file.',
      'Write orchestrator.coordination_mode in the file.',
    );
  }
  return isJson ? JSON.stringify(document.toJS()) : document.toString();
}

function quickSource(app: App, quick: QuickOptions): TeamSource {
  const { models, backend, systemMessage, baseUrl } = quick;
  const made = app.quickTeam({
    models,
    ...(backend === undefined ? {} : { backend }),
    ...(systemMessage === undefined ? {} : { systemMessage }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  });
  if (made.kind === 'problems') {
    throw new UsageError(made.problems.join('\n'), 'massgen --list-backends lists the types.');
  }
  return { file: '(command line)', text: made.text };
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
  const isShipped = await isReallyInside(team.file, join(world.installDir, 'configs'));
  const { project } = query;
  const isForeign =
    !isShipped && (await comesWithProject(team.file, { project, home: world.home }));
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
    const names = keys.flatMap(({ name, isOfFile }) => (isOfFile === true ? [] : [name]));
    const named = names.length === 0 ? '' : `, and the key ${names.join(', ')}`;
    const own = keys.some(({ isOfFile }) => isOfFile === true);
    const sent = own ? `${named}, and a key that stands in the file` : named;
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
  isGivenFileKey: isGivenKey,
}: Egress['programs'][number]): string {
  const verb = /^https?:\/\//.test(command) ? 'reach' : 'start';
  const all = [
    ...(variables.length === 0 ? [] : [`the variables ${variables.join(', ')}`]),
    ...(isGivenKey === true ? ['a key that stands in the file'] : []),
  ];
  const given = all.length === 0 ? '' : ` (with ${all.join(' and ')})`;
  return shown(`  it would ${verb} ${purpose} for ${agentIds.join(', ')}: ${command}${given}`);
}

/** Names and paths of the file can hold line breaks and characters that turn what follows them around. */
const shown = revealOnOneLine;

function leaves(project: string, path: string): boolean {
  const inner = relative(project, resolve(project, path));
  return inner.startsWith('..') || isAbsolute(inner);
}
