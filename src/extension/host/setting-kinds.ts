// What a setting of the editor can be: what the manifest says of it, and how its value is read.
type Json = Readonly<Record<string, unknown>>;

/** `window`: a project can set it too. `machine`, `application`: only the user can. */
type Scope = 'window' | 'machine' | 'application';

export interface Setting<T> {
  readonly scope: Scope;
  /** What an untrusted folder says is not looked at. */
  readonly isRestricted: boolean;
  /** Markdown for people; `#massgen.team#` is a link. */
  readonly text: string;
  /** Type, default and bounds as the manifest has them. */
  readonly schema: Json;
  /** Each value of a choice and what it means. */
  readonly choices?: Readonly<Record<string, string>>;
  readonly fallback: T;
  /** The value that counts; one that cannot be used is as if it were not set. */
  parse(value: unknown): T;
  /**
   * What counts of all that the user and the project say, for settings that a project may make stricter and never weaker.
   * Absent: the nearest to the project counts.
   */
  strictest?(values: readonly T[]): T;
}

/** What all kinds of settings are given. */
interface Options {
  readonly scope: Scope;
  readonly isRestricted?: true;
  readonly text: string;
}

function common(options: Options): Pick<Setting<unknown>, 'scope' | 'isRestricted' | 'text'> {
  const { scope, isRestricted, text } = options;
  return { scope, isRestricted: isRestricted === true, text };
}

export function flag(fallback: boolean, options: Options): Setting<boolean> {
  return {
    ...common(options),
    schema: { type: 'boolean', default: fallback },
    fallback,
    parse: (value) => (typeof value === 'boolean' ? value : fallback),
  };
}

/** Off unless anybody wants it. */
export function safeguard(options: Options): Setting<boolean> {
  return { ...flag(false, options), strictest: (values) => values.includes(true) };
}

export function line(options: Options): Setting<string> {
  return {
    ...common(options),
    schema: { type: 'string', default: '' },
    fallback: '',
    parse: (value) => (typeof value === 'string' ? value.trim() : ''),
  };
}

interface ChoiceOptions<C> extends Options {
  /** Each value and what it means, in the order in which they are offered. */
  readonly choices: C;
  /** What a value that is none of them means; absent: as if it were not set. */
  readonly ifUnusable?: keyof C & string;
}

export function choice<const C extends Readonly<Record<string, string>>>(
  fallback: keyof C & string,
  options: ChoiceOptions<C>,
): Setting<keyof C & string> {
  const { choices, ifUnusable = fallback } = options;
  const isChoice = (value: unknown): value is keyof C & string =>
    typeof value === 'string' && Object.hasOwn(choices, value);
  return {
    ...common(options),
    schema: { type: 'string', default: fallback, enum: Object.keys(choices) },
    choices,
    fallback,
    parse: (value) => {
      if (value === undefined) {
        return fallback;
      }
      return isChoice(value) ? value : ifUnusable;
    },
  };
}

interface LimitOptions extends Options {
  readonly minimum: number;
  readonly maximum: number;
  /** What a value that is no number means: no limit where a limit removes things, the usual one elsewhere. */
  readonly ifUnusable?: null;
}

/** A number, or `null` for none. The bounds are for the editor of settings: any number above zero counts. */
export function limit(fallback: number, options: LimitOptions): Setting<number | null> {
  const { minimum, maximum, ifUnusable = fallback } = options;
  return {
    ...common(options),
    schema: { type: ['number', 'null'], default: fallback, minimum, maximum },
    fallback,
    parse: (value) => {
      if (value === undefined) {
        return fallback;
      }
      return value === null || (typeof value === 'number' && value > 0) ? value : ifUnusable;
    },
  };
}

const texts = { type: 'array', items: { type: 'string' }, uniqueItems: true, default: [] };

export function list(options: Options): Setting<readonly string[]> {
  return {
    ...common(options),
    schema: texts,
    fallback: [],
    parse: (value) =>
      Array.isArray(value)
        ? value.filter((each): each is string => typeof each === 'string' && each.trim() !== '')
        : [],
  };
}

/** Whatever anybody adds counts. */
export function growingList(options: Options): Setting<readonly string[]> {
  return { ...list(options), strictest: (values) => [...new Set(values.flat())] };
}

export function textsByName(options: Options): Setting<Readonly<Record<string, string>>> {
  return {
    ...common(options),
    schema: { type: 'object', additionalProperties: { type: 'string' }, default: {} },
    fallback: {},
    parse: (value) =>
      Object.fromEntries(
        Object.entries(typeof value === 'object' && value !== null ? value : {}).flatMap(
          ([name, each]: [string, unknown]) =>
            typeof each === 'string' && each.trim() !== '' ? [[name, each.trim()]] : [],
        ),
      ),
  };
}
