import type { App, RunConfig } from '../app/app-contract';
import { type BuiltConfig, type ConfigProblem, RunError, type TeamOptions } from './contract';

export interface FoundTeam {
  readonly config: RunConfig;
  /** What its check had to remark, for people. */
  readonly warnings: readonly string[];
}

/** A team of models, as text, with what its check remarks. Throws `RunError`. */
export async function builtConfig(
  app: App,
  options: TeamOptions,
  signal: AbortSignal,
): Promise<BuiltConfig> {
  const text = quickText(app, options);
  // Whether keys are there is asked when it runs, which may be elsewhere.
  const request = { text, file: '(models)', level: 'text' } as const;
  const { problems, config } = await app.checkTeam(request, signal);
  if (config === undefined) {
    throw withProblems(problems.map(publicProblem));
  }
  return { text, warnings: problems.map(publicProblem) };
}

/** The text of a team that is given as an object. Throws `RunError` for one that no file could hold. */
export function textOf(config: BuiltConfig | Readonly<Record<string, unknown>>): string {
  if (isBuilt(config)) {
    return config.text;
  }
  try {
    return JSON.stringify(config, refuseWhatGetsLost, 2);
  } catch (error) {
    throw error instanceof RunError ? error : invalid('config is no content of a team file.');
  }
}

/** JSON leaves some values out without a word, and a safeguard could be among them. */
function refuseWhatGetsLost(key: string, value: unknown): unknown {
  const isLost =
    ['function', 'symbol', 'bigint'].includes(typeof value) ||
    (typeof value === 'number' && !Number.isFinite(value)) ||
    value instanceof Map ||
    value instanceof Set;
  if (isLost) {
    throw invalid(`A team file cannot hold the value of ${key} in config.`);
  }
  return value;
}

function isBuilt(config: object): config is BuiltConfig {
  return 'text' in config && typeof config.text === 'string' && !('agents' in config);
}

/** Throws `RunError`. */
export function quickText(app: App, options: TeamOptions): string {
  const { model, models, backend, systemMessage, baseUrl, numAgents } = options;
  if (model !== undefined && models !== undefined) {
    throw invalid('Give either model or models.');
  }
  const result = app.quickTeam({
    models: models ?? (model === undefined ? [] : [model]),
    ...(backend === undefined ? {} : { backend }),
    ...(systemMessage === undefined ? {} : { systemMessage }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(numAgents === undefined ? {} : { agents: numAgents }),
  });
  if (result.kind === 'problems') {
    throw invalid(result.problems.join(' '));
  }
  return result.text;
}

/** Whether the team can run here, keys included. Throws `RunError` with all problems. */
export async function checkedText(
  app: App,
  {
    text,
    name,
    project,
  }: { readonly text: string; readonly name: string; readonly project: string },
  signal: AbortSignal,
): Promise<FoundTeam> {
  const request = { text, file: name, project, level: 'environment' } as const;
  const { problems, config } = await app.checkTeam(request, signal);
  if (config === undefined) {
    throw withProblems(problems.map(publicProblem));
  }
  return { config, warnings: [...problems.map(({ message }) => message), ...config.notices] };
}

export function withProblems(problems: readonly ConfigProblem[]): RunError {
  const lines = problems.map(
    ({ severity, file, line, column, keyPath, message }) =>
      `${file}:${line}:${column}: ${severity}: ${keyPath === '' ? '' : `${keyPath}: `}${message}`,
  );
  const message = ['The team has problems:', ...lines].join('\n');
  return new RunError({ code: 'config/invalid', message }, { problems });
}

export function publicProblem(problem: ConfigProblem): ConfigProblem {
  const { severity, file, line, column, keyPath, message, suggestion } = problem;
  return {
    ...{ severity, file, line, column, keyPath, message },
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** What the caller has to mend. */
export function invalid(message: string, hint?: string): RunError {
  const facts = { code: 'config/invalid', message };
  return new RunError(hint === undefined ? facts : { ...facts, hint });
}
