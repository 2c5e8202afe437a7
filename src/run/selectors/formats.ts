// How numbers, amounts of money and times are written, in one place for panel, terminal and text view.
const minus = '\u2212';
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** `940`, `38.4k`, `1.2M`. */
export function formatTokens(tokens: number, language: string): string {
  const [value, unit] = scaled(tokens);
  const digits = unit !== '' && value < 100 ? 1 : 0;
  const format = numberFormat(language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${format.format(value)}${unit}`;
}

/** Tens of thousands without a fraction, for ranges: `60k`. */
export function formatRoughTokens(tokens: number, language: string): string {
  const [value, unit] = scaled(tokens);
  return `${numberFormat(language, { maximumFractionDigits: 0 }).format(value)}${unit}`;
}

function scaled(tokens: number): readonly [value: number, unit: '' | 'k' | 'M'] {
  if (tokens >= 999_500) {
    return [tokens / 1_000_000, 'M'];
  }
  return tokens >= 1000 ? [tokens / 1000, 'k'] : [tokens, ''];
}

export function formatCount(count: number, language: string): string {
  return numberFormat(language, { maximumFractionDigits: 2 }).format(count);
}

/** US dollars: `$0.06`, `<$0.01` for anything above zero that would show as zero. */
export function formatMoney(usd: number, language: string): string {
  const format = numberFormat(language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
  });
  return usd > 0 && usd < 0.01 ? `<${format.format(0.01)}` : format.format(usd);
}

/** What stands for a price that is not known. */
export const unknownCost = '?';

/** Costs of which a part may be unknown: `$0.18`, `at least $0.18`, `?`. */
export function formatCost(
  cost: { readonly costUsd: number; readonly unpricedCalls: number },
  language: string,
): string {
  if (cost.unpricedCalls === 0) {
    return formatMoney(cost.costUsd, language);
  }
  return cost.costUsd > 0 ? `at least ${formatMoney(cost.costUsd, language)}` : unknownCost;
}

/** With an en dash and spaces; one value when both ends read the same. */
export function formatRange(low: string, high: string): string {
  return low === high ? low : `${low} \u2013 ${high}`;
}

export function formatAdded(lines: number, language: string): string {
  return `+${formatCount(lines, language)}`;
}

export function formatRemoved(lines: number, language: string): string {
  return `${minus}${formatCount(lines, language)}`;
}

/** A span of time: `0:48`, `12:40`, `1:05:09`. */
export function formatElapsed(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / second));
  const [hours, minutes, seconds] = [
    Math.floor(whole / 3600),
    Math.floor(whole / 60) % 60,
    whole % 60,
  ];
  const tail = String(seconds).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

/** A wait that is still to come: `12 s`. */
export function formatWait(ms: number): string {
  return `${Math.max(0, Math.ceil(ms / second))} s`;
}

/** How long something took, to a tenth while that says something: `0.9 s`, `12 s`, `1:13`. */
export function formatTook(ms: number, language: string): string {
  if (ms >= minute) {
    return formatElapsed(ms);
  }
  const [digits, step] = ms < 10 * second ? [1, 100] : [0, second];
  const format = numberFormat(language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${format.format((Math.floor(ms / step) * step) / second)} s`;
}

/** A limit as people set it: `30 min`, `2 h`, `45 s`. */
export function formatLimit(ms: number): string {
  if (ms >= hour && ms % hour === 0) {
    return `${ms / hour} h`;
  }
  return ms >= minute ? `${Math.round(ms / minute)} min` : `${Math.round(ms / second)} s`;
}

/** When something was, seen from `now`: `today 14:02`, `3 March 14:02`, with the year when it was another one. */
export function formatWhen(at: number, now: number, language: string): string {
  const time = formatClock(at, language);
  const [then, today] = [new Date(at), new Date(now)];
  if (then.toDateString() === today.toDateString()) {
    return `today ${time}`;
  }
  const date = dateFormat(language, {
    day: 'numeric',
    month: 'long',
    ...(then.getFullYear() === today.getFullYear() ? {} : { year: 'numeric' }),
  });
  return `${date.format(then)} ${time}`;
}

/** Time of day without seconds, `14:02`. */
export function formatClock(at: number, language: string): string {
  return dateFormat(language, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(at));
}

/** `Agent 1`, `Agent 1 and Agent 3`, `Agent 1, Agent 2, and Agent 3`. */
export function joinNames(names: readonly string[], language: string): string {
  return listFormat(language).format(names);
}

/** `one` or `other` by the plural rules of English, the language of the texts. */
export function plural(count: number, one: string, other: string): string {
  return count === 1 ? one : other;
}

/** `6 votes`; the words are given without the number. */
export function counted(count: number, one: string, other: string): string {
  return `${count} ${plural(count, one, other)}`;
}

/** A text of another part as a sentence: a capital at its beginning, a full stop at its end. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  const [first = ''] = trimmed;
  const whole = first.toUpperCase() + trimmed.slice(first.length);
  return whole === '' || /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

// Making a format takes a hundred times as long as using it, and a long run has thousands of rows.
const numberFormats = new Map<string, Intl.NumberFormat>();
const dateFormats = new Map<string, Intl.DateTimeFormat>();
const listFormats = new Map<string, Intl.ListFormat>();

function numberFormat(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return kept(
    numberFormats,
    language + JSON.stringify(options),
    () => new Intl.NumberFormat(language, options),
  );
}

function dateFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return kept(
    dateFormats,
    language + JSON.stringify(options),
    () => new Intl.DateTimeFormat(language, options),
  );
}

function listFormat(language: string): Intl.ListFormat {
  return kept(listFormats, language, () => new Intl.ListFormat(language, { type: 'conjunction' }));
}

function kept<T>(made: Map<string, T>, key: string, make: () => T): T {
  const known = made.get(key);
  if (known !== undefined) {
    return known;
  }
  const fresh = make();
  made.set(key, fresh);
  return fresh;
}
