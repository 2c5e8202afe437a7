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
  /** Programs that it starts: agent programs, servers of tools, tools of the user. */
  readonly programs: readonly EgressProgram[];
}

export interface EgressProgram {
  /** What it is for, e.g. `tools "weather"`. */
  readonly purpose: string;
  /** Program and arguments as they are, or the address of a server. */
  readonly command: string;
  /** Names of variables that it is given. */
  readonly variables: readonly string[];
  readonly agentIds: readonly string[];
}

export function describeEgress(config: RunConfig, kinds: readonly BackendKind[]): Egress {
  const hosts = new Map<string, EgressHost>();
  const { agents, judge } = config;
  const asked = [...agents, ...(judge === undefined ? [] : [{ id: 'the judge', backend: judge }])];
  for (const { id, backend } of asked) {
    const kind = kinds.find(({ type }) => type === backend.type);
    const usual = kind?.keyNamesOf({ ...backend, apiKeyName: undefined }) ?? [];
    const names = backend.apiKeyName === undefined ? usual : [backend.apiKeyName];
    const host = kind?.hostOf(backend);
    if (host !== undefined) {
      const known = hosts.get(host) ?? { host, agentIds: [], keys: [] };
      const own = names.map((name) => ({ name, isUsual: usual.includes(name) }));
      hosts.set(host, {
        host,
        agentIds: [...known.agentIds, id],
        keys: [...known.keys.filter((other) => !names.includes(other.name)), ...own],
      });
    }
  }
  const names = asked.flatMap(({ backend: { apiKeyName } }) => apiKeyName ?? []);
  return {
    hosts: [...hosts.values()],
    variables: [...new Set(names)].sort(),
    paths: config.contextPaths.map(({ path }) => path),
    commands: (config.settings.checks ?? []).map(({ command }) => command),
    programs: [],
  };
}
