import { asArray, asObject } from '../wire/json-reading';
import type { Item } from './service';

/** Combinations that are not taken at the top of a schema. */
const notOnTop: ReadonlySet<string> = new Set([
  ...['$schema', 'oneOf', 'anyOf', 'allOf', 'not', 'enum', 'const'],
]);

/** The schema of a tool's input in the form that the service takes: an object on top, items in every array. */
export function toParameters(schema: Item): Item {
  const kept = Object.entries(schema).filter(([name]) => !notOnTop.has(name));
  const properties = asObject(schema['properties']) ?? {};
  return {
    ...asObject(withItems(Object.fromEntries(kept))),
    type: 'object',
    properties: withEach(properties),
  };
}

const ofSchemas: ReadonlySet<string> = new Set([
  'properties',
  '$defs',
  'definitions',
  'patternProperties',
]);
const lists: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const single: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not']);

function withItems(schema: unknown): unknown {
  const members = asObject(schema);
  if (members === undefined) {
    return schema;
  }
  const walked = Object.entries(members).map(([name, value]): [string, unknown] => {
    if (ofSchemas.has(name)) {
      return [name, withEach(asObject(value) ?? {})];
    }
    if (lists.has(name)) {
      return [name, asArray(value).map(withItems)];
    }
    return [name, single.has(name) ? withItems(value) : value];
  });
  const { type } = members;
  const isList = type === 'array' || asArray(type).includes('array');
  const missing = isList && members['items'] === undefined ? { items: {} } : {};
  return { ...Object.fromEntries(walked), ...missing };
}

function withEach(schemas: Item): Item {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, withItems(schema)]),
  );
}
