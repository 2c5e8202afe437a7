import type { BackendKind } from '../core/ports/backend-kind';
import type { RunConfig } from './run-config';

/** One host that would receive the task, code of the project, and possibly a key. */
export interface EgressHost {
  readonly host: string;
  readonly agentIds: readonly string[];
  /** Names of the variables whose values are sent there. */
  readonly keys: readonly EgressKey[];
}

export interface EgressKey {
  readonly name: string;
  /** False when this key is not the usual one of this host: a person must confirm the pair. */
  readonly isUsual: boolean;
}

/** What a team file would send where: shown to a person before the file of a workspace is first used. */
export interface Egress {
  readonly hosts: readonly EgressHost[];
  /** Every variable that the file names. */
  readonly variables: readonly string[];
  /** Folders and files that agents would see, as written. */
  readonly paths: readonly string[];
  /** Commands that it has run in copies of the project, as they are. */
  readonly commands: readonly string[];
}

export function describeEgress(config: RunConfig, kinds: readonly BackendKind[]): Egress {
  const hosts = new Map<string, EgressHost>();
  const { agents, judge } = config;
  const asked = [...agents, ...(judge === undefined ? [] : [{ id: 'the judge', backend: judge }])];
  for (const { id, backend } of asked) {
    const kind = kinds.find(({ type }) => type === backend.type);
    const usual = kind?.defaultKeyName({ ...backend, apiKeyName: undefined });
    const name = backend.apiKeyName ?? usual;
    const host = kind?.hostOf(backend);
    if (host !== undefined) {
      const known = hosts.get(host) ?? { host, agentIds: [], keys: [] };
      const key = name === undefined ? [] : [{ name, isUsual: name === usual }];
      hosts.set(host, {
        host,
        agentIds: [...known.agentIds, id],
        keys: [...known.keys.filter((other) => other.name !== name), ...key],
      });
    }
  }
  const names = asked.flatMap(({ backend: { apiKeyName } }) => apiKeyName ?? []);
  return {
    hosts: [...hosts.values()],
    variables: [...new Set(names)].sort(),
    paths: config.contextPaths.map(({ path }) => path),
    commands: (config.settings.checks ?? []).map(({ command }) => command),
  };
}
