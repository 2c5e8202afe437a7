// What can be asked of an agent beside its text: its kind, its servers of tools, what it thought aloud.
import type { AgentState, RunState, ToolServerState } from '../state';
import { counted } from './formats';
import { toolName } from './tool-words';
import { revealOnOneLine } from './visible-text';

export interface ServerLine {
  readonly server: string;
  readonly icon: 'working' | 'ready' | 'failed' | 'stopped';
  /** `ready, 14 tools`, or what happened and what to do. */
  readonly text: string;
  /** Names of its tools; empty until they are known. */
  readonly tools: string;
}

export interface AgentDetails {
  /** What stands on the button that shows them: trouble first. */
  readonly summary: string;
  readonly isTrouble: boolean;
  /** That it is a program and whether it is confined; empty for a model. */
  readonly program: string;
  readonly servers: readonly ServerLine[];
  /** Untrusted. */
  readonly thinking: string;
}

/** `null` when there is nothing to show. */
export function selectDetails(state: RunState, agent: AgentState): AgentDetails | null {
  const servers = agent.toolServers ?? [];
  const thinking = (agent.thinking ?? '').trim();
  const program = programLine(state, agent);
  if (servers.length === 0 && thinking === '' && program === '') {
    return null;
  }
  const isConfined = state.unconfinedReason === null && agent.isUnconfined !== true;
  const isTrouble = servers.some(({ status }) => status === 'failed');
  return {
    summary: summaryOf(servers, { isProgram: program !== '', isConfined }),
    isTrouble,
    program,
    servers: servers.map(toLine),
    thinking,
  };
}

function programLine({ unconfinedReason }: RunState, { info, isUnconfined }: AgentState): string {
  if (info.isProgram !== true) {
    return '';
  }
  if (isUnconfined === true) {
    return 'An agent program with tools of its own. It is not confined, as was allowed: it can reach all that you can.';
  }
  return unconfinedReason === null
    ? 'An agent program with tools of its own, confined to its copy of your files.'
    : `An agent program with tools of its own. It is not confined: ${unconfinedReason}`;
}

function summaryOf(
  servers: readonly ToolServerState[],
  { isProgram, isConfined }: { readonly isProgram: boolean; readonly isConfined: boolean },
): string {
  const failed = servers.filter(({ status }) => status === 'failed');
  const [first] = failed;
  if (first !== undefined) {
    return failed.length === 1 ? `${first.server} failed` : `${failed.length} servers failed`;
  }
  if (servers.some(({ status }) => status === 'connecting')) {
    return 'Connecting tools';
  }
  // A narrow card cuts the end: what is unusual comes first.
  const program = isConfined ? 'Program' : 'Not confined';
  const parts = [
    ...(isProgram ? [program] : []),
    ...(servers.length > 0 ? [counted(servers.length, 'tool server', 'tool servers')] : []),
  ];
  return parts.length === 0 ? 'Thinking' : parts.join(', ');
}

const icons: Readonly<Record<ToolServerState['status'], ServerLine['icon']>> = {
  connecting: 'working',
  ready: 'ready',
  failed: 'failed',
  stopped: 'stopped',
};

function toLine({ server, status, tools, message }: ToolServerState): ServerLine {
  const texts: Readonly<Record<ToolServerState['status'], string>> = {
    connecting: 'connecting',
    ready: [`ready, ${counted(tools.length, 'tool', 'tools')}`, revealOnOneLine(message)]
      .filter((part) => part !== '')
      .join('. '),
    failed: message === '' ? 'failed' : revealOnOneLine(message),
    stopped: 'stopped',
  };
  const names = status === 'ready' ? tools.map(({ name }) => shortName(name, server)) : [];
  return { server, icon: icons[status], text: texts[status], tools: names.join(', ') };
}

/** The server stands before them already. */
function shortName(name: string, server: string): string {
  const own = toolName(name);
  return own.startsWith(`${server}: `) ? own.slice(server.length + 2) : own;
}
