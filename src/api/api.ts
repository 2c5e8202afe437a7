// `import { run, buildConfig } from 'massgen'`: what programs build on. Reading this file loads nothing else.
import { dirname } from 'node:path';
import type { BuiltConfig, RunOptions, TeamOptions } from './contract';
import type { TeamRun } from './run-contract';
import { buildTeamConfig, startTeamRun } from './start-run';

export { RunError } from './contract';

/** Within a version things are only added. */
export const apiVersion = 1;

/**
 * Gives a team a task. What comes back is a promise of the result and can be read with `for await`. Nothing is printed, no
 * file of yours is changed unless you say so, and the process is left as it was.
 */
export function run(task: string, options: RunOptions = {}): TeamRun {
  return startTeamRun(task, options, installDir());
}

/** The text of a team of models, checked; rejects with `RunError` for a model that nobody offers. */
export async function buildConfig(options: TeamOptions): Promise<BuiltConfig> {
  return buildTeamConfig(options, installDir());
}

function installDir(): string {
  return dirname(__dirname);
}
