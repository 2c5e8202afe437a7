// Schemas of tools in forms that services take. Servers of tools write whatever JSON Schema allows.
import { asArray, asObject, asText } from './json-reading';

type Json = Readonly<Record<string, unknown>>;

/** Deeper than the schema of any tool; what refers to itself ends here. */
const deepest = 12;

/**
 * The schema reduced to what every service takes: single types, `properties`, `required`, `items`, enumerations of texts and
 * `anyOf`. What is taken away stands in the description instead. Reads nothing from elsewhere.
 */
export function toParameters(schema: Json): Json {
  const plain = simplify(schema, { root: schema, depth: 0 });
  const { type: _type, anyOf: _anyOf, enum: _enum, ...rest } = plain;
  return { type: 'object', properties: {}, ...rest };
}

interface Place {
  /** Where `$ref` points into. */
  readonly root: Json;
  readonly depth: number;
}

function simplify(written: unknown, place: Place): Json {
  const schema = resolved(asObject(written) ?? {}, place);
  if (place.depth > deepest) {
    return {};
  }
  const inner: Place = { ...place, depth: place.depth + 1 };
  const choices = choicesOf(schema, inner);
  const type = typeOf(schema);
  return {
    ...(choices === undefined && type !== '' ? { type } : {}),
    ...described(schema),
    ...(choices === undefined ? {} : { anyOf: choices }),
    ...texts(schema),
    ...(type === 'object' ? membersOf(schema, inner) : {}),
    ...(type === 'array' ? { items: itemsOf(schema, inner) } : {}),
  };
}

/** Follows `$ref` inside the schema and joins `allOf`, as far as both can be said in one schema. */
function resolved(schema: Json, { root, depth }: Place): Json {
  let current = schema;
  for (let hops = 0; typeof current['$ref'] === 'string' && hops < deepest; hops++) {
    const { $ref: reference, ...rest } = current;
    current = { ...targetOf(asText(reference), root), ...rest };
  }
  const all = asArray(current['allOf']).map((each) => asObject(each) ?? {});
  if (all.length === 0 || depth > deepest) {
    return current;
  }
  return all.reduce<Json>(
    (joined, each) => join(joined, resolved(each, { root, depth: depth + 1 })),
    {
      ...current,
      allOf: undefined,
    },
  );
}

function join(one: Json, other: Json): Json {
  const properties = { ...asObject(one['properties']), ...asObject(other['properties']) };
  const required = [...asArray(one['required']), ...asArray(other['required'])];
  return {
    ...other,
    ...Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined)),
    ...(Object.keys(properties).length === 0 ? {} : { properties, required }),
  };
}

function targetOf(reference: string, root: Json): Json {
  if (!reference.startsWith('#')) {
    return {};
  }
  const steps = reference
    .slice(1)
    .split('/')
    .filter((step) => step !== '');
  let current: unknown = root;
  for (const step of steps) {
    const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    const members = asObject(current);
    current = members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
  }
  return current === root ? {} : (asObject(current) ?? {});
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** The single type; of several the first that is not `null`. */
function typeOf(schema: Json): string {
  const named = [schema['type'], ...asArray(schema['type'])].filter(
    (type): type is string => typeof type === 'string' && type !== 'null',
  );
  const [first] = named;
  if (first !== undefined) {
    return first;
  }
  if (schema['properties'] !== undefined) {
    return 'object';
  }
  if (schema['items'] !== undefined) {
    return 'array';
  }
  const values = valuesOf(schema);
  return values.length > 0 && values.every((value) => typeof value === 'string') ? 'string' : '';
}

/** Alternatives without `null`; `undefined` when the schema has none. A single one is no choice but is kept as one. */
function choicesOf(schema: Json, inner: Place): readonly Json[] | undefined {
  const listed = [...asArray(schema['anyOf']), ...asArray(schema['oneOf'])];
  const choices = listed
    .filter((each) => asObject(each)?.['type'] !== 'null')
    .map((each) => simplify(each, inner));
  return choices.length === 0 || schema['properties'] !== undefined ? undefined : choices;
}

function membersOf(schema: Json, inner: Place): Json {
  const properties = Object.entries(asObject(schema['properties']) ?? {}).map(
    ([name, property]): [string, Json] => [name, simplify(property, inner)],
  );
  const names = new Set(properties.map(([name]) => name));
  const required = [...new Set(asArray(schema['required']))].filter(
    (name): name is string => typeof name === 'string' && names.has(name),
  );
  return {
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
    ...(schema['additionalProperties'] === false ? { additionalProperties: false } : {}),
  };
}

function itemsOf(schema: Json, inner: Place): Json {
  const items = asObject(schema['items']);
  return items === undefined ? { type: 'string' } : simplify(items, inner);
}

function valuesOf(schema: Json): readonly unknown[] {
  return 'const' in schema ? [schema['const']] : asArray(schema['enum']);
}

/** Enumerations of texts stay; others are said in words. */
function texts(schema: Json): Json {
  const values = valuesOf(schema).filter((value) => value !== null);
  const isText = values.length > 0 && values.every((value) => typeof value === 'string');
  return isText ? { enum: values } : {};
}

/** What stands in words when it cannot stand as a rule. */
const rules: readonly (readonly [name: string, words: string])[] = [
  ['format', 'format'],
  ['pattern', 'pattern'],
  ['default', 'default'],
  ['minimum', 'at least'],
  ['exclusiveMinimum', 'more than'],
  ['maximum', 'at most'],
  ['exclusiveMaximum', 'less than'],
  ['multipleOf', 'a multiple of'],
  ['minLength', 'characters at least'],
  ['maxLength', 'characters at most'],
  ['minItems', 'items at least'],
  ['maxItems', 'items at most'],
];

function described(schema: Json): Json {
  const values = valuesOf(schema);
  const isTold = values.some((value) => typeof value !== 'string');
  const said = [
    ...(isTold ? [`one of ${JSON.stringify(values)}`] : []),
    ...(mayBeNull(schema) ? ['may be left out'] : []),
    ...rules.flatMap(([name, words]) =>
      schema[name] === undefined ? [] : [`${words} ${inWords(schema[name])}`],
    ),
  ];
  const own = asText(schema['description']);
  const addition = said.length === 0 ? '' : `(${said.join('; ')})`;
  const description = [own, addition].filter((each) => each !== '').join(' ');
  return description === '' ? {} : { description };
}

function mayBeNull(schema: Json): boolean {
  const choices = [...asArray(schema['anyOf']), ...asArray(schema['oneOf'])];
  return (
    asArray(schema['type']).includes('null') ||
    choices.some((each) => asObject(each)?.['type'] === 'null')
  );
}

function inWords(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
