// How much the models of a line may think, and what they do when nobody says.

/** From least to most. */
export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

export type Effort = (typeof efforts)[number];

/** `unknown`: a name that does not tell, such as that of a deployment. */
export type Thinking =
  | { readonly kind: 'thinks'; readonly efforts: readonly Effort[]; readonly usual: Effort }
  | { readonly kind: 'never' }
  | { readonly kind: 'unknown' };

const upToHigh: readonly Effort[] = ['low', 'medium', 'high'];
const upToMax: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max'];
const noneToXhigh: readonly Effort[] = ['none', 'low', 'medium', 'high', 'xhigh'];

/** The first match counts. */
const lines: readonly (readonly [name: RegExp, efforts: readonly Effort[], usual: Effort])[] = [
  [/^o\d/, upToHigh, 'medium'],
  [/^gpt-6\.2/, upToMax, 'medium'],
  [/^gpt-(5\.6|6|6\.1)-astra/, upToMax, 'medium'],
  [/^gpt-(5\.6|6|6\.1)(-|$)/, ['none', ...upToMax], 'medium'],
  [/^gpt-5\.5/, noneToXhigh, 'medium'],
  [/^gpt-5\.[234]/, noneToXhigh, 'none'],
  [/^gpt-5\.1/, ['none', ...upToHigh], 'none'],
  [/^gpt-5(-|$)/, ['minimal', ...upToHigh], 'medium'],
  // Later ones are taken for what the newest known one is.
  [/^gpt-(5\.[6-9]|[6-9]|\d{2})/, upToMax, 'medium'],
];

/** `model`: bare and in lower case. */
export function thinkingOf(model: string): Thinking {
  if (/^(gpt-[34]|chatgpt)/.test(model) || /^gpt-5[^-]*-chat/.test(model)) {
    return { kind: 'never' };
  }
  const line = lines.find(([name]) => name.test(model));
  return line === undefined
    ? { kind: 'unknown' }
    : { kind: 'thinks', efforts: line[1], usual: line[2] };
}

/** The effort of the line that is nearest to the wanted one; the greater of two. */
export function nearestEffort(wanted: Effort, offered: readonly Effort[]): Effort {
  const distance = (effort: Effort): number =>
    Math.abs(efforts.indexOf(effort) - efforts.indexOf(wanted));
  return [...offered].reverse().reduce(
    (best, effort) => {
      return distance(effort) < distance(best) ? effort : best;
    },
    offered.at(-1) ?? wanted,
  );
}

/** Names that say the effort as well, such as `o3-mini-high`: the service knows only what comes before it. */
export function effortInName(
  model: string,
): { readonly model: string; readonly effort: Effort } | undefined {
  const [, plain, effort] = /^(o\d(?:-mini)?)-(low|medium|high)$/.exec(model) ?? [];
  const found = upToHigh.find((one) => one === effort);
  return plain === undefined || found === undefined ? undefined : { model: plain, effort: found };
}
