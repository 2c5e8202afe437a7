import type { CoordinationSettings } from '../../../run/coordination-settings';

/** Rough size of a token in characters; only used to bound what is shown. */
const charsPerToken = 4;
const assumedWindowTokens = 128_000;
/** Shares of a model's window, where the settings name no number. */
const shares = { answers: 0.4, history: 0.15, memory: 0.1 } as const;
const headShare = 0.6;

/** Characters that each kind of text may have in the messages of one turn. */
export interface Budgets {
  readonly answers: number;
  readonly history: number;
  readonly memory: number;
}

export function budgetsFor(
  settings: Pick<
    CoordinationSettings,
    'answersBudgetTokens' | 'historyBudgetTokens' | 'memoryBudgetTokens'
  >,
  contextWindowTokens: number | undefined,
): Budgets {
  const window = contextWindowTokens ?? assumedWindowTokens;
  const characters = (tokens: number | null, share: number): number =>
    Math.floor((tokens ?? window * share) * charsPerToken);
  return {
    answers: characters(settings.answersBudgetTokens, shares.answers),
    history: characters(settings.historyBudgetTokens, shares.history),
    memory: characters(settings.memoryBudgetTokens, shares.memory),
  };
}

/**
 * The longest length per text with which all texts together stay within `budget`: short texts stay whole, only the
 * longest are cut. At least 200, so that something of each remains.
 */
export function lengthLimit(lengths: readonly number[], budget: number): number {
  let left = budget;
  const ascending = [...lengths].sort((a, b) => a - b);
  for (const [i, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - i));
    if (length > share) {
      return Math.max(200, share);
    }
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}

/** Head and tail of `text` with a line between them that tells how much is missing; `pointer` says where the rest can be found. */
export function cutMiddle(text: string, limit: number, pointer: string): string {
  if (text.length <= limit) {
    return text;
  }
  const head = cleanEnd(text.slice(0, Math.floor(limit * headShare)));
  const tail = cleanStart(text.slice(text.length - Math.floor(limit * (1 - headShare))));
  const missing = text.length - head.length - tail.length;
  return `${head}\n[… ${missing} characters left out here. ${pointer} …]\n${tail}`;
}

function cleanEnd(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

function cleanStart(text: string): string {
  return /^[\udc00-\udfff]/.test(text) ? text.slice(1) : text;
}
