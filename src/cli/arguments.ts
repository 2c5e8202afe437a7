import { actionOf } from './action-options';
import { UsageError } from './failure';
import type {
  CleanUpOptions,
  CommonOptions,
  ExportOptions,
  HelpPage,
  Invocation,
  LogsOptions,
  ModelsOptions,
  ViewerOptions,
} from './invocation';
import { insteadOfCommand } from './options-elsewhere';
import { type Command, commands } from './options';
import { overrideWords } from './override-words';
import { parseLine, type Values } from './parse-line';
import { common, play, runOptions } from './run-options';
import { type Shell, shells } from './shells';
import { helpPage } from './topics';

/** Throws `UsageError` for anything that is not an option here, and for options that contradict one another. */
export function parseArguments(args: readonly string[]): Invocation {
  if (args[0] === 'help') {
    refuseMore(args, 2, 'help');
    return { kind: 'help', about: args[1] === undefined ? 'short' : helpPage(args[1]) };
  }
  const { command, rest } = commandOf(args);
  const { values, positionals } = parseLine(rest, command);
  if (values.isSet('help')) {
    return { kind: 'help', about: aboutOf(values, command) };
  }
  if (values.isSet('version')) {
    return { kind: 'version' };
  }
  return invocationOf(command, values, positionals);
}

function aboutOf(values: Values, command: Command): HelpPage {
  const topic = values.one('help');
  return topic !== undefined ? helpPage(topic) : command === 'run' ? 'short' : command;
}

function invocationOf(
  command: Command,
  values: Values,
  positionals: readonly string[],
): Invocation {
  switch (command) {
    case 'run':
      return (
        actionOf(values, positionals) ?? { kind: 'run', options: runOptions(values, positionals) }
      );
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
      return { kind: 'runs', options: runsOptions(values) };
    case 'logs':
      return { kind: 'logs', options: logsOptions(values, positionals) };
    case 'export':
      refuseMore(positionals, 1, command);
      return { kind: 'export', run: positionals[0], options: exportOptions(values) };
    case 'viewer':
      refuseMore(positionals, 1, command);
      return { kind: 'viewer', run: positionals[0], options: viewerOptions(values) };
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
    case 'completion':
      return { kind: 'completion', shell: shellOf(positionals) };
  }
}

function shellOf(positionals: readonly string[]): Shell {
  refuseMore(positionals, 1, 'completion');
  const shell = shells.find((each) => each === positionals[0]);
  if (shell === undefined) {
    throw new UsageError(`massgen completion needs a shell: ${shells.join(', ')}.`);
  }
  return shell;
}

function runsOptions(values: Values): CommonOptions & { all: boolean; json: boolean } {
  return { ...common(values), all: values.isSet('all'), json: values.isSet('json') };
}

const views = ['summary', 'tools', 'list', 'open'] as const;

function logsOptions(values: Values, positionals: readonly string[]): LogsOptions {
  refuseMore(positionals, 1, 'logs');
  const [word = 'summary'] = positionals;
  const what = views.find((view) => view === word);
  if (what === undefined) {
    throw new UsageError(
      `massgen logs does not know ${word}.`,
      word === 'analyze'
        ? 'Give the files of a run to a team instead: massgen "What went wrong here?" --project DIR.'
        : `It takes one of ${views.join(', ')}.`,
    );
  }
  const limit = numberOf(values, 'limit');
  return {
    ...common(values),
    what,
    logDir: values.one('log-dir'),
    limit: limit ?? undefined,
    sort: values.one('sort') === 'calls' ? 'calls' : 'time',
    json: values.isSet('json'),
  };
}

function exportOptions(values: Values): ExportOptions {
  return {
    ...common(values),
    output: values.one('output'),
    turns: values.one('turns'),
    noWorkspace: values.isSet('no-workspace'),
    workspaceLimit: values.one('workspace-limit'),
    yes: values.isSet('yes'),
    dryRun: values.isSet('dry-run'),
    json: values.isSet('json'),
  };
}

function viewerOptions(values: Values): ViewerOptions {
  return {
    ...common(values),
    output: values.one('output'),
    force: values.isSet('force'),
    open: values.isSet('open'),
  };
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
  const [first = '', ...rest] = args;
  const found = commands.slice(1).find(({ name }) => name === first);
  if (found !== undefined) {
    return { command: found.name, rest };
  }
  const instead = insteadOfCommand(first);
  if (instead !== undefined) {
    throw new UsageError(`massgen ${first} is not available here.`, instead);
  }
  return { command: 'run', rest: args };
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

function refuseMore(positionals: readonly string[], most: number, command: string): void {
  const extra = positionals[most];
  if (extra !== undefined) {
    throw new UsageError(`massgen ${command} does not take ${extra}.`);
  }
}
