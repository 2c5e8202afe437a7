// What an agent's model and tools do. Each function changes nothing but the agent.
import type {
  ModelCallEnded,
  ModelCallStarted,
  TextDelta,
  ToolCallEnded,
  ToolCallStarted,
} from '../call-events';
import { isWholeCost } from '../call-cost';
import type { AgentWaiting } from '../turn-events';
import type { Usage } from '../facts';
import type { AgentState, UsageTotals } from '../state';
import { citationsAfter } from './agent-tools';
import { turnOf } from './agents';

const liveTextLimit = 8000;
const thinkingLimit = 4000;

export function modelCallStarted(
  agent: AgentState,
  event: ModelCallStarted,
  at: number,
): Partial<AgentState> {
  const turn = turnOf(agent, event);
  return {
    usage: { ...agent.usage, calls: agent.usage.calls + 1 },
    lastActivityAt: at,
    ...(turn === null
      ? {}
      : {
          turn: { ...turn, calls: turn.calls + 1, isCallGranted: false },
          activity: { kind: 'model' },
          liveText: onItsOwnLine(agent.liveText),
          ...(agent.thinking === undefined ? {} : { thinking: before(agent.thinking, event) }),
          ...(agent.isCut === undefined ? {} : { isCut: false }),
        }),
  };
}

/** What was thought in an earlier turn is over with it. */
function before(thinking: string, { call }: ModelCallStarted): string {
  return call === 1 ? '' : onItsOwnLine(thinking);
}

/** What a call says begins a line, as it does not continue the sentence of the call before. */
function onItsOwnLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** Thinking is activity, but not text to show as the agent's own. */
export function textDelta(agent: AgentState, event: TextDelta, at: number): Partial<AgentState> {
  if (turnOf(agent, event) === null) {
    return { lastActivityAt: at };
  }
  const isThinking = event.isThinking === true;
  return {
    lastActivityAt: at,
    ...(isThinking
      ? { thinking: newest((agent.thinking ?? '') + event.text, thinkingLimit) }
      : { liveText: newest(agent.liveText + event.text, liveTextLimit) }),
    ...nowSaying(agent, isThinking),
  };
}

function nowSaying({ activity }: AgentState, isThinking: boolean): Partial<AgentState> {
  return activity.kind === 'model' && (activity.isThinking === true) !== isThinking
    ? { activity: { kind: 'model', ...(isThinking ? { isThinking } : {}) } }
    : {};
}

/** The last UTF-16 units, never beginning inside a surrogate pair. */
function newest(text: string, limit: number): string {
  if (text.length <= limit) {
    return text;
  }
  const start = text.length - limit;
  const first = text.charCodeAt(start);
  return text.slice(first >= 0xdc00 && first <= 0xdfff ? start + 1 : start);
}

export function modelCallEnded(
  agent: AgentState,
  event: ModelCallEnded,
  at: number,
): Partial<AgentState> {
  return {
    usage: addUsage(agent.usage, event.usage, event),
    lastActivityAt: at,
    ...citationsAfter(agent, event),
    ...(event.isCut === true ? { isCut: true } : {}),
    ...(turnOf(agent, event) === null ? {} : { activity: { kind: 'none' } }),
  };
}

/** The call itself was counted when it started. */
export function addUsage(
  totals: UsageTotals,
  usage: Usage,
  cost: Pick<ModelCallEnded, 'costUsd' | 'hasFees'>,
): UsageTotals {
  const { costUsd } = cost;
  const isTold = usage.inputTokens !== undefined || usage.outputTokens !== undefined;
  const isMetered = isTold && usage.isPartial !== true;
  return {
    calls: totals.calls,
    inputTokens: totals.inputTokens + (usage.inputTokens ?? 0),
    cachedInputTokens: totals.cachedInputTokens + (usage.cachedInputTokens ?? 0),
    outputTokens: totals.outputTokens + (usage.outputTokens ?? 0),
    costUsd: totals.costUsd + (costUsd ?? 0),
    unpricedCalls: totals.unpricedCalls + (isWholeCost(usage, cost) ? 0 : 1),
    unmeteredCalls: totals.unmeteredCalls + (isMetered ? 0 : 1),
  };
}

export function toolCallStarted(
  agent: AgentState,
  event: ToolCallStarted,
  at: number,
): Partial<AgentState> {
  return turnOf(agent, event) === null
    ? {}
    : {
        activity: { kind: 'tool', tool: event.tool, subject: event.subject, startedAt: at },
        lastActivityAt: at,
      };
}

export function toolCallEnded(
  agent: AgentState,
  event: ToolCallEnded,
  at: number,
): Partial<AgentState> {
  return turnOf(agent, event) === null ? {} : { activity: { kind: 'none' }, lastActivityAt: at };
}

export function agentWaiting(
  agent: AgentState,
  event: AgentWaiting,
  at: number,
): Partial<AgentState> {
  return turnOf(agent, event) === null
    ? {}
    : {
        activity: {
          ...{ kind: 'waiting', reason: event.reason, until: event.until },
          ...(event.isShared === true ? { isShared: true } : {}),
        },
        lastActivityAt: at,
      };
}
