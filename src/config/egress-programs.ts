// What a team file has started beside its models: servers of tools, tools of the user, agent programs.
import type { BackendKind, OptionValue, ToolServerConfig } from '../core/ports/backend-kind';
import type { AgentConfig, CustomToolConfig } from './run-config';

export interface EgressProgram {
  /** What it is for, e.g. `the server of tools "weather"`. */
  readonly purpose: string;
  /** Program and arguments as they are, or the address of a server. */
  readonly command: string;
  /** Names of variables that it is given. */
  readonly variables: readonly string[];
  readonly agentIds: readonly string[];
}

/** `${NAME}` and `${env:NAME}`; places of the editor are written in the same way. */
const reference = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}/g;
const places = ['workspaceFolder', 'workspaceRoot', 'userHome'];

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
  const words = wordsOf(backend.options['command']);
  const command = words.length === 0 ? kind.title : shownCommand(words);
  return [{ purpose: 'an agent program', command, variables: variablesIn(words) }];
}

function wordsOf(value: OptionValue | undefined): readonly string[] {
  const words = Array.isArray(value) ? (value as readonly OptionValue[]) : [value ?? ''];
  return words.filter((word) => typeof word === 'string' && word !== '').map(String);
}

function serverProgram(server: ToolServerConfig): Program {
  const { name, transport } = server;
  return {
    purpose: `the server of tools "${name}"`,
    command: transport.type === 'stdio' ? startedAs(transport) : transport.url,
    variables: serverVariables(server),
  };
}

/** With its folder and what is set for it in front, because that can change what a program does. */
function startedAs({
  command,
  environment,
  cwd,
}: Extract<ToolServerConfig['transport'], { readonly type: 'stdio' }>): string {
  const set = Object.entries(environment).map(
    ([name, value]) => `${name}=${shownCommand([value])}`,
  );
  const folder = cwd === undefined ? [] : ['cd', shownCommand([cwd]), '&&'];
  return [...folder, ...set, shownCommand(command)].join(' ');
}

/** Names of the variables whose values a server is given: those of its texts, and for a program those that are set. */
export function serverVariables({ transport }: ToolServerConfig): readonly string[] {
  if (transport.type !== 'stdio') {
    return variablesIn([transport.url, ...Object.values(transport.headers)]);
  }
  const { command, environment, cwd = '' } = transport;
  return variablesIn([...command, ...Object.values(environment), cwd]);
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

/** As it could be written in a shell, so that one can tell where each argument ends. */
function shownCommand(words: readonly string[]): string {
  return (
    words
      // A program must not look like an address.
      .map((word) => (/^(?!https?:)[\w@%+=:,./${}-]+$/i.test(word) ? word : JSON.stringify(word)))
      .join(' ')
  );
}

function variablesIn(texts: readonly string[]): readonly string[] {
  const names = texts.flatMap((text) =>
    [...text.matchAll(reference)].flatMap(([, name]) => name ?? []),
  );
  return [...new Set(names)].filter((name) => !places.includes(name)).sort();
}
