import { parseArgs } from 'node:util';
import { nearest } from '../base/text';
import { UsageError } from './failure';

export interface CliOptions {
  readonly task: string | undefined;
  readonly config: string | undefined;
  readonly project: string | undefined;
  readonly storage: string | undefined;
  /** Write the result into the project. */
  readonly apply: boolean;
  readonly allowCommands: boolean;
  readonly trustConfig: boolean;
  /** Plain `KEY: value` lines for scripts instead of text for people. */
  readonly automation: boolean;
  readonly noColor: boolean;
  readonly debug: boolean;
}

export type Invocation =
  | { readonly kind: 'run'; readonly options: CliOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' };

const flags = {
  config: { type: 'string' },
  project: { type: 'string' },
  storage: { type: 'string' },
  apply: { type: 'boolean' },
  'allow-commands': { type: 'boolean' },
  'trust-config': { type: 'boolean' },
  automation: { type: 'boolean' },
  'no-color': { type: 'boolean' },
  debug: { type: 'boolean' },
  version: { type: 'boolean', short: 'v' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const usage = `Usage: massgen [TASK] [options]

A team of agents does one task in parallel, each in its own workspace; they see each
other's answers, revise, and vote. Without arguments a scripted team shows this on a
copy of the sample project; it needs neither network nor key.

  TASK               what to do, in quotes
  --config FILE      team file; else .massgen/config.yaml of the project, then
                     ~/.config/massgen/config.yaml
  --project DIR      folder that the agents see and may propose to change; relative
                     paths of the team file start here (default: the current folder,
                     of which agents see what the team file lists)
  --apply            write the result into the project; conflicts are never overwritten
  --allow-commands   let agents run commands; they are refused otherwise
  --trust-config     use a team file that lies inside the project
  --storage DIR      where runs are kept
  --automation       plain KEY: value lines for scripts
  --no-color         no color (also NO_COLOR)
  --debug            details on standard error
  --version, --help

Exit codes: 0 done, 1 arguments or configuration, 2 no result, 3 time-out, 4 interrupted.
`;

/** Throws `UsageError` for anything that is not an option here. */
export function parseArguments(args: readonly string[]): Invocation {
  refuseUnknown(args);
  const { values, positionals } = parse(args);
  if (values.help === true) {
    return { kind: 'help' };
  }
  if (values.version === true) {
    return { kind: 'version' };
  }
  if (positionals.length > 1) {
    throw new UsageError('Only one task can be given.', 'Put the whole task in quotes.');
  }
  const task = positionals[0]?.trim();
  if (task === '') {
    throw new UsageError('The task is empty.');
  }
  return {
    kind: 'run',
    options: {
      task,
      config: values.config,
      project: values.project,
      storage: values.storage,
      apply: values.apply === true,
      allowCommands: values['allow-commands'] === true,
      trustConfig: values['trust-config'] === true,
      automation: values.automation === true,
      noColor: values['no-color'] === true,
      debug: values.debug === true,
    },
  };
}

function parse(args: readonly string[]): ReturnType<typeof parseStrictly> {
  try {
    return parseStrictly(args);
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('.')[0] ?? '') : String(error);
    throw new UsageError(`${message}.`, 'massgen --help lists the options.');
  }
}

/** Its type follows from `flags`. */
function parseStrictly(args: readonly string[]) {
  return parseArgs({ args: [...args], options: flags, allowPositionals: true, strict: true });
}

/** Node's own message names no likely spelling. */
function refuseUnknown(args: readonly string[]): void {
  const end = args.indexOf('--');
  for (const arg of end === -1 ? args : args.slice(0, end)) {
    const name = /^--([^=]+)/.exec(arg)?.[1];
    if (name !== undefined && !Object.hasOwn(flags, name)) {
      const suggestion = nearest(name, Object.keys(flags));
      const hint = suggestion === undefined ? '' : ` Did you mean --${suggestion}?`;
      throw new UsageError(`--${name} is not an option.${hint}`, 'massgen --help lists them.');
    }
  }
}
