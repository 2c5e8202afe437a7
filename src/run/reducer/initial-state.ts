import type { RunStarted } from '../events';
import type { AgentInfo } from '../facts';
import { compatProfile } from '../profiles';
import type { AgentState, RunState, UsageTotals } from '../state';

/** Where counting of calls, tokens and cost begins. */
export const noUsage: UsageTotals = {
  calls: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
  unpricedCalls: 0,
  unmeteredCalls: 0,
};

/** The state before the first event: no agents, and settings that decide nothing. */
export const initialState: RunState = {
  seq: -1,
  runId: '',
  task: '',
  teamName: '',
  isScripted: false,
  unconfinedReason: null,
  startedAt: 0,
  lastEventAt: 0,
  attempt: 1,
  attemptStartedAt: 0,
  pastAttempts: [],
  session: null,
  settings: { ...compatProfile, runSeed: '' },
  caps: { durationMs: null, modelCalls: null, costUsd: null },
  contextRoots: [],
  tools: [],
  agents: [],
  poll: { kind: 'open' },
  runoffs: 0,
  extraRounds: 0,
  capReached: null,
  selection: null,
  presentation: null,
  finalAnswer: null,
  review: null,
  evaluation: null,
  judgeVerdict: null,
  steering: [],
  override: null,
  planning: null,
  instructions: [],
  effects: [],
  systemCalls: { usage: noUsage, current: null },
  approvals: [],
  timeline: [],
  outcome: null,
  error: null,
};

export function runStarted(event: RunStarted, at: number): RunState {
  return {
    ...initialState,
    runId: event.runId,
    task: event.task,
    teamName: event.teamName,
    isScripted: event.isScripted,
    unconfinedReason: event.unconfinedReason,
    startedAt: at,
    attemptStartedAt: at,
    session: event.session ?? null,
    settings: event.settings,
    caps: event.caps,
    contextRoots: event.contextRoots,
    tools: event.tools ?? [],
    agents: [...event.agents].sort((a, b) => a.slot - b.slot).map((info) => newAgent(info, at)),
  };
}

function newAgent(info: AgentInfo, at: number): AgentState {
  return {
    info,
    status: 'idle',
    turnNo: 0,
    turn: null,
    revisions: [],
    ballot: null,
    ballots: [],
    failedTurns: 0,
    notBefore: 0,
    lastError: null,
    activity: { kind: 'none' },
    liveText: '',
    usage: noUsage,
    lastActivityAt: at,
  };
}
