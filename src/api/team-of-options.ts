import type { App } from '../app/app-contract';
import { findTeam } from '../cli/find-team';
import type { World } from '../cli/world';
import {
  checkedText,
  type FoundTeam,
  invalid,
  publicProblem,
  quickText,
  textOf,
  withProblems,
} from './checked-team';
import type { ConfigProblem, RunOptions } from './contract';

export interface TeamPlace {
  readonly app: App;
  readonly world: World;
  /** What is written to the notes of `world`. */
  readonly notes: readonly string[];
}

/** The team that the options mean, checked in full. Throws `RunError`; nothing was sent anywhere then. */
export async function teamOfOptions(
  options: RunOptions,
  { app, world, notes }: TeamPlace,
  signal: AbortSignal,
): Promise<FoundTeam> {
  const { config } = options;
  const isQuick = options.model !== undefined || options.models !== undefined;
  if (config !== undefined && (isQuick || options.backend !== undefined)) {
    throw invalid('Give either config, or model, models and backend.');
  }
  if (typeof config === 'object') {
    const text = textOf(config);
    return checkedText(app, { text, name: '(config)', project: world.cwd }, signal);
  }
  if (isQuick || options.backend !== undefined) {
    const text = quickText(app, options);
    return checkedText(app, { text, name: '(models)', project: world.cwd }, signal);
  }
  const query = { file: config, project: world.cwd, isTrusted: options.trustConfig === true };
  const found = await findChecked(app, world, query);
  if (found === undefined) {
    throw invalid('There is no team.', 'Give config, or the names of models.');
  }
  return { config: found, warnings: notes };
}

type Query = Parameters<typeof findTeam>[2];

/** As on the command line, with the problems one by one. */
async function findChecked(app: App, world: World, query: Query): ReturnType<typeof findTeam> {
  let problems: readonly ConfigProblem[] = [];
  const watched: App = {
    ...app,
    checkTeam: async (request, signal) => {
      const result = await app.checkTeam(request, signal);
      problems = result.problems.map(publicProblem);
      return result;
    },
  };
  try {
    return await findTeam(watched, world, query);
  } catch (error) {
    throw problems.some(({ severity }) => severity === 'error') ? withProblems(problems) : error;
  }
}
