// Values whose form is the service's own business: read as they are, within bounds.
import { isMap, isScalar, isSeq, type Node } from 'yaml';
import type { OptionValue } from '../../core/ports/backend-kind';
import { entriesOf, list } from './collections';
import { rangeOf, type ReadContext } from './read-context';
import { text, wrongType } from './scalars';
import type { Spec } from './spec';

const deepest = 20;

/** A mapping with members of any form. */
export function anyMapping(): Spec<Readonly<Record<string, OptionValue>>> {
  const shape = { kind: 'record', value: { kind: 'anything' } } as const;
  return {
    shape,
    read: (node, context) => {
      if (!isMap(node)) {
        wrongType(node, context, shape);
        return undefined;
      }
      const value = readAny(node, context, 0);
      return isMembers(value) ? value : undefined;
    },
  };
}

/** A list of texts; a single text counts as a list of one. */
export function textOrTexts(): Spec<readonly string[]> {
  const many = list(text());
  const one = text();
  return {
    shape: { kind: 'one-of', shapes: [many.shape, one.shape] },
    read: (node, context) => {
      if (isSeq(node)) {
        return many.read(node, context);
      }
      const value = one.read(node, context);
      return value === undefined ? undefined : [value];
    },
  };
}

export function isMembers(value: unknown): value is Readonly<Record<string, OptionValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readAny(given: Node | null | undefined, context: ReadContext, depth: number): OptionValue {
  const node = context.resolve(given);
  if (depth > deepest) {
    context.report(node, { code: 'too-large', message: 'This is nested too deeply.' });
    return null;
  }
  if (isMap(node)) {
    const members = entriesOf(node, context).map(({ name, range, value }) => {
      return [name, readAny(value, context.key(name, range), depth + 1)] as const;
    });
    return Object.fromEntries(members);
  }
  if (isSeq(node)) {
    return node.items.map((item, index) => {
      const at = context.item(index, rangeOf(node) ?? context.around);
      return isMap(item) || isSeq(item) || isScalar(item) ? readAny(item, at, depth + 1) : null;
    });
  }
  const value: unknown = isScalar(node) ? node.value : null;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    default:
      return null;
  }
}
