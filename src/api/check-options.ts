// Whether options are what the contract says. Callers may be plain JavaScript, where a misspelled option would be as if it
// had not been given.
import { nearest } from '../base/text';
import { RunError, type RunLimits, type RunOptions, type TeamOptions } from './contract';

interface Rule {
  /** Completes `NAME must be …`. */
  readonly must: string;
  readonly accepts: (value: unknown) => boolean;
}

type Rules<T> = Readonly<Record<keyof T, Rule>>;

const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isFunction = (value: unknown): boolean => typeof value === 'function';

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const text: Rule = { must: 'a string', accepts: isText };
const texts: Rule = { must: 'a list of strings', accepts: isTexts };
const flag: Rule = { must: 'true or false', accepts: (value) => typeof value === 'boolean' };
const limit: Rule = {
  must: 'a positive number or null',
  accepts: (value) => value === null || (Number.isFinite(value) && Number(value) > 0),
};

const teamRules: Rules<TeamOptions> = {
  model: text,
  models: texts,
  backend: text,
  baseUrl: text,
  numAgents: {
    must: 'a whole number from 1',
    accepts: (value) => Number.isInteger(value) && Number(value) > 0,
  },
  systemMessage: text,
};

const limitRules: Rules<RunLimits> = { durationMs: limit, modelCalls: limit, costUsd: limit };

const runRules: Rules<RunOptions> = {
  ...teamRules,
  config: {
    must: 'a string, an object, or what buildConfig has answered',
    accepts: (value) => isText(value) || isObject(value),
  },
  trustConfig: flag,
  cwd: text,
  contextPaths: {
    must: 'a list of strings, or of objects with path, permission (read or write) and protectedPaths',
    accepts: (value) => Array.isArray(value) && value.every(isContextPath),
  },
  signal: { must: 'an AbortSignal', accepts: (value) => value instanceof AbortSignal },
  enableLogging: flag,
  outputFile: text,
  session: text,
  continue: flag,
  commandPolicy: {
    must: 'deny, allow, a list of strings, or a function',
    accepts: (value) =>
      value === 'deny' || value === 'allow' || isTexts(value) || isFunction(value),
  },
  apply: flag,
  checks: {
    must: 'none or a list of strings',
    accepts: (value) => value === 'none' || isTexts(value),
  },
  limits: { must: 'an object', accepts: isObject },
  storageDir: text,
  keys: {
    must: 'a function, or an object with strings',
    accepts: (value) => isFunction(value) || (isObject(value) && isTexts(Object.values(value))),
  },
  env: { must: 'an object', accepts: isObject },
};

function isContextPath(value: unknown): boolean {
  if (!isObject(value)) {
    return isText(value);
  }
  const { path, permission, protectedPaths, ...more }: Readonly<Record<string, unknown>> = {
    ...value,
  };
  return (
    isText(path) &&
    (permission === undefined || permission === 'read' || permission === 'write') &&
    (protectedPaths === undefined || isTexts(protectedPaths)) &&
    Object.keys(more).length === 0
  );
}

/** `undefined`: `task` and `options` are as the contract has them. */
export function problemOfRun(task: unknown, options: unknown): RunError | undefined {
  if (!isText(task)) {
    return invalid('The task must be a string.');
  }
  const limits = isObject(options) && 'limits' in options ? options.limits : undefined;
  return (
    problemOf('options', options, runRules) ??
    (limits === undefined ? undefined : problemOf('limits', limits, limitRules, 'limits.'))
  );
}

export function problemOfTeam(options: unknown): RunError | undefined {
  return problemOf('options', options, teamRules);
}

function problemOf(
  what: string,
  options: unknown,
  rules: Readonly<Record<string, Rule>>,
  prefix = '',
): RunError | undefined {
  if (!isObject(options)) {
    return invalid(`${what} must be an object.`);
  }
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      const likely = nearest(name, Object.keys(rules));
      const hint = likely === undefined ? undefined : `Did you mean ${prefix}${likely}?`;
      return invalid(`There is no option ${prefix}${name}.`, hint);
    }
    if (value !== undefined && !rule.accepts(value)) {
      return invalid(`${prefix}${name} must be ${rule.must}.`);
    }
  }
  return undefined;
}

function invalid(message: string, hint?: string): RunError {
  const facts = { code: 'config/invalid', message };
  return new RunError(hint === undefined ? facts : { ...facts, hint });
}
