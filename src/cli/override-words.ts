import { nearest } from '../base/text';
import type { TieBreakElement } from '../run/coordination-settings';
import type { RuleOverrides } from '../run/decision/redecide';
import { UsageError } from './failure';

/** Another rule, as it was written on the command line. */
export interface OverrideWords {
  readonly rules: Omit<RuleOverrides, 'weights'>;
  /** By agent id. */
  readonly weights: ReadonlyMap<string, number>;
}

const tieBreakElements = [
  'evidence',
  'approvals',
  'votes_from_others',
  'smaller_change',
  'latest',
  'earliest',
  'seeded_hash',
  'config_order',
] as const satisfies readonly TieBreakElement[];

/** `written` answers the values of an option. Throws `UsageError` for a value that is none. */
export function overrideWords(written: (option: string) => readonly string[]): OverrideWords {
  const one = <T>(option: string, read: (text: string, option: string) => T): T | undefined => {
    const text = written(option).at(-1);
    return text === undefined ? undefined : read(text, option);
  };
  const tieBreak = one('tie-break', listOf(tieBreakElements));
  const rules = {
    rule: one(
      'rule',
      choice(
        ...(['plurality', 'majority', 'supermajority'] as const),
        ...(['unanimity', 'min_agreement', 'weighted'] as const),
      ),
    ),
    threshold: one('threshold', share),
    minAgreement: one('min-agreement', whole),
    quorum: one('quorum', share),
    margin: one('margin', amount),
    selfVote: one('self-vote', choice('allow', 'forbid', 'ignore', 'by_panel_size')),
    electorate: one('electorate', choice('all', 'answered')),
    families: one('families', choice('label', 'weight')),
    stop: one('stop', choice('full', 'exact', 'posterior')),
    onSplit: one(
      'on-split',
      choice('tie_break', 'runoff', 'another_round', 'judge', 'human', 'fail'),
    ),
    tieBreak,
  };
  return {
    rules: withoutAbsent(rules),
    weights: new Map(written('weights').flatMap((text) => text.split(',').map(weight))),
  };
}

/** Absent is something else than undefined where it is spread over other settings. */
function withoutAbsent<T extends object>(
  values: T,
): {
  readonly [K in keyof T]?: Exclude<T[K], undefined>;
} {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  // Only members without a value were taken out.
  return Object.fromEntries(present) as { readonly [K in keyof T]?: Exclude<T[K], undefined> };
}

function choice<const V extends readonly string[]>(
  ...values: V
): (text: string, option: string) => V[number] {
  return (text, option) => {
    const word = text.trim().toLowerCase().replaceAll('-', '_');
    const found = values.find((value) => value === word);
    if (found === undefined) {
      const suggestion = nearest(word, values);
      const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
      throw new UsageError(`--${option} takes one of ${values.join(', ')}, not ${text}.${hint}`);
    }
    return found;
  };
}

function listOf<const V extends readonly string[]>(
  values: V,
): (text: string, option: string) => readonly V[number][] {
  const read = choice(...values);
  return (text, option) => [...new Set(text.split(',').map((word) => read(word, option)))];
}

/** `0.6`, `60%` and `2/3`. */
function share(text: string, option: string): number {
  const [above = '', below = '1'] = text.replace(/%$/, '/100').split('/');
  const value = numberOf(above) / numberOf(below);
  if (!(value > 0 && value <= 1)) {
    throw new UsageError(`--${option} takes a share such as 0.6 or 2/3, not ${text}.`);
  }
  return value;
}

function whole(text: string, option: string): number {
  const value = numberOf(text);
  if (!Number.isInteger(value) || value < 1) {
    throw new UsageError(`--${option} takes a whole number of at least 1, not ${text}.`);
  }
  return value;
}

function amount(text: string, option: string): number {
  const value = numberOf(text);
  if (!(value >= 0 && Number.isFinite(value))) {
    throw new UsageError(`--${option} takes a number of at least 0, not ${text}.`);
  }
  return value;
}

/** As in a team file. */
const largestWeight = 1000;

function weight(text: string): readonly [string, number] {
  const at = text.lastIndexOf('=');
  const value = numberOf(text.slice(at + 1));
  if (at < 1 || !(value >= 0)) {
    throw new UsageError(`--weights takes ID=N such as ann=2, not ${text}.`);
  }
  if (value > largestWeight) {
    throw new UsageError(`--weights takes weights of at most ${largestWeight}, not ${text}.`);
  }
  return [text.slice(0, at).trim(), value];
}

function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}
