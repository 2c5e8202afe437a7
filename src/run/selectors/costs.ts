import type { Slot } from '../../base/ids';
import type { RunState, UsageTotals } from '../state';
import { formatCost, formatCount, formatTokens, unknownCost } from './formats';
import { agentName } from './names';
import { selectTeamUsage } from './sums';

export interface CostRow {
  /** `null` for the whole team. */
  readonly slot: Slot | null;
  readonly name: string;
  readonly isWinner: boolean;
  readonly calls: string;
  /** Input tokens that were not read from a cache. */
  readonly fresh: string;
  readonly cached: string;
  readonly output: string;
  readonly cost: string;
}

export interface Costs {
  readonly rows: readonly CostRow[];
  readonly team: CostRow;
  /** The sum, and the share of the agent that won. */
  readonly summary: string;
  /** What no sum has, where that is so; otherwise empty. */
  readonly note: string;
}

const partlyKnown =
  'At least: the price of some calls is not known, or they broke off before they were counted, or their services charge for more than tokens, such as for web searches.';

export function selectCosts(state: RunState, language: string): Costs {
  const winner = state.selection?.winner?.slot;
  const rows = state.agents.map(({ info, usage }) =>
    toRow(info.slot, agentName(info.slot), state.isScripted ? priced(usage) : usage, language),
  );
  const team = toRow(null, 'Team', selectTeamUsage(state), language);
  const own = rows.find((row) => row.slot === winner);
  const isUnknown = team.cost === unknownCost;
  const isPlain = own === undefined || rows.length < 2 || state.isScripted;
  return {
    rows: rows.map((row) => ({ ...row, isWinner: row.slot === winner })),
    team,
    summary: isUnknown
      ? 'price unknown'
      : isPlain
        ? team.cost
        : `${team.cost}, of which ${own.name} ${own.cost}`,
    note: isUnknown || selectTeamUsage(state).unpricedCalls === 0 ? '' : partlyKnown,
  };
}

/** A script costs nothing, whatever its calls report. */
function priced(usage: UsageTotals): UsageTotals {
  return { ...usage, costUsd: 0, unpricedCalls: 0 };
}

function toRow(slot: Slot | null, name: string, usage: UsageTotals, language: string): CostRow {
  const isUnknown = usage.unmeteredCalls > 0 && usage.inputTokens + usage.outputTokens === 0;
  const tokens = (count: number): string => (isUnknown ? '?' : formatTokens(count, language));
  return {
    slot,
    name,
    isWinner: false,
    calls: formatCount(usage.calls, language),
    fresh: tokens(Math.max(0, usage.inputTokens - usage.cachedInputTokens)),
    cached: tokens(usage.cachedInputTokens),
    output: tokens(usage.outputTokens),
    cost: formatCost(usage, language),
  };
}
