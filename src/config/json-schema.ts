import { chatCompletionAddresses } from './schema/original-keys';
import type { KeyInfo, Shape } from './schema/shape';
import { teamFile } from './schema/team-file';
import type { BackendKind } from '../core/ports/backend-kind';

type Json = Readonly<Record<string, unknown>>;

export interface JsonSchemaOptions {
  /** Types that exist only in the editor: accepted with any further keys. */
  readonly openTypes: readonly string[];
}

/** JSON Schema (draft 7) of a team file, for editors' own YAML support. Generated; never written by hand. */
export function toJsonSchema(kinds: readonly BackendKind[], options: JsonSchemaOptions): Json {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'MassGen team file',
    ...fromShape(teamFile(kinds).shape, options),
    anyOf: [{ required: ['agents'] }, { required: ['agent'] }],
  };
}

function fromShape(shape: Shape, options: JsonSchemaOptions): Json {
  const schema = plain(shape, options);
  return shape.isNullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}

function plain(shape: Shape, options: JsonSchemaOptions): Json {
  switch (shape.kind) {
    case 'string':
      return shape.values === undefined
        ? { type: 'string', minLength: 1 }
        : { type: 'string', enum: shape.values };
    case 'number':
      return numberSchema(shape);
    case 'boolean':
      return { type: 'boolean' };
    case 'url':
      return { type: 'string', pattern: '^https?://' };
    case 'secret':
      return {
        type: 'string',
        pattern: '^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$',
        examples: keyExamples,
      };
    case 'list':
      return { type: 'array', items: fromShape(shape.item, options) };
    case 'mapping':
      return closedObject(shape.keys, options);
    case 'record':
      return { type: 'object', additionalProperties: fromShape(shape.value, options) };
    case 'by-type':
      return byType(shape, options);
    case 'one-of':
      return { anyOf: shape.shapes.map((each) => fromShape(each, options)) };
    case 'anything':
      return {};
  }
}

const keyExamples = Object.values(chatCompletionAddresses).flatMap(({ keyName }) =>
  keyName === undefined ? [] : [`\${${keyName}}`],
);

function numberSchema(shape: Extract<Shape, { kind: 'number' }>): Json {
  return {
    type: shape.isInteger ? 'integer' : 'number',
    ...(shape.minimum === undefined ? {} : { minimum: shape.minimum }),
    ...(shape.above === undefined ? {} : { exclusiveMinimum: shape.above }),
    ...(shape.maximum === undefined ? {} : { maximum: shape.maximum }),
  };
}

function closedObject(keys: readonly KeyInfo[], options: JsonSchemaOptions): Json {
  const required = keys.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: 'object',
    additionalProperties: false,
    properties: properties(keys, options),
    ...(required.length === 0 ? {} : { required }),
  };
}

function properties(keys: readonly KeyInfo[], options: JsonSchemaOptions): Json {
  return Object.fromEntries(
    keys.map((key) => [
      key.name,
      {
        ...fromShape(key.shape, options),
        description: describe(key),
        ...(key.isUnsupported === true ? { deprecated: true } : {}),
      },
    ]),
  );
}

function describe({ description, defaultText }: KeyInfo): string {
  return defaultText === undefined ? description : `${description} Default: ${defaultText}.`;
}

function byType(
  { types, typeKey }: Extract<Shape, { kind: 'by-type' }>,
  options: JsonSchemaOptions,
): Json {
  const names = [...types.map(({ type }) => type), ...options.openTypes];
  return {
    type: 'object',
    required: [typeKey.name],
    properties: { type: { type: 'string', enum: names, description: typeKey.description } },
    allOf: types.map(({ type, keys }) => ({
      if: { properties: { type: { const: type } }, required: [typeKey.name] },
      // The list of types stands above already.
      then: closedObject(
        keys.map((key) => (key.name === typeKey.name ? { ...key, shape: anything } : key)),
        options,
      ),
    })),
  };
}

const anything: Shape = { kind: 'anything' };
