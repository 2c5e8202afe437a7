import type {
  AgentWaiting,
  ModelCallEnded,
  ModelCallStarted,
  TextDelta,
  ToolCallEnded,
  ToolCallStarted,
} from '../events';
import type { Usage } from '../facts';
import type { RunState, UsageTotals } from '../state';
import { liveTurn, withAgent } from './agents';

const liveTextLimit = 8000;

export function modelCallStarted(state: RunState, event: ModelCallStarted, at: number): RunState {
  const turn = liveTurn(state, event);
  return withAgent(state, event.slot, (agent) => ({
    usage: { ...agent.usage, calls: agent.usage.calls + 1 },
    lastActivityAt: at,
    ...(turn === null
      ? {}
      : {
          turn: { ...turn, calls: turn.calls + 1, isCallGranted: false },
          activity: { kind: 'model' },
          liveText: onItsOwnLine(agent.liveText),
        }),
  }));
}

/** What a call says begins a line, as it does not continue the sentence of the call before. */
function onItsOwnLine(before: string): string {
  return before === '' || before.endsWith('\n') ? before : `${before}\n`;
}

/** Thinking is activity, but not text to show as the agent's own. */
export function textDelta(state: RunState, event: TextDelta, at: number): RunState {
  const isShown = event.isThinking !== true && liveTurn(state, event) !== null;
  return withAgent(state, event.slot, (agent) => ({
    lastActivityAt: at,
    ...(isShown ? { liveText: newest(agent.liveText + event.text) } : {}),
  }));
}

/** The last 8,000 UTF-16 units, never beginning inside a surrogate pair. */
function newest(text: string): string {
  if (text.length <= liveTextLimit) {
    return text;
  }
  const start = text.length - liveTextLimit;
  const first = text.charCodeAt(start);
  return text.slice(first >= 0xdc00 && first <= 0xdfff ? start + 1 : start);
}

export function modelCallEnded(state: RunState, event: ModelCallEnded, at: number): RunState {
  const isLive = liveTurn(state, event) !== null;
  return withAgent(state, event.slot, (agent) => ({
    usage: addUsage(agent.usage, event.usage, event.costUsd),
    lastActivityAt: at,
    ...(isLive ? { activity: { kind: 'none' } } : {}),
  }));
}

/** The call itself was counted when it started. */
export function addUsage(totals: UsageTotals, usage: Usage, costUsd: number | null): UsageTotals {
  const isMetered = usage.inputTokens !== undefined || usage.outputTokens !== undefined;
  return {
    calls: totals.calls,
    inputTokens: totals.inputTokens + (usage.inputTokens ?? 0),
    cachedInputTokens: totals.cachedInputTokens + (usage.cachedInputTokens ?? 0),
    outputTokens: totals.outputTokens + (usage.outputTokens ?? 0),
    costUsd: totals.costUsd + (costUsd ?? 0),
    unpricedCalls: totals.unpricedCalls + (costUsd === null ? 1 : 0),
    unmeteredCalls: totals.unmeteredCalls + (isMetered ? 0 : 1),
  };
}

export function toolCallStarted(state: RunState, event: ToolCallStarted, at: number): RunState {
  if (liveTurn(state, event) === null) {
    return state;
  }
  return withAgent(state, event.slot, () => ({
    activity: { kind: 'tool', tool: event.tool, subject: event.subject, startedAt: at },
    lastActivityAt: at,
  }));
}

export function toolCallEnded(state: RunState, event: ToolCallEnded, at: number): RunState {
  if (liveTurn(state, event) === null) {
    return state;
  }
  return withAgent(state, event.slot, () => ({
    activity: { kind: 'none' },
    lastActivityAt: at,
  }));
}

export function agentWaiting(state: RunState, event: AgentWaiting, at: number): RunState {
  if (liveTurn(state, event) === null) {
    return state;
  }
  return withAgent(state, event.slot, () => ({
    activity: { kind: 'waiting', reason: event.reason, until: event.until },
    lastActivityAt: at,
  }));
}
