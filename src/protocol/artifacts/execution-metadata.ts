// `execution_metadata.yaml`, as data: what was run, where and with which settings. Whoever writes it makes the text.
import { toSnakeKey, withKeys } from './key-case';
import { agentMapping } from './ballot-file';
import type { RunState } from '../../run/state';

const schemaVersion = 1;

/** What only the process that started the run knows. Without it a replay still has everything from the log. */
export interface HostFacts {
  readonly productVersion: string;
  readonly runtime: { readonly name: string; readonly version: string };
  readonly workingDirectory: string;
  /** Absolute path of the team file. */
  readonly configPath: string | null;
  /** The team as it was resolved. */
  readonly config: unknown;
  /** Arguments of the command line; `null` in the editor. */
  readonly cliArgs: readonly string[] | null;
  readonly git: { readonly commit: string; readonly branch: string | null } | null;
}

const unknownHost = {
  productVersion: null,
  runtime: null,
  workingDirectory: null,
  configPath: null,
  config: null,
  cliArgs: null,
  git: null,
};

export function toExecutionMetadata(
  state: RunState,
  host: HostFacts | null,
): Readonly<Record<string, unknown>> {
  const { runSeed, ...settings } = state.settings;
  const { configPath, config, cliArgs, git, runtime, productVersion, workingDirectory } =
    host ?? unknownHost;
  return {
    schema_version: schemaVersion,
    query: state.task,
    timestamp: new Date(state.startedAt).toISOString(),
    run_id: state.runId,
    session_id: state.session?.sessionId ?? state.runId,
    turn: state.session?.turn ?? 1,
    config_path: configPath,
    config: withoutSecrets(config),
    cli_args: cliArgs,
    ...{ git, runtime },
    product_version: productVersion,
    working_directory: workingDirectory,
    team: state.teamName,
    agent_mapping: agentMapping(state),
    agents: state.agents.map(({ info }) => withKeys(info, toSnakeKey)),
    profile: settings.profile,
    run_seed: runSeed,
    settings: withKeys(settings, toSnakeKey),
    caps: withKeys(state.caps, toSnakeKey),
    context_paths: state.contextRoots.map(({ name, path, permission }) => ({
      name,
      path,
      permission,
    })),
  };
}

const secretKey = /key|token|secret|password|authorization/i;
/** Names of variables, and numbers of tokens, are no secrets. */
const harmless = /name$|tokens$|budget/i;

/** Values under keys that sound like a secret are taken out, whatever they are. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutSecrets);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [
        key,
        secretKey.test(key) && !harmless.test(key) && member !== null
          ? '[removed]'
          : withoutSecrets(member),
      ]),
  );
}
