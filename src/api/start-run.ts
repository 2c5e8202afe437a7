import { problemOfRun, problemOfTeam } from './check-options';
import type { BuiltConfig, RunOptions, TeamOptions } from './contract';
import type { TeamRun } from './run-contract';
import { teamRun } from './team-run';

/** Begins a run of the product that is installed in `installDir`; nothing else of it is loaded before. */
export function startTeamRun(task: string, options: RunOptions, installDir: string): TeamRun {
  const problem = problemOfRun(task, options);
  if (problem !== undefined) {
    return teamRun(() => Promise.reject(problem), undefined);
  }
  return teamRun(async (tell, signal) => {
    const { runTeam } = await import('./run-team.lazy');
    return runTeam({ task, options, installDir, tell }, signal);
  }, options.signal);
}

/** The text of a team of models, checked. Rejects with `RunError`. */
export async function buildTeamConfig(
  options: TeamOptions,
  installDir: string,
): Promise<BuiltConfig> {
  const problem = problemOfTeam(options);
  if (problem !== undefined) {
    throw problem;
  }
  const { buildTeam } = await import('./run-team.lazy');
  return buildTeam(options, installDir);
}
