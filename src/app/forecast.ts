import type { AgentConfig, RunConfig } from '../config/run-config';
import type { BackendKind, ModelPrice } from '../core/ports/backend-kind';
import type { Forecast } from '../protocol/webview';
import { costOfUsage } from './call-cost';

/**
 * What a call is taken to need, from the fewest to a long piece of work: tokens in (the conversation so far) and out.
 * Rough on purpose: the range is what a user is told.
 */
const perCall = { low: { input: 3_000, output: 400 }, high: { input: 24_000, output: 1_500 } };
/** Calls of one turn that reads, edits and runs commands before it answers, and of one that only judges. */
const longTurn = { answer: 10, vote: 4, present: 3 };
/** Answers per agent that are counted on when the team sets no limit. */
const assumedAnswers = 3;
/** One agent alone does the task in one turn of middling length. */
const aloneCalls = 6;

type Load = 'low' | 'high';

/** Calls, tokens and money of a run before it starts. Pure: knows the team and the list prices, asks nobody. */
export function forecast(config: RunConfig, kinds: readonly BackendKind[]): Forecast {
  const calls = callRange(config);
  const tokens = (load: Load, count: number): number =>
    count * (perCall[load].input + perCall[load].output);
  const prices = config.agents.map((agent) => priceOf(agent, kinds));
  return {
    calls,
    tokens: [tokens('low', calls[0]), tokens('high', calls[1])],
    costUsd: costRange(config, calls, prices),
    oneAgentCostUsd: aloneCost(prices),
    hasFees: config.agents.some(({ backend }) => (backend.hostedTools ?? []).length > 0),
  };
}

/** At least one answer and one vote per agent and the final text; at most what limits and caps allow. */
function callRange({ agents, settings, caps }: RunConfig): readonly [number, number] {
  const n = agents.length;
  const isPresented = settings.finalAnswerStrategy === 'winner_present' && n > 1;
  const hasVotes = n > 1 && !settings.skipVoting;
  const answers = settings.maxNewAnswersPerAgent ?? assumedAnswers;
  const low = n + (hasVotes ? n : 0) + (isPresented ? 1 : 0);
  const perAgent =
    n === 1
      ? longTurn.answer
      : answers * longTurn.answer + (hasVotes ? answers * longTurn.vote : 0);
  const high = n * perAgent + (isPresented ? longTurn.present : 0);
  const cap = caps.modelCalls ?? high;
  return [Math.min(low, cap), Math.max(Math.min(low, cap), Math.min(high, cap))];
}

function costRange(
  { agents, caps }: RunConfig,
  calls: readonly [number, number],
  prices: readonly (ModelPrice | undefined)[],
): readonly [number, number] | null {
  const mean = (load: Load): number | undefined => meanCost(load, prices);
  const [low, high] = [mean('low'), mean('high')];
  if (low === undefined || high === undefined || agents.length === 0) {
    return null;
  }
  const cap = caps.costUsd ?? Number.POSITIVE_INFINITY;
  return [Math.min(cap, calls[0] * low), Math.min(cap, calls[1] * high)];
}

/** Cost of a call averaged over the team; `undefined` when one price is not known. */
function meanCost(load: Load, prices: readonly (ModelPrice | undefined)[]): number | undefined {
  let sum = 0;
  for (const price of prices) {
    if (price === undefined) {
      return undefined;
    }
    sum += costOfCall(load, price);
  }
  return sum / Math.max(1, prices.length);
}

function aloneCost(prices: readonly (ModelPrice | undefined)[]): number | null {
  const [first] = prices;
  return first === undefined
    ? null
    : (aloneCalls * (costOfCall('low', first) + costOfCall('high', first))) / 2;
}

function costOfCall(load: Load, price: ModelPrice): number {
  const { input, output } = perCall[load];
  // No cache is counted on, so that the sum is rather too high than too low.
  return costOfUsage(price, { inputTokens: input, outputTokens: output }) ?? 0;
}

function priceOf(agent: AgentConfig, kinds: readonly BackendKind[]): ModelPrice | undefined {
  return kinds.find(({ type }) => type === agent.backend.type)?.priceOf(agent.backend);
}
