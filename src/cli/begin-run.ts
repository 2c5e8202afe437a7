import { resolve } from 'node:path';
import { type ExitCode, exitCodes } from './exit-codes';
import { findTeamFile } from './find-file';
import type { CliOptions } from './invocation';
import { runCommand } from './run-command';
import { teamToolsOf } from './team-tools';
import type { World } from './world';

/** Goes on as if these arguments had been given to `massgen`. */
export type Again = (args: readonly string[]) => Promise<ExitCode>;

/**
 * Runs the task, or, where there is none and a person is there, talks: about a first team when none is set up, else about
 * tasks. Where nobody can be asked, nobody is.
 */
export async function beginRun(options: CliOptions, world: World, again: Again): Promise<ExitCode> {
  if (options.rateLimit) {
    world.notes.write(
      'Requests to a service that asks for patience always wait in line; --rate-limit changes nothing.\n',
    );
  }
  const chosen = await withChoice(options, world, again);
  if (chosen === undefined) {
    return exitCodes.interrupted;
  }
  if (chosen.task !== undefined || chosen.isDemonstration || !asks(chosen, world)) {
    return runCommand(chosen, world);
  }
  const prepared = await preparedTeam(chosen, world);
  if (prepared === 'with-task') {
    return runCommand(chosen, world);
  }
  if (prepared === 'team') {
    const { interactive } = await import('./interactive/interactive.lazy');
    return interactive(chosen, world);
  }
  const { firstRun } = await import('./wizards/wizards.lazy');
  return firstRun({ ...wizardOptions(options), run: again }, world);
}

/** `undefined`: the menu was left. */
async function withChoice(
  options: CliOptions,
  world: World,
  again: Again,
): Promise<CliOptions | undefined> {
  if (!options.select) {
    return options;
  }
  const { selectConfig } = await import('./wizards/wizards.lazy');
  const config = await selectConfig({ ...wizardOptions(options), run: again }, world);
  return config === undefined ? undefined : { ...options, config };
}

function wizardOptions({ storage, debug }: CliOptions): Pick<CliOptions, 'storage' | 'debug'> {
  return { storage, debug };
}

/** What would be written or allowed without a task can be meant for the demonstration alone. */
function asks({ automation, apply, allowCommands }: CliOptions, { input }: World): boolean {
  return input.isInteractive && !automation && !apply && !allowCommands;
}

/** Whether there is a team, and whether its file names the task; what is wrong with it is told by whoever plays it. */
async function preparedTeam(
  { config: file, quick, project: folder }: CliOptions,
  world: World,
): Promise<'none' | 'team' | 'with-task'> {
  if (quick !== undefined) {
    return 'team';
  }
  const project = resolve(world.cwd, folder ?? '.');
  const found = await findTeamFile(world, { file, project });
  if (found === undefined) {
    return 'none';
  }
  const request = { ...found, level: 'text' } as const;
  const { config } = await teamToolsOf(world).checkTeam(request, world.interrupted);
  return config?.prompt === undefined ? 'team' : 'with-task';
}
