import { parseArgs, type ParseArgsConfig } from 'node:util';
import { nearest } from '../base/text';
import { UsageError } from './failure';
import { type Command, commands, options, optionsOf } from './options';
import { type OverrideWords, overrideWords } from './override-words';

export interface CommonOptions {
  readonly storage: string | undefined;
  readonly noColor: boolean;
  readonly debug: boolean;
}

/** Of everything that plays agents. */
export interface PlayOptions extends CommonOptions {
  readonly config: string | undefined;
  /** Write the result into the project. */
  readonly apply: boolean;
  readonly allowCommands: boolean;
  readonly trustConfig: boolean;
}

export interface CliOptions extends PlayOptions {
  readonly task: string | undefined;
  readonly project: string | undefined;
  /** Plain `KEY: value` lines for scripts instead of text for people. */
  readonly automation: boolean;
  /** Keep the readable files of the run in `.massgen` of the project. */
  readonly logInProject: boolean;
  /** Names or commands of checks, or none at all; `undefined`: those of the team file. */
  readonly checks: readonly string[] | 'none' | undefined;
  /** Where the task goes on from; `undefined`: nowhere. */
  readonly follows: 'folder' | { readonly session: string } | undefined;
}

export interface RedecideOptions extends CommonOptions {
  readonly overrides: OverrideWords;
  readonly json: boolean;
}

export interface RunsOptions extends CommonOptions {
  readonly all: boolean;
  readonly json: boolean;
}

export interface ModelsOptions extends CommonOptions {
  /** Ask the service. */
  readonly refresh: boolean;
  /** `undefined`: the one of the type. */
  readonly baseUrl: string | undefined;
  readonly json: boolean;
}

export interface PatchOptions extends CommonOptions {
  /** `undefined`: standard output. */
  readonly output: string | undefined;
}

export interface CleanUpOptions extends CommonOptions {
  readonly limits: {
    readonly runs: number | null;
    readonly days: number | null;
    readonly bytes: number | null;
  };
  readonly dryRun: boolean;
}

/** `run` of the others: as written. */
export type Invocation =
  | { readonly kind: 'run'; readonly options: CliOptions }
  | { readonly kind: 'replay'; readonly run: string; readonly options: CommonOptions }
  | { readonly kind: 'redecide'; readonly run: string; readonly options: RedecideOptions }
  | { readonly kind: 'resume'; readonly run: string; readonly options: PlayOptions }
  | { readonly kind: 'runs'; readonly options: RunsOptions }
  | { readonly kind: 'patch'; readonly run: string; readonly options: PatchOptions }
  | { readonly kind: 'clean-up'; readonly options: CleanUpOptions }
  | { readonly kind: 'models'; readonly type: string | undefined; readonly options: ModelsOptions }
  | { readonly kind: 'help'; readonly command: Command }
  | { readonly kind: 'version' };

/** Throws `UsageError` for anything that is not an option here. */
export function parseArguments(args: readonly string[]): Invocation {
  const { command, rest } = commandOf(args);
  refuseUnknown(rest, command);
  const { values, positionals } = parse(rest, command);
  if (values.isSet('help')) {
    return { kind: 'help', command };
  }
  if (values.isSet('version')) {
    return { kind: 'version' };
  }
  return invocationOf(command, values, positionals);
}

function invocationOf(
  command: Command,
  values: Values,
  positionals: readonly string[],
): Invocation {
  switch (command) {
    case 'run':
      return { kind: 'run', options: runOptions(values, positionals) };
    case 'replay':
      return { kind: 'replay', run: runOf(positionals, command), options: common(values) };
    case 'redecide': {
      const overrides = overrideWords((name) => values.all(name));
      const further = { overrides, json: values.isSet('json') };
      return {
        kind: 'redecide',
        run: runOf(positionals, command),
        options: { ...common(values), ...further },
      };
    }
    case 'resume':
      return { kind: 'resume', run: runOf(positionals, command), options: play(values) };
    case 'runs':
      refuseMore(positionals, 0, command);
      return {
        kind: 'runs',
        options: { ...common(values), all: values.isSet('all'), json: values.isSet('json') },
      };
    case 'patch': {
      const run = runOf(positionals, command);
      return { kind: 'patch', run, options: { ...common(values), output: values.one('output') } };
    }
    case 'clean-up':
      refuseMore(positionals, 0, command);
      return { kind: 'clean-up', options: cleanUpOptions(values) };
    case 'models':
      refuseMore(positionals, 1, command);
      return { kind: 'models', type: positionals[0], options: modelsOptions(values) };
  }
}

function modelsOptions(values: Values): ModelsOptions {
  return {
    ...common(values),
    refresh: values.isSet('refresh'),
    baseUrl: values.one('base-url'),
    json: values.isSet('json'),
  };
}

function cleanUpOptions(values: Values): CleanUpOptions {
  const gigabytes = numberOf(values, 'max-size');
  return {
    ...common(values),
    limits: {
      runs: numberOf(values, 'keep'),
      days: numberOf(values, 'older-than'),
      bytes: gigabytes === null ? null : gigabytes * 1e9,
    },
    dryRun: values.isSet('dry-run'),
  };
}

function numberOf(values: Values, name: string): number | null {
  const written = values.one(name);
  if (written === undefined) {
    return null;
  }
  if (!/^\d+(\.\d+)?$/.test(written)) {
    throw new UsageError(`--${name} needs a number of at least 0.`);
  }
  return Number(written);
}

