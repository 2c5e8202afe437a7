// What a team file has started beside its models: servers of tools, tools of the user, agent programs.
import { shownCommand } from '../base/shown-command';
import { namesFileKey, namesKey, referencesIn } from '../base/variables';
import type { BackendKind, OptionValue, ToolServerConfig } from '../core/ports/backend-kind';
import type { AgentConfig, CustomToolConfig } from './run-config';
import { variableName } from './secret-text';

export interface EgressProgram {
  /** What it is for, e.g. `the server of tools "weather"`. */
  readonly purpose: string;
  /** Program and arguments as they are, or the address of a server. */
  readonly command: string;
  /** Names of variables that it is given. */
  readonly variables: readonly string[];
  /** It is given a key that stands in the file itself. */
  readonly isGivenFileKey?: true;
  readonly agentIds: readonly string[];
}

/** Places of the editor and the agent's own folder are written like variables. */
const places = ['workspaceFolder', 'workspaceRoot', 'userHome', 'cwd'];

export function isPlaceName(name: string): boolean {
  return places.includes(name);
}

/** Equal ones of several agents once. */
export function programsOf(
  agents: readonly AgentConfig[],
  kinds: readonly BackendKind[],
): readonly EgressProgram[] {
  const found = new Map<string, EgressProgram>();
  for (const agent of agents) {
    const { servers = [], custom = [] } = agent.tools ?? {};
    const own = [
      ...agentProgram(agent, kinds),
      ...servers.map(serverProgram),
      ...custom.map(customProgram),
    ];
    for (const program of own) {
      const key = JSON.stringify(program);
      const agentIds = [...(found.get(key)?.agentIds ?? []), agent.id];
      found.set(key, { ...program, agentIds });
    }
  }
  return [...found.values()];
}

type Program = Omit<EgressProgram, 'agentIds'>;

function agentProgram({ backend }: AgentConfig, kinds: readonly BackendKind[]): readonly Program[] {
  const kind = kinds.find(({ type }) => type === backend.type);
  if (kind?.isProgram !== true) {
    return [];
  }
  const environment = membersOf(backend.options['env']);
  const isNamed = textsIn(backend.options['command']).some((word) => word !== '');
  const words = isNamed ? kind.commandOf(backend) : [];
  const command = isNamed ? startedAs({ command: words, environment }) : kind.title;
  const named = variablesIn([...words, ...Object.values(environment)]);
  const variables = [...new Set([...named, ...(kind.givenKeysOf?.(backend) ?? [])])].sort();
  return [{ purpose: 'an agent program', command, variables }];
}

interface ProgramHost {
  readonly id: string;
  readonly host: string;
  /** Variables of the program that may be sent there: the address and they stand side by side. */
  readonly keys: readonly string[];
  /** Keys that belong to the service at this address. */
  readonly ownKeys: readonly string[];
}

/** What agent programs are given beside the files of the task. */
export interface ProgramReach {
  /** Places beyond those of their own services, as written, by agent. */
  readonly hosts: readonly ProgramHost[];
  /** Of the user's home, as written. */
  readonly paths: readonly string[];
}

export function reachOfPrograms(
  agents: readonly AgentConfig[],
  kinds: readonly BackendKind[],
): ProgramReach {
  const programs = agents.filter(({ backend }) =>
    kinds.some(({ type, isProgram }) => type === backend.type && isProgram === true),
  );
  return {
    hosts: programs.flatMap(({ id, backend, tools }) => {
      const named = namedHosts(backend, kinds);
      // A program shares one list of hosts with the servers that it starts.
      const ofServers = (tools?.servers ?? []).flatMap(({ hosts = [] }) => hosts);
      const allowed = textsIn(backend.options['hosts']);
      return [...allowed.map(keyless), ...named, ...ofServers.map(keyless)].map((each) => ({
        ...{ id, ...each },
      }));
    }),
    paths: programs.flatMap(({ backend }) => textsIn(backend.options['credentials'])),
  };
}

