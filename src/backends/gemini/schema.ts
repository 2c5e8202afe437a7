// Two forms in which the service takes the input of a function: JSON Schema nearly as it is, and, where that is not known,
// a subset of OpenAPI's.
import type { JsonSchema } from '../../core/ports/model-backend';
import { asArray, asObject, asText } from '../wire/json-reading';

type Schema = Readonly<Record<string, unknown>>;
type Member = readonly [name: string, value: unknown];

/** `undefined` for a function without input: an object must have members. */
export function toJsonSchema(schema: JsonSchema): Schema | undefined {
  return hasInput(schema) ? withoutMarks(schema) : undefined;
}

/** `undefined` for a function without input. */
export function toOpenApi(schema: JsonSchema): Schema | undefined {
  const definitions = { ...asObject(schema['definitions']), ...asObject(schema['$defs']) };
  return hasInput(schema) ? convert(schema, definitions, 0) : undefined;
}

function hasInput(schema: Schema): boolean {
  const open = schema['additionalProperties'];
  return (
    Object.keys(asObject(schema['properties']) ?? {}).length > 0 ||
    ['$ref', 'anyOf', 'oneOf', 'allOf'].some((name) => name in schema) ||
    open === true ||
    asObject(open) !== undefined
  );
}

/** Without the marks of the dialect; a reference stands alone, and a constant is a choice of one. */
function withoutMarks(schema: Schema): Schema {
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    return { $ref: reference };
  }
  // Every list must say what it holds.
  const isOpenList = schema['type'] === 'array' && !('items' in schema || 'prefixItems' in schema);
  const items: readonly Member[] = isOpenList ? [['items', { type: 'string' }]] : [];
  const members = Object.entries(schema)
    .filter(([name]) => name !== '$schema' && name !== '$comment')
    .map(([name, value]): Member =>
      name === 'const' ? ['enum', [value]] : [name, inner(name, value)],
    );
  return Object.fromEntries([...items, ...members]);
}

/** The value of a member, with the schemas in it. */
function inner(name: string, value: unknown): unknown {
  if (schemaMaps.has(name)) {
    return mapped(value, withoutMarks);
  }
  if (schemaLists.has(name)) {
    return asArray(value).map((one) => withoutMarks(asObject(one) ?? {}));
  }
  const schema = schemaMembers.has(name) ? asObject(value) : undefined;
  return schema === undefined ? value : withoutMarks(schema);
}

const schemaMaps: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);
const schemaLists: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const schemaMembers: ReadonlySet<string> = new Set(['items', 'additionalProperties']);

const plainMembers = [
  ...['title', 'description', 'nullable', 'minItems', 'maxItems', 'minimum', 'maximum'],
  ...['minLength', 'maxLength', 'pattern', 'default', 'example'],
] as const;

/** Deeper than any real input; a type that contains itself would have no end. */
const deepest = 12;

const anyValue: Schema = { type: 'STRING' };

function convert(schema: Schema, definitions: Schema, depth: number): Schema {
  if (depth > deepest) {
    return anyValue;
  }
  const whole = resolved(schema, definitions);
  const plain = Object.fromEntries(
    plainMembers.flatMap((name) => (name in whole ? [[name, whole[name]]] : [])),
  );
  const { types, isNullable } = typesOf(whole);
  const base = { ...plain, ...(isNullable ? { nullable: true } : {}) };
  const choices = [...asArray(whole['anyOf']), ...asArray(whole['oneOf'])]
    .map((one) => asObject(one) ?? {})
    .filter((one) => one['type'] !== 'null');
  if (choices.length > 0) {
    return withChoices(base, choices, whole, (one) => convert(one, definitions, depth + 1));
  }
  if (types.length > 1) {
    return {
      ...base,
      anyOf: types.map((type) => convertType({ ...whole, type }, definitions, depth)),
    };
  }
  return { ...base, ...convertType({ ...whole, type: types[0] }, definitions, depth) };
}

function withChoices(
  base: Schema,
  choices: readonly Schema[],
  whole: Schema,
  inner: (schema: Schema) => Schema,
): Schema {
  const isNullable =
    [...asArray(whole['anyOf']), ...asArray(whole['oneOf'])].length > choices.length;
  const nullable = isNullable ? { nullable: true } : {};
  const [only] = choices;
  return choices.length === 1 && only !== undefined
    ? { ...inner(only), ...base, ...nullable }
    : { ...base, ...nullable, anyOf: choices.map(inner) };
}

function convertType(schema: Schema, definitions: Schema, depth: number): Schema {
  const inner = (value: unknown): Schema => convert(asObject(value) ?? {}, definitions, depth + 1);
  switch (schema['type']) {
    case 'object':
      return objectForm(schema, inner);
    case 'array':
      return { type: 'ARRAY', items: 'items' in schema ? inner(schema['items']) : anyValue };
    case 'integer':
    case 'number':
    case 'boolean':
      return { type: schema['type'].toUpperCase() };
    default:
      return textForm(schema);
  }
}

function objectForm(schema: Schema, inner: (value: unknown) => Schema): Schema {
  const properties = asObject(schema['properties']) ?? {};
  const names = Object.keys(properties);
  if (names.length === 0) {
    // An object without named members has no form here; one that may be filled comes nearest.
    const value = { type: 'STRING', nullable: true, description: 'Any member.' };
    return { type: 'OBJECT', properties: { value } };
  }
  const required = asArray(schema['required']).filter((name) => names.some((one) => one === name));
  return {
    type: 'OBJECT',
    properties: mapped(properties, inner),
    ...(required.length === 0 ? {} : { required }),
  };
}

function textForm(schema: Schema): Schema {
  const choices = 'const' in schema ? [schema['const']] : asArray(schema['enum']);
  const format = schema['format'];
  return {
    type: 'STRING',
    ...(choices.length === 0
      ? {}
      : {
          enum: choices
            .filter((one) => one !== null)
            .map((one) => asText(one) || JSON.stringify(one)),
          format: 'enum',
        }),
    ...(choices.length === 0 && format === 'date-time' ? { format } : {}),
  };
}

function typesOf(schema: Schema): {
  readonly types: readonly string[];
  readonly isNullable: boolean;
} {
  const written = schema['type'];
  const all = Array.isArray(written) ? written.map((one) => asText(one)) : [asText(written)];
  const types = all.filter((type) => type !== 'null');
  const isObject = types.every((type) => type === '') && 'properties' in schema;
  return { types: isObject ? ['object'] : types, isNullable: types.length < all.length };
}

/** With what it refers to and all of its parts in one. */
function resolved(schema: Schema, definitions: Schema): Schema {
  let whole = schema;
  for (let hops = 0; typeof whole['$ref'] === 'string' && hops < deepest; hops++) {
    const { $ref: reference, ...own } = whole;
    const name = asText(reference).replace(/^#\/(\$defs|definitions)\//, '');
    whole = { ...asObject(definitions[name]), ...own };
  }
  return asArray(whole['allOf']).reduce<Schema>(
    (all, one) => {
      const part = resolved(asObject(one) ?? {}, definitions);
      return {
        ...{ ...part, ...all },
        properties: { ...asObject(part['properties']), ...asObject(all['properties']) },
        required: [...asArray(part['required']), ...asArray(all['required'])],
      };
    },
    without(whole, 'allOf'),
  );
}

function without(schema: Schema, name: string): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([one]) => one !== name));
}

function mapped(value: unknown, map: (schema: Schema) => Schema): Schema {
  return Object.fromEntries(
    Object.entries(asObject(value) ?? {}).map(([name, one]) => [name, map(asObject(one) ?? {})]),
  );
}
