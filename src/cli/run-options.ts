// The options of a run, read from a line.
import { UsageError } from './failure';
import type {
  CliOptions,
  CommonOptions,
  PlayOptions,
  QuickOptions,
  TeamChanges,
} from './invocation';
import type { Values } from './parse-line';

/** Throws `UsageError` for what cannot be meant; conflicts of options have been found before. */
export function runOptions(values: Values, positionals: readonly string[]): CliOptions {
  if (positionals.length > 1) {
    throw new UsageError('Only one task can be given.', 'Put the whole task in quotes.');
  }
  const task = positionals[0]?.trim();
  if (task === '') {
    throw new UsageError('The task is empty.');
  }
  requireTask(values, task);
  return {
    ...play(values),
    task,
    isDemonstration: values.isSet('demo'),
    project: values.one('project'),
    select: values.isSet('select'),
    quick: quickOf(values),
    changes: changesOf(values),
    checks: checksOf(values),
    follows: followsOf(values),
    ...contextOf(values),
    ...showingOf(values),
    ...keepingOf(values),
  };
}

function requireTask(values: Values, task: string | undefined): void {
  if (task !== undefined && values.isSet('demo')) {
    throw new UsageError('The demonstration has its own task.', 'Leave out the task, or --demo.');
  }
  if (task !== undefined) {
    return;
  }
  if (values.isSet('continue') || values.isSet('session-id')) {
    throw new UsageError('There is no task.', 'Say what to do next, in quotes.');
  }
  if (values.isSet('log-in-project')) {
    throw new UsageError('The sample project is removed again; --log-in-project needs a task.');
  }
}

export function play(values: Values): PlayOptions {
  return {
    ...common(values),
    config: values.one('config'),
    apply: values.isSet('apply'),
    allowCommands: values.isSet('allow-commands'),
    trustConfig: values.isSet('trust-config'),
  };
}

export function common(values: Values): CommonOptions {
  return {
    storage: pathOf(values, 'storage'),
    noColor: values.isSet('no-color'),
    debug: values.isSet('debug'),
  };
}

function quickOf(values: Values): QuickOptions | undefined {
  const models = values.all('model');
  const backend = values.one('backend');
  if (models.length === 0 && backend === undefined) {
    const stray = ['system-message', 'base-url'].find((name) => values.isSet(name));
    if (stray !== undefined) {
      throw new UsageError(`--${stray} goes with --model or --backend.`);
    }
    return undefined;
  }
  return {
    ...{ models, backend },
    systemMessage: values.one('system-message'),
    baseUrl: values.one('base-url'),
  };
}

function changesOf(values: Values): TeamChanges {
  const mode = values.one('coordination-mode');
  return {
    singleAgent: values.isSet('single-agent') ? { id: values.one('single-agent') } : undefined,
    isQuick: values.isSet('quick'),
    coordinationMode: mode === 'parallel' || mode === 'decomposition' ? mode : undefined,
    timeoutSeconds: secondsOf(values.one('orchestrator-timeout')),
  };
}

/** About a month; longer ones are typing errors, and timers cannot wait for them. */
const longestSeconds = 2_000_000;

function secondsOf(written: string | undefined): number | undefined {
  if (written === undefined) {
    return undefined;
  }
  const seconds = Number(written);
  if (!/^\d+$/.test(written) || seconds < 1 || seconds > longestSeconds) {
    throw new UsageError(
      `--orchestrator-timeout takes whole seconds from 1 to ${longestSeconds}, not ${written}.`,
    );
  }
  return seconds;
}

function contextOf(values: Values): Pick<CliOptions, 'cwdContext' | 'readsReferences'> {
  const way = values.one('cwd-context');
  return {
    cwdContext: way === undefined ? undefined : way === 'rw' || way === 'write' ? 'write' : 'read',
    readsReferences: !values.isSet('no-parse-at-references'),
  };
}

/** Automation always wins over how a run is shown. */
function showingOf(
  values: Values,
): Pick<
  CliOptions,
  'display' | 'automation' | 'timeline' | 'streamEvents' | 'warnings' | 'rateLimit'
> {
  const streamEvents = values.isSet('stream-events');
  const automation = streamEvents || values.isSet('automation');
  const display = values.isSet('no-display') ? 'simple' : values.one('display');
  return {
    display:
      automation || display === 'simple' ? 'simple' : display === undefined ? undefined : 'live',
    automation,
    timeline: values.isSet('timeline'),
    streamEvents,
    warnings: values.isSet('strict-validation')
      ? 'strict'
      : values.isSet('skip-validation')
        ? 'silent'
        : 'told',
    rateLimit: values.isSet('rate-limit'),
  };
}

function keepingOf(
  values: Values,
): Pick<CliOptions, 'outputFile' | 'inboxDir' | 'noLogs' | 'noSessionRegistry' | 'logInProject'> {
  return {
    outputFile: pathOf(values, 'output-file'),
    inboxDir: pathOf(values, 'inbox-dir'),
    noLogs: values.isSet('no-logs'),
    noSessionRegistry: values.isSet('no-session-registry'),
    logInProject: values.isSet('log-in-project'),
  };
}

function pathOf(values: Values, name: string): string | undefined {
  const written = values.one(name);
  if (written?.trim() === '') {
    throw new UsageError(`--${name} needs a path.`);
  }
  return written;
}

function checksOf(values: Values): CliOptions['checks'] {
  const words = values.all('check').map((word) => word.trim());
  if (words.includes('')) {
    throw new UsageError('--check needs the name of a check, or a command in quotes.');
  }
  return values.isSet('no-checks') ? 'none' : words.length === 0 ? undefined : words;
}

function followsOf(values: Values): CliOptions['follows'] {
  const session = values.one('session-id');
  return session === undefined ? (values.isSet('continue') ? 'folder' : undefined) : { session };
}