/** A command is the very first word; a task of that one word is written after two dashes. */
function commandOf(args: readonly string[]): {
  readonly command: Command;
  readonly rest: readonly string[];
} {
  const [first, ...rest] = args;
  const found = commands.slice(1).find(({ name }) => name === first);
  return found === undefined ? { command: 'run', rest: args } : { command: found.name, rest };
}

function runOptions(values: Values, positionals: readonly string[]): CliOptions {
  if (positionals.length > 1) {
    throw new UsageError('Only one task can be given.', 'Put the whole task in quotes.');
  }
  const task = positionals[0]?.trim();
  if (task === '') {
    throw new UsageError('The task is empty.');
  }
  const follows = followsOf(values);
  if (follows !== undefined && task === undefined) {
    throw new UsageError('There is no task.', 'Say what to do next, in quotes.');
  }
  const logInProject = values.isSet('log-in-project');
  if (logInProject && task === undefined) {
    throw new UsageError('The sample project is removed again; --log-in-project needs a task.');
  }
  return {
    ...play(values),
    task,
    project: values.one('project'),
    automation: values.isSet('automation'),
    logInProject,
    checks: checksOf(values),
    follows,
  };
}

function checksOf(values: Values): CliOptions['checks'] {
  const words = values.all('check').map((word) => word.trim());
  const isOff = values.isSet('no-checks');
  if (isOff && words.length > 0) {
    throw new UsageError('--check and --no-checks contradict one another.');
  }
  if (words.includes('')) {
    throw new UsageError('--check needs the name of a check, or a command in quotes.');
  }
  return isOff ? 'none' : words.length === 0 ? undefined : words;
}

function followsOf(values: Values): CliOptions['follows'] {
  const session = values.one('session');
  const isContinuing = values.isSet('continue');
  if (session !== undefined && isContinuing) {
    throw new UsageError('--continue and --session name two places to go on from.');
  }
  return session === undefined ? (isContinuing ? 'folder' : undefined) : { session };
}

function play(values: Values): PlayOptions {
  return {
    ...common(values),
    config: values.one('config'),
    apply: values.isSet('apply'),
    allowCommands: values.isSet('allow-commands'),
    trustConfig: values.isSet('trust-config'),
  };
}

function common(values: Values): CommonOptions {
  return {
    storage: values.one('storage'),
    noColor: values.isSet('no-color'),
    debug: values.isSet('debug'),
  };
}

function runOf(positionals: readonly string[], command: Command): string {
  refuseMore(positionals, 1, command);
  const [run] = positionals;
  if (run === undefined || run === '') {
    throw new UsageError(
      `massgen ${command} needs a run.`,
      'massgen runs lists them; latest is the newest one.',
    );
  }
  return run;
}

function refuseMore(positionals: readonly string[], most: number, command: Command): void {
  const extra = positionals[most];
  if (extra !== undefined) {
    throw new UsageError(`massgen ${command} does not take ${extra}.`);
  }
}

/** What was written after the options, by their names. */
interface Values {
  one(name: string): string | undefined;
  all(name: string): readonly string[];
  isSet(name: string): boolean;
}

interface Parsed {
  readonly values: Values;
  readonly positionals: readonly string[];
}

function parse(args: readonly string[], command: Command): Parsed {
  const config: ParseArgsConfig = {
    args: [...args],
    options: Object.fromEntries(
      optionsOf(command).map(({ name, short, value, isRepeatable }) => [
        name,
        {
          type: value === undefined ? 'boolean' : 'string',
          ...(short === undefined ? {} : { short }),
          multiple: isRepeatable === true,
        },
      ]),
    ),
    allowPositionals: true,
    strict: true,
  };
  try {
    const { values, positionals } = parseArgs(config);
    const all = (name: string): readonly string[] =>
      [values[name] ?? []].flat().filter((value) => typeof value === 'string');
    return {
      values: { all, one: (name) => all(name).at(-1), isSet: (name) => values[name] === true },
      positionals,
    };
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('.')[0] ?? '') : String(error);
    throw new UsageError(`${message}.`, 'massgen --help lists the options.');
  }
}

/** Node's own message names no likely spelling, and does not know what other commands take. */
function refuseUnknown(args: readonly string[], command: Command): void {
  const end = args.indexOf('--');
  const known = optionsOf(command).map(({ name }) => name);
  for (const arg of end === -1 ? args : args.slice(0, end)) {
    const name = /^--([^=]+)/.exec(arg)?.[1];
    if (name !== undefined && !known.includes(name)) {
      throw unknownOption(name, known, command);
    }
  }
}

/** Options that people know from MassGen, and what does the same here. */
const namesInMassGen: Readonly<Record<string, string>> = {
  'session-id': '--session ID',
  'list-sessions': 'massgen runs',
  'orchestrator-timeout': 'timeout_settings in the team file',
  'cwd-context': '--project DIR',
};

function unknownOption(name: string, known: readonly string[], command: Command): UsageError {
  const other = options.find((each) => each.name === name)?.commands?.[0];
  if (other !== undefined) {
    const place = other === 'run' ? 'a new run' : `massgen ${other}`;
    return new UsageError(`--${name} is an option of ${place} only.`);
  }
  const ours = Object.hasOwn(namesInMassGen, name) ? namesInMassGen[name] : undefined;
  if (ours !== undefined) {
    return new UsageError(`--${name} is not an option here.`, `The same is done by ${ours}.`);
  }
  const suggestion = nearest(name, known);
  const hint = suggestion === undefined ? '' : ` Did you mean --${suggestion}?`;
  const help = command === 'run' ? 'massgen --help' : `massgen ${command} --help`;
  return new UsageError(`--${name} is not an option.${hint}`, `${help} lists them.`);
}
