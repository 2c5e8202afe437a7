// Spoils a stream: events lost, doubled and out of order, values of other types, bytes cut anywhere.
import fc from 'fast-check';
import { type Json, type JsonMembers, type OddStream, type Raw, isRaw } from './odd-stream';

export interface Spoiling {
  readonly kind: 'drop' | 'double' | 'swap' | 'replace' | 'garble';
  /** Of the event, from 0 to 1. */
  readonly at: number;
  /** Of the value in the event, from 0 to 1. */
  readonly within: number;
  readonly value: Json;
}

const oddValues: readonly Json[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    '',
    'x',
    '{}',
    '{"a":',
    '__proto__',
    '\ud800',
    '\u0000',
  ],
  ...[[], {}, [null], [[]], { length: -1 }, { toString: null }, 'y'.repeat(2_000)],
];

export const anySpoiling: fc.Arbitrary<Spoiling> = fc.record({
  kind: fc.constantFrom('drop', 'double', 'swap', 'replace', 'replace', 'replace', 'garble'),
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
  within: fc.double({ min: 0, max: 0.999, noNaN: true }),
  value: fc.constantFrom(...oddValues),
});

export function spoiled(stream: OddStream, spoilings: readonly Spoiling[]): OddStream {
  return { ...stream, events: spoilings.reduce(spoilOnce, stream.events) };
}

type Events = OddStream['events'];

function spoilOnce(events: Events, { kind, at, within, value }: Spoiling): Events {
  const index = Math.floor(at * events.length);
  const event = events[index];
  if (event === undefined) {
    return events;
  }
  switch (kind) {
    case 'drop':
      return events.toSpliced(index, 1);
    case 'double':
      return events.toSpliced(index, 0, event);
    case 'swap':
      return [...events.slice(0, index), ...events.slice(index).reverse()];
    case 'replace':
      return isRaw(event) ? events : events.with(index, replaced(event, within, value));
    case 'garble':
      return events.with(index, { raw: garbled(event, within) });
  }
}

function garbled(event: JsonMembers | Raw, within: number): string {
  const text = isRaw(event) ? event.raw : `data: ${JSON.stringify(event)}\n\n`;
  const at = Math.floor(within * text.length);
  return `${text.slice(0, at)}\u0007"}${text.slice(at + 1)}`;
}

/** The event with one of its values, counted from the outermost on, in exchange for another. */
function replaced(event: JsonMembers, within: number, value: Json): JsonMembers {
  let left = Math.floor(within * countOf(event)) + 1;
  const walk = (current: Json): Json => {
    left -= 1;
    if (left === 0) {
      return value;
    }
    return typeof current === 'object' && current !== null ? mapped(current, walk) : current;
  };
  return Object.fromEntries(Object.entries(event).map(([name, one]) => [name, walk(one)]));
}

function mapped(value: JsonMembers | readonly Json[], change: (one: Json) => Json): Json {
  return isList(value)
    ? value.map(change)
    : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one)]));
}

function countOf(value: Json): number {
  const inner = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return inner.reduce<number>((sum, one) => sum + 1 + countOf(one), 0);
}

function isList(value: JsonMembers | readonly Json[]): value is readonly Json[] {
  return Array.isArray(value);
}
