// How much a model thinks: one wish in several words, one of two forms on the wire.
import type { BackendSettings, OptionValue } from '../../core/ports/backend-kind';
import type { ModelLine } from './model-line';

export const thinkingLevels = ['minimal', 'low', 'medium', 'high'] as const;
export const reasoningEfforts = ['none', ...thinkingLevels, 'xhigh'] as const;

type Level = (typeof thinkingLevels)[number];

export interface ThinkingConfig {
  readonly includeThoughts?: true;
  /** Tokens; 0 is off, -1 as the model likes. */
  readonly thinkingBudget?: number;
  readonly thinkingLevel?: string;
}

interface Wish {
  readonly level: Level | 'none' | undefined;
  readonly budget: number | undefined;
}

const budgets: Readonly<Record<Level, number>> = {
  minimal: 512,
  low: 1024,
  medium: 8192,
  high: 24_576,
};
/** The smallest budget of a model that cannot be kept from thinking. */
const leastBudget = 128;

/** `undefined`: nothing is said about thinking. A budget and a level never stand together: the service refuses both. */
export function thinkingConfigOf(
  settings: BackendSettings,
  line: ModelLine,
): ThinkingConfig | undefined {
  if (line.thinking === 'none') {
    return undefined;
  }
  const wish = wishOf(settings);
  const form = formOf(wish, line);
  const isShown =
    line.thinking !== 'unknown' && form.thinkingBudget !== 0 && wantsThoughts(settings);
  const config: ThinkingConfig = { ...form, ...(isShown ? { includeThoughts: true } : {}) };
  return Object.keys(config).length === 0 ? undefined : config;
}

/** What a person should know of settings that the model does not take as they are written; `undefined`: nothing. */
export function thinkingNoticeOf(
  settings: BackendSettings,
  line: ModelLine,
): { readonly code: string; readonly message: string } | undefined {
  const wish = wishOf(settings);
  if (wish.level === undefined && wish.budget === undefined) {
    return undefined;
  }
  const { model } = settings;
  if (line.thinking === 'none') {
    const message = `${model} has no setting for how much it thinks; it is left out.`;
    return { code: 'setting-left-out', message };
  }
  const { thinkingLevel, thinkingBudget } = formOf(wish, line);
  const isKept =
    wish.budget === undefined
      ? thinkingLevel === undefined || thinkingLevel === wish.level?.toUpperCase()
      : wish.budget === thinkingBudget || wish.budget < 0;
  const used = thinkingLevel?.toLowerCase() ?? String(thinkingBudget);
  return isKept
    ? undefined
    : {
        code: 'setting-changed',
        message: `${model} takes how much it thinks in another form or range; ${used} is used.`,
      };
}

/** The keys of their own come before the mapping, the mapping before the word that all services share. */
function wishOf(settings: BackendSettings): Wish {
  const { options } = settings;
  const mapping = mappingOf(options['thinking']);
  const isOff = mapping['type'] === 'disabled';
  const level =
    levelOf(options['thinking_level']) ??
    levelOf(mapping['level'] ?? mapping['thinking_level'] ?? mapping['thinkingLevel']);
  const budget =
    numberOf(options['thinking_budget']) ??
    numberOf(
      mapping['budget'] ??
        mapping['budget_tokens'] ??
        mapping['thinking_budget'] ??
        mapping['thinkingBudget'],
    ) ??
    (isOff ? 0 : undefined);
  if (level !== undefined || budget !== undefined) {
    return { level, budget };
  }
  return { level: levelOf(options['reasoning_effort']), budget: undefined };
}

function formOf(wish: Wish, line: ModelLine): ThinkingConfig {
  switch (line.thinking) {
    case 'budget':
      return budgetForm(wish, line);
    case 'level':
    case 'three-levels':
      return levelForm(wish, line);
    case 'unknown':
      return wish.budget === undefined ? plainLevel(wish.level) : { thinkingBudget: wish.budget };
    case 'none':
      return {};
  }
}

function budgetForm({ level, budget }: Wish, { alwaysThinks }: ModelLine): ThinkingConfig {
  const tokens =
    budget ?? (level === undefined ? undefined : level === 'none' ? 0 : budgets[level]);
  if (tokens === undefined) {
    return {};
  }
  return { thinkingBudget: tokens >= 0 && alwaysThinks ? Math.max(leastBudget, tokens) : tokens };
}

function levelForm(wish: Wish, line: ModelLine): ThinkingConfig {
  const level = wish.level ?? levelFor(wish.budget);
  if (level === undefined) {
    return {};
  }
  const least: Level = line.alwaysThinks ? 'low' : 'minimal';
  return plainLevel(level === 'none' || level === 'minimal' ? least : level);
}

/** The level that thinks about as much as so many tokens. */
function levelFor(budget: number | undefined): Level | undefined {
  if (budget === undefined || budget < 0) {
    return undefined;
  }
  return thinkingLevels.find((level) => budget <= budgets[level]) ?? 'high';
}

function plainLevel(level: Wish['level']): ThinkingConfig {
  return level === undefined || level === 'none' ? {} : { thinkingLevel: level.toUpperCase() };
}

function wantsThoughts(settings: BackendSettings): boolean {
  const mapping = mappingOf(settings.options['thinking']);
  return (mapping['include_thoughts'] ?? mapping['includeThoughts']) !== false;
}

function levelOf(value: unknown): Wish['level'] {
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  if (word === 'none') {
    return 'none';
  }
  return word === 'xhigh' ? 'high' : thinkingLevels.find((level) => level === word);
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function mappingOf(value: OptionValue | undefined): Readonly<Record<string, OptionValue>> {
  return typeof value === 'object' && value !== null && !isList(value) ? value : {};
}

function isList(value: object): value is readonly OptionValue[] {
  return Array.isArray(value);
}
