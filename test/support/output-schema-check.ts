// What services that hold a model to the schema of its answer say against a schema.

type Json = Readonly<Record<string, unknown>>;

interface SchemaRules {
  /** Words of JSON Schema that the service does not take. */
  readonly refused: readonly string[];
  /** Every property must be in `required`. */
  readonly wantsAll: boolean;
}

/** `undefined` when the service takes the schema. */
export function outputSchemaProblem(schema: unknown, rules: SchemaRules): string | undefined {
  const isPlain = isJson(schema) && schema['type'] === 'object' && !('anyOf' in schema);
  return isPlain
    ? problemIn(schema, rules)
    : 'schema must be a JSON Schema of \'type: "object"\' without anyOf.';
}

function problemIn(schema: unknown, rules: SchemaRules): string | undefined {
  if (!isJson(schema)) {
    return `${JSON.stringify(schema)} is not of type 'object'.`;
  }
  const refused = rules.refused.find((word) => word in schema);
  if (refused !== undefined) {
    return `'${refused}' is not permitted.`;
  }
  if (Array.isArray(schema['type'])) {
    return "'type' must be one type.";
  }
  const isWhole = 'type' in schema || 'anyOf' in schema;
  if (!isWhole) {
    return "schema must have a 'type' key.";
  }
  if (schema['type'] === 'array' && !isJson(schema['items'])) {
    return 'array schema missing items.';
  }
  return objectProblem(schema, rules) ?? innerProblem(schema, rules);
}

function objectProblem(schema: Json, { wantsAll }: SchemaRules): string | undefined {
  if (schema['type'] !== 'object') {
    return undefined;
  }
  if (schema['additionalProperties'] !== false) {
    return "'additionalProperties' is required to be supplied and to be false.";
  }
  const names: readonly unknown[] = Object.keys(propertiesOf(schema));
  const required = listOf(schema['required']);
  if (wantsAll && names.some((name) => !required.includes(name))) {
    return "'required' is required to be an array including every key in properties.";
  }
  return required.some((name) => !names.includes(name))
    ? "'required' names what is not a property."
    : undefined;
}

function innerProblem(schema: Json, rules: SchemaRules): string | undefined {
  const inner = [
    ...Object.values(propertiesOf(schema)),
    ...listOf(schema['anyOf']),
    ...('items' in schema ? [schema['items']] : []),
  ];
  return inner.map((one) => problemIn(one, rules)).find((problem) => problem !== undefined);
}

function propertiesOf(schema: Json): Json {
  return isJson(schema['properties']) ? schema['properties'] : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As the services of chat completions and responses. */
export const strictRules: SchemaRules = {
  refused: [
    ...['$schema', 'default', 'const', 'oneOf', 'allOf', 'not', 'patternProperties'],
    ...['if', 'then', 'else', 'dependentRequired', 'minLength', 'maxLength'],
  ],
  wantsAll: true,
};

/** The name and the schema of an answer, as both of these services want them. */
export function namedSchemaProblem(form: Json): string | undefined {
  const { name, schema, strict } = form;
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
    return 'the name does not match the pattern.';
  }
  return strict === true ? outputSchemaProblem(schema, strictRules) : undefined;
}