function keyless(host: string): Omit<ProgramHost, 'id'> {
  return { host, keys: [], ownKeys: [] };
}

/** A service that a program is sent to instead of its own gets the key that it is given. */
function namedHosts(
  backend: AgentConfig['backend'],
  kinds: readonly BackendKind[],
): readonly Omit<ProgramHost, 'id'>[] {
  const environment = membersOf(backend.options['env']);
  const keys = variablesIn(Object.values(environment)).filter(namesKey);
  return Object.entries(environment).flatMap(([name, address]) => {
    const env = { [name]: address };
    const there = { ...backend, apiKeyName: undefined, options: { ...backend.options, env } };
    const kind = kinds.find(({ type }) => type === backend.type);
    const ownKeys = kind?.isProgram === true ? (kind.givenKeysOf?.(there) ?? []) : [];
    return hostIn(address).map((host) => ({ host, keys, ownKeys }));
  });
}

/** With its port, as agent programs tell the host of their service. */
function hostIn(text: string): readonly string[] {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) {
    return [];
  }
  const { hostname, port, protocol } = new URL(text);
  return [`${hostname}:${port === '' ? (protocol === 'http:' ? '80' : '443') : port}`];
}

/** Members of a mapping as the program gets them. */
function membersOf(value: OptionValue | undefined): Readonly<Record<string, string>> {
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  const members: readonly (readonly [string, unknown])[] = isMapping ? Object.entries(value) : [];
  return Object.fromEntries(
    members.flatMap(([name, each]) =>
      typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean'
        ? [[name, String(each)] as const]
        : [],
    ),
  );
}

function serverProgram(server: ToolServerConfig): Program {
  const { name, transport } = server;
  const variables = serverVariables(server);
  return {
    purpose: `the server of tools "${name}"`,
    command: transport.type === 'stdio' ? startedAs(transport) : transport.url,
    variables: variables.filter((each) => !namesFileKey(each)),
    ...(variables.some(namesFileKey) ? { isGivenFileKey: true } : {}),
  };
}

/** With its folder and what is set for it in front, because that can change what a program does. */
function startedAs({
  command,
  environment,
  cwd,
}: {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd?: string;
}): string {
  const folder = cwd === undefined ? [] : ['cd', shownCommand([cwd]), '&&'];
  const shown = Object.entries(environment).map(
    ([name, value]) => [name, withoutFileKey(value)] as const,
  );
  return [...folder, shownCommand(command, Object.fromEntries(shown))].join(' ');
}

/** The name under which a key of the file is kept says nothing. */
function withoutFileKey(value: string): string {
  return namesFileKey(variableName(value) ?? '') ? '(a key of the file)' : value;
}

/** Names of the variables whose values a server is given. */
export function serverVariables(server: ToolServerConfig): readonly string[] {
  return variablesIn(serverTexts(server));
}

/** Texts of a server in which variables are filled in. */
export function serverTexts({ transport }: ToolServerConfig): readonly string[] {
  if (transport.type !== 'stdio') {
    return [transport.url, ...Object.values(transport.headers)];
  }
  const { command, environment, cwd = '' } = transport;
  return [...command, ...Object.values(environment), cwd];
}

/** With what it is always given: that can be all that it does. */
function customProgram({ name, run, presetArguments }: CustomToolConfig): Program {
  const started =
    run.kind === 'command' ? shownCommand(run.command) : `${run.function} of ${run.path}`;
  const isPreset = Object.keys(presetArguments).length > 0;
  const command = isPreset ? `${started} with ${JSON.stringify(presetArguments)}` : started;
  const variables = variablesIn(textsIn(presetArguments));
  return { purpose: `the tool "${name}"`, command, variables };
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function variablesIn(texts: readonly string[]): readonly string[] {
  const names = texts.flatMap((text) => referencesIn(text).map(({ name }) => name));
  return [...new Set(names)].filter((name) => !isPlaceName(name)).sort();
}
