// Options that do one thing and leave, instead of a run.
import { UsageError } from './failure';
import type { Invocation } from './invocation';
import { conflicts } from './options-of-runs';
import { optionsOf } from './options';
import type { Values } from './parse-line';
import { common } from './run-options';

const options = optionsOf('run');
const actions = options.filter(({ isAction }) => isAction === true).map(({ name }) => name);

/** `undefined`: a run is meant. Throws `UsageError` for options that cannot stand together. */
export function actionOf(values: Values, positionals: readonly string[]): Invocation | undefined {
  refuseStrays(values);
  refuseConflicts(values);
  const [action, second] = actions.filter((name) => values.isSet(name));
  if (action === undefined) {
    return undefined;
  }
  if (second !== undefined) {
    throw new UsageError(`--${action} and --${second} are two things of their own; ask for one.`);
  }
  if (positionals.length > 0) {
    throw new UsageError(`--${action} takes no task.`, 'It starts no run; leave out the task.');
  }
  refuseOthers(action, values);
  return invocationOf(action, values);
}

function refuseStrays(values: Values): void {
  for (const { name, goesWith } of options) {
    if (values.isSet(name) && goesWith?.some((other) => values.isSet(other)) === false) {
      const others = goesWith.map((other) => `--${other}`);
      throw new UsageError(`--${name} goes with ${others.join(' or ')}.`);
    }
  }
}

function refuseConflicts(values: Values): void {
  for (const { one, other, because } of conflicts) {
    const first = one.find((name) => values.isSet(name));
    const second = other.find((name) => name !== first && values.isSet(name));
    if (first !== undefined && second !== undefined) {
      throw new UsageError(`--${first} and --${second} exclude one another. ${because}`);
    }
  }
}

/** What an action understands beside what everything does and what goes with it. */
const understood: Readonly<Record<string, readonly string[]>> = {
  validate: ['project'],
  quickstart: ['config'],
};

function refuseOthers(action: string, values: Values): void {
  const stray = options.find(
    ({ name, goesWith, commands: only, isAction }) =>
      values.isSet(name) &&
      only !== undefined &&
      isAction !== true &&
      goesWith?.includes(action) !== true &&
      understood[action]?.includes(name) !== true,
  );
  if (stray !== undefined) {
    throw new UsageError(`--${stray.name} means nothing to --${action}.`, 'It starts no run.');
  }
}

function invocationOf(action: string, values: Values): Invocation | undefined {
  const shared = common(values);
  const json = values.isSet('json');
  switch (action) {
    case 'validate':
      return { kind: 'validate', options: validateOptions(values) };
    case 'list-backends':
    case 'list-examples':
      return { kind: action, options: { ...shared, json } };
    case 'list-sessions':
      return { kind: action, options: { ...shared, json, all: values.isSet('all') } };
    case 'example':
      return { kind: 'example', name: values.one('example') ?? '', options: shared };
    case 'show-schema': {
      const backend = values.one('schema-backend');
      const withExamples = values.isSet('with-examples');
      return { kind: 'show-schema', options: { ...shared, backend, withExamples } };
    }
    case 'setup':
    case 'init':
      return { kind: action, options: shared };
    case 'quickstart':
      return quickstart(values);
    case 'generate-config':
      return generateConfig(values);
    default:
      return undefined;
  }
}

function validateOptions(
  values: Values,
): Extract<Invocation, { readonly kind: 'validate' }>['options'] {
  return {
    ...common(values),
    file: values.one('validate') ?? '',
    project: values.one('project'),
    strict: values.isSet('strict'),
    json: values.isSet('json'),
    verbose: values.isSet('verbose'),
  };
}

function quickstart(values: Values): Invocation {
  return {
    kind: 'quickstart',
    options: {
      ...common(values),
      config: values.one('config'),
      headless: values.isSet('headless'),
      agents: values.all('quickstart-agent'),
      force: values.isSet('force'),
    },
  };
}

function generateConfig(values: Values): Invocation {
  return {
    kind: 'generate-config',
    options: {
      ...common(values),
      path: values.one('generate-config') ?? '',
      backend: values.one('config-backend'),
      model: values.one('config-model'),
      agents: values.one('config-agents'),
      agentId: values.one('config-agent-id'),
      isDocker: values.isSet('config-docker'),
      contextPath: values.one('config-context-path'),
      force: values.isSet('force'),
    },
  };
}
