import { isAlias, isMap, isNode, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import { nearest, withWordsOf } from '../../base/text';
import type { TextRange } from '../problem-list';
import { namesSecret, shown } from '../secret-text';
import { rangeOf, type ReadContext } from './read-context';
import { wrongType } from './scalars';
import { inWords, type Shape } from './shape';
import { type Fields, type FieldValues, keyInfos, type Spec } from './spec';

/** Also takes `null`, which reads as `null` and is different from an absent key. */
export function nullable<T>(spec: Spec<T>): Spec<T | null> {
  return {
    shape: { ...spec.shape, isNullable: true },
    read: (node, context) =>
      isScalar(node) && node.value === null ? null : spec.read(node, context),
  };
}

export function list<T>(item: Spec<T>): Spec<readonly T[]> {
  const shape: Shape = { kind: 'list', item: item.shape };
  return {
    shape,
    read: (node, context) => {
      if (!isSeq(node)) {
        wrongType(node, context, shape);
        return undefined;
      }
      const values: T[] = [];
      for (const [index, entry] of node.items.entries()) {
        const at = isNode(entry) ? entry : null;
        const itemContext = context.item(index, beginningOf(at) ?? context.around);
        const value = readValue(item, at, itemContext);
        if (value !== undefined) {
          values.push(value);
        }
      }
      return values;
    },
  };
}

/** For problems about a whole item: its first key, not all its lines. */
function beginningOf(node: Node | null): TextRange | undefined {
  const first: unknown = isMap(node) ? node.items[0]?.key : undefined;
  return rangeOf(isNode(first) ? first : node);
}

/** Takes any one of two forms, told apart by `isFirst`. */
export function either<A, B>(
  isFirst: (node: Node) => boolean,
  first: Spec<A>,
  second: Spec<B>,
): Spec<A | B> {
  return {
    shape: { kind: 'one-of', shapes: [first.shape, second.shape] },
    read: (node, context) =>
      isFirst(node) ? first.read(node, context) : second.read(node, context),
  };
}

/** Chosen names with values of one kind, e.g. weights by agent id. */
export function record<T>(value: Spec<T>): Spec<ReadonlyMap<string, T>> {
  const shape: Shape = { kind: 'record', value: value.shape };
  return {
    shape,
    read: (node, context) => {
      if (!isMap(node)) {
        wrongType(node, context, shape);
        return undefined;
      }
      const values = new Map<string, T>();
      for (const { name, range, value: at } of entriesOf(node, context)) {
        const member = readValue(value, at, context.key(shown(name), range));
        if (member !== undefined) {
          values.set(name, member);
        }
      }
      return values;
    },
  };
}

type Severity = 'error' | 'warning';

/** A closed mapping: keys that are not in the table are reported, with the nearest known one. */
export function mapping<F extends Fields>(
  fields: F,
  unknownKeys: Severity = 'error',
): Spec<FieldValues<F>> {
  const isOpen = unknownKeys === 'warning';
  const shape: Shape = {
    ...{ kind: 'mapping', keys: keyInfos(fields) },
    ...(isOpen ? { isOpen } : {}),
  };
  return {
    shape,
    read: (node, context) => {
      if (!isMap(node)) {
        wrongType(node, context, shape);
        return undefined;
      }
      return readFields(node, context, fields, unknownKeys);
    },
  };
}

/** Reads a mapping whose fields are known only now, e.g. after its `type` was looked at. */
export function readFields<F extends Fields>(
  node: YAMLMap,
  context: ReadContext,
  fields: F,
  unknownKeys: Severity = 'error',
): FieldValues<F> {
  const values: Record<string, unknown> = {};
  const entries = entriesOf(node, context);
  for (const { name, range, value } of entries) {
    const found = fieldNamed(name, fields);
    const at = context.key(shown(name), range, node.flow === true);
    if (found === undefined) {
      reportUnknown(name, at, { fields, severity: unknownKeys });
    } else {
      values[name] = readValue(found.spec, value, at);
    }
  }
  const present = new Set(entries.map(({ name }) => name));
  for (const [name, { isRequired, description }] of Object.entries(fields)) {
    if (isRequired && !present.has(name)) {
      context.report(undefined, { code: 'missing', message: `${name} is missing: ${description}` });
    }
  }
  // Each member was made by the spec of its own field above; a computed key hides that from the compiler.
  return values as FieldValues<F>;
}

/** A name that ends with `*` stands for all keys that begin with it. */
function fieldNamed(name: string, fields: Fields): Fields[string] | undefined {
  if (Object.hasOwn(fields, name)) {
    return fields[name];
  }
  const family = Object.keys(fields).find(
    (each) => each.endsWith('*') && name.startsWith(each.slice(0, -1)),
  );
  return family === undefined ? undefined : fields[family];
}

/** A key with nothing after it counts as `null`. */
function readValue<T>(spec: Spec<T>, node: Node | null, context: ReadContext): T | undefined {
  const value = context.resolve(node);
  const isEmpty =
    value === null || value === undefined || (isScalar(value) && value.value === null);
  if (isEmpty && spec.shape.isNullable !== true && spec.shape.kind !== 'anything') {
    // An alias that leads nowhere has been told.
    if (!isAlias(node)) {
      const message = `The value is missing; this must be ${inWords(spec.shape)}.`;
      context.report(undefined, { code: 'missing', message });
    }
    return undefined;
  }
  return value ? spec.read(value, context) : undefined;
}

interface Entry {
  readonly name: string;
  readonly range: readonly [number, number];
  readonly value: Node | null;
}

/** Members in order, those of merge keys (`<<`) after the mapping's own and only where it has none. */
export function entriesOf(map: YAMLMap, context: ReadContext): readonly Entry[] {
  const entries = new Map<string, Entry>();
  const merged: YAMLMap[] = [];
  for (const { key, value } of map.items as readonly Pair[]) {
    const name = isScalar(key) ? String(key.value) : undefined;
    const node = isNode(value) ? value : null;
    if (name === '<<') {
      merged.push(...mapsIn(context.resolve(node), context));
    } else if (name !== undefined && !entries.has(name)) {
      const range = isNode(key) ? rangeOf(key) : undefined;
      entries.set(name, { name, range: range ?? context.around, value: node });
    }
  }
  for (const entry of merged.flatMap((other) => entriesOf(other, context))) {
    if (!entries.has(entry.name)) {
      entries.set(entry.name, entry);
    }
  }
  return [...entries.values()];
}

function mapsIn(node: Node | null | undefined, context: ReadContext): readonly YAMLMap[] {
  if (isMap(node)) {
    return [node];
  }
  return isSeq(node)
    ? node.items.flatMap((item) => mapsIn(context.resolve(isNode(item) ? item : null), context))
    : [];
}

/** Keys that were called otherwise once. */
const renamed: ReadonlyMap<string, string> = new Map([
  ['image_url', 'image_path'],
  ['async_subagents', 'background_subagents'],
]);

interface Likely {
  /** In place of what stands there; `undefined` when a person must choose. */
  readonly suggestion: string | undefined;
  /** A sentence after a space; empty when nothing is like the name. */
  readonly hint: string;
}

function likely(name: string, fields: Fields, places: readonly string[]): Likely {
  const known = Object.keys(fields);
  const [other] = [renamed.get(name), `enable_${name}`].filter(
    (each) => each !== undefined && known.includes(each),
  );
  if (other === undefined && places.length > 0) {
    return { suggestion: undefined, hint: ` Its place is ${places.join(' or ')}.` };
  }
  const offered = known.filter((key) => fields[key]?.isUnsupported !== true);
  // A typing error leaves more than it takes: one letter is like every short name.
  const isTooShort = name.length < 3;
  const spelled =
    other ?? (isTooShort ? undefined : (nearest(name, offered) ?? nearest(name, known)));
  const meant = spelled === undefined ? withWordsOf(name, offered).slice(0, 3) : [spelled];
  const [first] = meant;
  return {
    suggestion: meant.length === 1 ? first : undefined,
    hint: first === undefined ? '' : ` Did you mean ${meant.join(' or ')}?`,
  };
}

function reportUnknown(
  name: string,
  context: ReadContext,
  { fields, severity }: { readonly fields: Fields; readonly severity: Severity },
): void {
  const { suggestion, hint } = likely(name, fields, context.placesOf(name));
  const isSecret = namesSecret(name) && suggestion === undefined;
  context.report(undefined, {
    code: 'unknown-key',
    severity,
    message: `${shown(name)} is not a key that is known here.${hint}${isSecret ? ' Keys of services are named by api_key: ${NAME}.' : ''}`,
    suggestion,
  });
}
