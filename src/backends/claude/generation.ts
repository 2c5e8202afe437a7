// Settings of a team file in the form that the line of the model takes. What it refuses is left out, and said once.
import type { BackendSettings } from '../../core/ports/backend-kind';
import { asCount, asObject, asText } from '../wire/json-reading';
import type { Family } from './families';

export const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
type Effort = (typeof efforts)[number];

type Display = 'summarized' | 'omitted';

/** The member `thinking` of a request. */
export type Thinking = Readonly<Record<string, unknown>>;

export interface Generation {
  readonly thinking: Thinking | undefined;
  readonly effort: Effort | undefined;
  readonly sampling: Readonly<Record<string, number>>;
  /** Names of settings that this model does not take. */
  readonly leftOut: readonly string[];
}

/** Tokens of thinking that each effort stands for where a model knows no efforts. */
const budgets: Readonly<Record<Effort, number>> = {
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 24_576,
  max: 32_000,
};
/** The service takes no fewer. */
const leastBudget = 1_024;

interface Wish {
  readonly written: Readonly<Record<string, unknown>> | undefined;
  readonly type: string;
  readonly budget: number | undefined;
  readonly display: Display | undefined;
  readonly effort: Effort | undefined;
}

export function generationFor(settings: BackendSettings, family: Family): Generation {
  const wish = wishOf(settings);
  const leftOut: string[] = [];
  const thinking = thinkingFor(wish, family, leftOut);
  const effort = effortFor(wish, family, thinking);
  const isThinking = thinking !== undefined && thinking['type'] !== 'disabled';
  const sampling = samplingFor(settings, family, isThinking, leftOut);
  return { thinking, effort, sampling, leftOut };
}

/**
 * `thinking` with a budget that leaves room for an answer within `maxTokens`; `undefined` when there is no room for any.
 */
export function withinTokens(
  thinking: Thinking | undefined,
  maxTokens: number,
): Thinking | undefined {
  const wanted = asCount(thinking?.['budget_tokens']);
  if (thinking === undefined || wanted === undefined || wanted < maxTokens) {
    return thinking;
  }
  const budget = Math.floor(maxTokens / 2);
  return budget < leastBudget ? undefined : { ...thinking, budget_tokens: budget };
}

function wishOf(settings: BackendSettings): Wish {
  const written = asObject(settings.options['thinking']);
  const display = asText(written?.['display']);
  return {
    written,
    type: asText(written?.['type']),
    budget: asCount(written?.['budget_tokens']),
    display: display === 'summarized' || display === 'omitted' ? display : undefined,
    effort: efforts.find((one) => one === settings.options['effort']),
  };
}

function thinkingFor(wish: Wish, family: Family, leftOut: string[]): Thinking | undefined {
  if (family.thinking === 'unknown') {
    return wish.written;
  }
  if (wish.type === 'disabled') {
    return switchedOff(family, leftOut);
  }
  const isWanted = wish.written !== undefined || wish.effort !== undefined;
  if (!isWanted && family.thinksByDefault === 'no') {
    return undefined;
  }
  const inTokens = family.thinking === 'either' && wish.budget !== undefined;
  return family.thinking === 'budget' || inTokens ? enabled(wish) : adaptive(wish, family);
}

function switchedOff(family: Family, leftOut: string[]): Thinking | undefined {
  if (family.thinksByDefault === 'always') {
    leftOut.push('thinking: disabled');
    return family.isSilent ? { type: 'adaptive', display: 'summarized' } : undefined;
  }
  return family.thinksByDefault === 'yes' ? { type: 'disabled' } : undefined;
}

function enabled({ budget, effort }: Wish): Thinking {
  const wanted = Math.floor(budget ?? budgets[effort ?? 'high']);
  return { type: 'enabled', budget_tokens: Math.max(leastBudget, wanted) };
}

/** Where what is thought would stay out of the stream, a run would look as if it stood still. */
function adaptive({ display }: Wish, family: Family): Thinking {
  const shown = display ?? (family.isSilent ? 'summarized' : undefined);
  return { type: 'adaptive', ...(shown === undefined ? {} : { display: shown }) };
}

function effortFor(
  { effort, budget }: Wish,
  family: Family,
  thinking: Thinking | undefined,
): Effort | undefined {
  if (family.thinking === 'budget') {
    return undefined;
  }
  const isAdaptive = thinking?.['type'] === 'adaptive';
  if (effort !== undefined || budget === undefined || !isAdaptive) {
    return effort;
  }
  // A budget in a team file that was written for an earlier model.
  return efforts.find((one) => budgets[one] >= budget) ?? 'max';
}

function samplingFor(
  { options }: BackendSettings,
  family: Family,
  isThinking: boolean,
  leftOut: string[],
): Readonly<Record<string, number>> {
  const sampling: Record<string, number> = {};
  for (const name of ['temperature', 'top_p', 'top_k']) {
    const value = options[name];
    if (typeof value !== 'number') {
      continue;
    }
    // Models that take a temperature take none but 1 while they think, and no other of these then.
    const isFree = !isThinking || family.thinking === 'unknown';
    const isTaken = family.hasSampling && (isFree || (name === 'temperature' && value === 1));
    // Two ways of sampling at once are refused by the last lines that have any.
    const isSecond = name === 'top_p' && 'temperature' in sampling && family.thinking !== 'unknown';
    if (isTaken && !isSecond) {
      sampling[name] = value;
    } else {
      leftOut.push(name);
    }
  }
  return sampling;
}
