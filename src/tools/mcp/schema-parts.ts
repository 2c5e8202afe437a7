// Reading what servers write, of which nothing is certain.
import { clip, wellFormed } from '../../base/text';

export type Members = Readonly<Record<string, unknown>>;

const types = ['string', 'number', 'integer', 'boolean', 'array', 'object'];

export function optionsOf(given: Members): readonly unknown[] | undefined {
  const listed = listOf(given['anyOf']) ?? listOf(given['oneOf']);
  return (
    listed?.slice(0, 50) ??
    listOf(given['type'])
      ?.slice(0, types.length + 1)
      .map((type) => ({ type }))
  );
}

/** What holds for each of the options. */
export function withoutOptions({
  anyOf: _any,
  oneOf: _one,
  type: _type,
  ...rest
}: Members): Members {
  const { description: _description, title: _title, ...shared } = rest;
  return shared;
}

export function withRest(rest: Members, option: unknown): unknown {
  const own = membersOf(option);
  return own === undefined ? option : { ...rest, ...own };
}

export function typeOf(given: Members): string | undefined {
  const { type } = given;
  if (typeof type === 'string' && types.includes(type)) {
    return type;
  }
  if (membersOf(given['properties']) !== undefined) {
    return 'object';
  }
  const [value] = valuesOf(given) ?? [];
  return given['items'] === undefined ? types.find((each) => each === typeof value) : 'array';
}

export function valuesOf(given: Members): readonly unknown[] | undefined {
  const listed = listOf(given['enum']);
  if (listed !== undefined) {
    return listed.slice(0, 200).filter((value) => value !== null);
  }
  return given['const'] === undefined ? undefined : [given['const']];
}

/** Without characters that people do not see, which are there to tell models something else. */
export function visible(text: string): string {
  return wellFormed(text.replaceAll(/[^\P{C}\n\t\p{Cs}]/gu, ''));
}

export function inShort(value: unknown): string {
  try {
    return visible(clip(JSON.stringify(value), 100));
  } catch {
    // What is nested deeper than can be written is no simple rule.
    return '…';
  }
}

export function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? (value as readonly unknown[]) : undefined;
}

export function membersOf(value: unknown): Members | undefined {
  // A narrowed object has no index signature for the compiler; its members stay unknown.
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : undefined;
}
