// Tools that run elsewhere: at a service, inside of another program, on a server. Each function changes one agent.
import type { HostedToolUsed, ModelCallEnded, ToolServerChanged } from '../call-events';
import type { Citation } from '../facts';
import type { AgentState } from '../state';
import { turnOf } from './agents';

export function hostedToolUsed(
  agent: AgentState,
  event: HostedToolUsed,
  at: number,
): Partial<AgentState> {
  if (turnOf(agent, event) === null) {
    return {};
  }
  const { tool, subject } = event;
  return {
    activity:
      event.status === 'started'
        ? { kind: 'tool', tool, subject, startedAt: at }
        : { kind: 'model' },
    lastActivityAt: at,
  };
}

export function toolServerChanged(
  agent: AgentState,
  { server, status, tools, message }: ToolServerChanged,
): Partial<AgentState> {
  const all = agent.toolServers ?? [];
  const known = all.find((one) => one.server === server)?.tools ?? [];
  const next = { server, status, tools: tools ?? known, message: message ?? '' };
  const others = all.filter((one) => one.server !== server);
  return { toolServers: [...others, next].sort((a, b) => (a.server < b.server ? -1 : 1)) };
}

/** Sources of one turn, each once. */
export function citationsAfter(
  agent: AgentState,
  event: ModelCallEnded,
): { readonly citations?: readonly Citation[] } {
  const named = event.citations ?? [];
  const before = event.call === 1 ? [] : (agent.citations ?? []);
  if (named.length === 0 && before.length === (agent.citations ?? []).length) {
    return {};
  }
  return { citations: eachOnce([...before, ...named]) };
}

export function eachOnce(citations: readonly Citation[]): readonly Citation[] {
  const isFirst = (one: Citation, index: number): boolean =>
    citations.findIndex(({ url }) => url === one.url) === index;
  return citations.filter(isFirst);
}
