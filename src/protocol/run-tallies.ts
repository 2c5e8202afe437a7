// What the files count beside the state: tools, turns with their outcome, refused responses. Folded from the events.
import type { Slot } from '../base/ids';
import { isWholeCost } from '../run/call-cost';
import type { ModelCallEnded, ToolCallEnded, ToolCallStarted } from '../run/call-events';
import type { RecordedEvent } from '../run/events';
import type { RunState } from '../run/state';

export interface ToolTally {
  readonly calls: number;
  readonly failures: number;
  readonly ms: number;
  readonly outputBytes: number;
}

export interface RoundTally {
  readonly turnNo: number;
  readonly attempt: number;
  readonly outcome: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; `null` when the price of a call is not known. */
  readonly costUsd: number | null;
}

export interface Refusal {
  readonly turnNo: number;
  readonly attemptNo: number;
  readonly code: string;
  readonly at: number;
}

export interface AgentTally {
  /** By the name of the tool. */
  readonly tools: ReadonlyMap<string, ToolTally>;
  readonly rounds: readonly RoundTally[];
  readonly refusals: readonly Refusal[];
  /** Tools asked for in responses that were refused because no such tool exists. */
  readonly unknownTools: readonly string[];
  readonly reasoningTokens: number;
  readonly hasFailedByProtocol: boolean;
  /** The turn that goes on. */
  readonly open: OpenTurn | null;
}

interface OpenTurn {
  readonly turnNo: number;
  readonly attempt: number;
  readonly purpose: string | null;
  readonly startedAt: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number | null;
  readonly asked: readonly string[];
  readonly toolsSince: Readonly<Record<string, number>>;
}

export type RunTallies = ReadonlyMap<Slot, AgentTally>;

export const noTally: AgentTally = {
  tools: new Map(),
  rounds: [],
  refusals: [],
  unknownTools: [],
  reasoningTokens: 0,
  hasFailedByProtocol: false,
  open: null,
};

/** `state`: after the event. */
export function addToTallies(
  tallies: RunTallies,
  { at, event }: RecordedEvent,
  state: RunState,
): RunTallies {
  if (!('slot' in event)) {
    return tallies;
  }
  const before = tallies.get(event.slot) ?? noTally;
  const after = changed(before, { at, event }, state);
  return after === before ? tallies : new Map(tallies).set(event.slot, after);
}

type Happening = Pick<RecordedEvent, 'at' | 'event'>;

function changed(tally: AgentTally, { at, event }: Happening, state: RunState): AgentTally {
  switch (event.type) {
    case 'agent-turn-started':
      return opened(tally, event.turnNo, at, { attempt: state.attempt, purpose: null });
    case 'final-presentation-started':
      return opened(tally, event.turnNo, at, { attempt: state.attempt, purpose: 'presentation' });
    case 'evaluation-started':
      return opened(tally, event.turnNo, at, {
        attempt: state.attempt,
        purpose: 'post_evaluation',
      });
    case 'agent-turn-ended':
      return closed(tally, event.outcome, at);
    case 'agent-cancelled':
      return closed(tally, 'cancelled', at);
    case 'agent-failed':
      return closed(tally, 'error', at);
    case 'turn-failed':
      return event.cause === 'protocol' ? { ...tally, hasFailedByProtocol: true } : tally;
    case 'protocol-error':
      return refused(tally, {
        turnNo: event.turnNo,
        attemptNo: event.attemptNo,
        code: event.code,
        at,
      });
    case 'model-call-ended':
      return modelCalled(tally, event);
    case 'tool-call-started':
      return toolStarted(tally, event, at);
    case 'tool-call-ended':
      return toolEnded(tally, event, at);
    default:
      return tally;
  }
}

function opened(
  tally: AgentTally,
  turnNo: number,
  at: number,
  { attempt, purpose }: Pick<OpenTurn, 'attempt' | 'purpose'>,
): AgentTally {
  const counts = { inputTokens: 0, outputTokens: 0, costUsd: 0, asked: [], toolsSince: {} };
  return {
    ...closed(tally, 'error', at),
    open: { turnNo, attempt, purpose, startedAt: at, ...counts },
  };
}

function closed(tally: AgentTally, outcome: string, endedAt: number): AgentTally {
  if (tally.open === null) {
    return tally;
  }
  const { purpose, turnNo, attempt, startedAt, inputTokens, outputTokens, costUsd } = tally.open;
  const isDone = outcome === 'submit' || outcome === 'answer' || outcome === 'stop';
  const round = {
    ...{ turnNo, attempt, startedAt, endedAt, inputTokens, outputTokens, costUsd },
    outcome: purpose !== null && isDone ? purpose : outcome,
  };
  return { ...tally, open: null, rounds: [...tally.rounds, round] };
}

function refused(tally: AgentTally, refusal: Refusal): AgentTally {
  const asked = refusal.code === 'unknown_tool' ? (tally.open?.asked ?? []) : [];
  return {
    ...tally,
    refusals: [...tally.refusals, refusal],
    unknownTools: [...tally.unknownTools, ...asked],
  };
}

function modelCalled(
  tally: AgentTally,
  { turnNo, usage, toolCalls, ...call }: ModelCallEnded,
): AgentTally {
  const { open } = tally;
  const costUsd = isWholeCost(usage, call) ? call.costUsd : null;
  const reasoningTokens = tally.reasoningTokens + (usage.reasoningTokens ?? 0);
  if (open?.turnNo !== turnNo) {
    return { ...tally, reasoningTokens };
  }
  const counted = {
    ...open,
    inputTokens: open.inputTokens + (usage.inputTokens ?? 0),
    outputTokens: open.outputTokens + (usage.outputTokens ?? 0),
    costUsd: costUsd === null || open.costUsd === null ? null : open.costUsd + costUsd,
    asked: toolCalls.map(({ name }) => name),
  };
  return { ...tally, reasoningTokens, open: counted };
}

function toolStarted(tally: AgentTally, { call, index }: ToolCallStarted, at: number): AgentTally {
  const { open } = tally;
  return open === null
    ? tally
    : {
        ...tally,
        open: { ...open, toolsSince: { ...open.toolsSince, [`${call}/${index}`]: at } },
      };
}

function toolEnded(tally: AgentTally, event: ToolCallEnded, at: number): AgentTally {
  const { call, index, tool, isError, outputBytes } = event;
  const startedAt = tally.open?.toolsSince[`${call}/${index}`] ?? at;
  const known = tally.tools.get(tool) ?? { calls: 0, failures: 0, ms: 0, outputBytes: 0 };
  const sum = {
    calls: known.calls + 1,
    failures: known.failures + (isError ? 1 : 0),
    ms: known.ms + (at - startedAt),
    outputBytes: known.outputBytes + outputBytes,
  };
  return { ...tally, tools: new Map(tally.tools).set(tool, sum) };
}
