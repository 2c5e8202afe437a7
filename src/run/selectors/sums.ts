import { noUsage } from '../reducer/initial-state';
import type { RunState, UsageTotals } from '../state';
import {
  formatCost,
  formatCount,
  formatElapsed,
  formatMoney,
  formatTokens,
  formatWhen,
  plural,
} from './formats';
import { elapsedMs, endedAt, isEnded } from './time';

/** What the whole team has used. A script has no price, so its calls count as priced at nothing. */
export function selectTeamUsage(state: RunState): UsageTotals {
  const sum = state.agents.reduce<UsageTotals>(
    (total, { usage }) => addUsage(total, usage),
    noUsage,
  );
  return state.isScripted ? { ...sum, costUsd: 0, unpricedCalls: 0 } : sum;
}

function addUsage(a: UsageTotals, b: UsageTotals): UsageTotals {
  return {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costUsd: a.costUsd + b.costUsd,
    unpricedCalls: a.unpricedCalls + b.unpricedCalls,
    unmeteredCalls: a.unmeteredCalls + b.unmeteredCalls,
  };
}

/** All tokens read and written; `?` when calls were made and none told its numbers. */
export function tokensText(usage: UsageTotals, language: string): string {
  const tokens = usage.inputTokens + usage.outputTokens;
  if (usage.unmeteredCalls === 0 || tokens > 0) {
    const text = `${formatTokens(tokens, language)} tokens`;
    return usage.unmeteredCalls === 0 ? text : `at least ${text}`;
  }
  return '? tokens';
}

/** The parts of the line of sums: elapsed, calls, tokens, money, each against its cap, and when it was once it is over. */
export function selectSums(state: RunState, now: number, language: string): readonly string[] {
  const usage = selectTeamUsage(state);
  const isOver = isEnded(state);
  const { durationMs, modelCalls, costUsd } = state.caps;
  const elapsed = formatElapsed(elapsedMs(state, now));
  const calls = formatCount(usage.calls, language);
  const cost = formatCost(usage, language);
  const callsOf =
    isOver || modelCalls === null ? calls : `${calls} of ${formatCount(modelCalls, language)}`;
  return [
    isOver || durationMs === null ? elapsed : `${elapsed} of ${formatElapsed(durationMs)}`,
    `${callsOf} ${plural(modelCalls !== null && !isOver ? modelCalls : usage.calls, 'call', 'calls')}`,
    tokensText(usage, language),
    isOver || costUsd === null || state.isScripted
      ? cost
      : `${cost} of ${formatMoney(costUsd, language)}`,
    ...(isOver ? [formatWhen(endedAt(state), now, language)] : []),
  ];
}
