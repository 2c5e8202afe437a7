import { namesFileKey } from '../base/variables';
import type { BackendKind } from '../core/ports/backend-kind';
import {
  type EgressProgram,
  programsOf,
  reachOfPrograms,
  serverVariables,
} from './egress-programs';
import { isLocalName } from './local-name';
import type { AgentConfig, RunConfig } from './run-config';

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
  /** It stands in the file itself, so it is none of the user's other keys; its name says nothing. */
  readonly isOfFile?: true;
}

/** A file that is got from a host for agents to see; its address is all that the host is told. */
export interface EgressDownload {
  readonly host: string;
  readonly address: string;
}

/** What a team file would send where: shown to a person before the file of a workspace is first used. */
export interface Egress {
  readonly hosts: readonly EgressHost[];
  /** Every variable that the file names. */
  readonly variables: readonly string[];
  /** Folders and files that agents would see, as written. */
  readonly paths: readonly string[];
  /** Files of other places that agents would see. */
  readonly downloads: readonly EgressDownload[];
  /** Commands that it has run in copies of the project, as they are. */
  readonly commands: readonly string[];
  /** Programs that it starts: agent programs, servers of tools, tools of the user. */
  readonly programs: readonly EgressProgram[];
}

export function describeEgress(config: RunConfig, kinds: readonly BackendKind[]): Egress {
  const { agents, judge } = config;
  const asked = [...agents, ...(judge === undefined ? [] : [{ id: 'the judge', backend: judge }])];
  const programs = programsOf(agents, kinds);
  const reach = reachOfPrograms(agents, kinds);
  const ofModels = modelKeys(kinds);
  const further = reach.hosts.map(({ keys, ownKeys, ...each }) => ({
    ...each,
    keys: keys.map((name) => ({ name, isUsual: ownKeys.includes(name) || !ofModels.has(name) })),
  }));
  const named = asked.flatMap(({ backend: { apiKeyName } }) => apiKeyName ?? []);
  const uploads = agents.flatMap(({ tools }) => (tools?.uploads ?? []).map(({ source }) => source));
  const variables = [
    ...named,
    ...(config.variables ?? []),
    ...programs.flatMap((program) => program.variables),
  ];
  return {
    hosts: joined([...modelHosts(asked, kinds), ...further, ...serverHosts(agents, kinds)]),
    variables: [...new Set(variables)].filter((name) => !namesFileKey(name)).sort(),
    paths: [
      ...config.contextPaths.map(({ path }) => path),
      ...new Set(reach.paths),
      ...uploads.filter((source) => downloadOf(source) === undefined),
    ],
    downloads: [...new Set(uploads)].flatMap((source) => downloadOf(source) ?? []),
    commands: (config.settings.checks ?? []).map(({ command }) => command),
    programs,
  };
}

function downloadOf(source: string): EgressDownload | undefined {
  return /^https?:/i.test(source) && URL.canParse(source)
    ? { host: new URL(source).host, address: source }
    : undefined;
}

/** Names of the keys that model services have without a word of the file. */
function modelKeys(kinds: readonly BackendKind[]): ReadonlySet<string> {
  const settings = { model: '', apiKeyName: undefined, options: {} };
  return new Set(kinds.flatMap((kind) => kind.keyNamesOf({ type: kind.type, ...settings })));
}

interface Sent {
  readonly id: string;
  readonly host: string;
  readonly keys: readonly EgressKey[];
}

function modelHosts(
  asked: readonly Pick<AgentConfig, 'id' | 'backend'>[],
  kinds: readonly BackendKind[],
): readonly Sent[] {
  return asked.flatMap(({ id, backend }) => {
    const kind = kinds.find(({ type }) => type === backend.type);
    const host = kind?.hostOf(backend);
    const usual = kind?.keyNamesOf({ ...backend, apiKeyName: undefined }) ?? [];
    const given =
      kind?.isProgram === true ? kind.givenKeysOf?.({ ...backend, apiKeyName: undefined }) : [];
    const own = [...usual, ...(given ?? [])];
    const names = backend.apiKeyName === undefined ? usual : [backend.apiKeyName];
    const keys = names.map((name) => keyOf(name, own.includes(name)));
    return host === undefined ? [] : [{ id, host, keys }];
  });
}

/** Servers of tools that are reached over the network. A key of a model service is none of theirs. */
function serverHosts(
  agents: readonly AgentConfig[],
  kinds: readonly BackendKind[],
): readonly Sent[] {
  const ofModels = modelKeys(kinds);
  return agents.flatMap(({ id, tools }) =>
    (tools?.servers ?? []).flatMap((server) => {
      const { transport, isLocalAllowed } = server;
      const keys = serverVariables(server).map((name) => keyOf(name, !ofModels.has(name)));
      if (transport.type === 'stdio') {
        return [];
      }
      const { host, hostname } = new URL(transport.url);
      // What may be local need not be: only what looks it stays here.
      const isLocal = isLocalAllowed === true && isLocalName(hostname);
      return isLocal ? [] : [{ id, host, keys }];
    }),
  );
}

function keyOf(name: string, isUsual: boolean): EgressKey {
  return namesFileKey(name) ? { name, isUsual: true, isOfFile: true } : { name, isUsual };
}

function joined(all: readonly Sent[]): readonly EgressHost[] {
  const hosts = new Map<string, EgressHost>();
  for (const { id, host, keys } of all) {
    const known = hosts.get(host) ?? { host, agentIds: [], keys: [] };
    const names = keys.map(({ name }) => name);
    hosts.set(host, {
      host,
      agentIds: [...new Set([...known.agentIds, id])],
      keys: [...known.keys.filter((other) => !names.includes(other.name)), ...keys],
    });
  }
  return [...hosts.values()];
}
