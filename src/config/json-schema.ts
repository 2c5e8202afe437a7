import { type Json, Shared } from './json-schema-parts';
import { usualKeyNames } from './schema/original-keys';
import type { KeyInfo, Shape, TypeInfo } from './schema/shape';
import { teamFile } from './schema/team-file';
import type { BackendKind } from '../core/ports/backend-kind';

export interface JsonSchemaOptions {
  /** Types that exist only in the editor: accepted with any further keys. */
  readonly openTypes: readonly string[];
}

/** What is made on the way: parts that occur more than once stand under `definitions`, each with its own name. */
interface Making extends JsonSchemaOptions {
  readonly shared: Shared;
}

/** JSON Schema (draft 7) of a team file, for editors' own YAML support. Generated; never written by hand. */
export function toJsonSchema(kinds: readonly BackendKind[], options: JsonSchemaOptions): Json {
  const shared = new Shared();
  const { shape } = teamFile(kinds);
  const root = closedObject(shape.kind === 'mapping' ? shape.keys : [], { ...options, shared });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'MassGen team file',
    ...root,
    anyOf: [{ required: ['agents'] }, { required: ['agent'] }],
    definitions: shared.definitions(),
  };
}

/** From so many keys on, a mapping is worth a name of its own. */
const manyKeys = 8;

function fromShape(shape: Shape, options: Making): Json {
  const schema = plain(shape, options);
  return shape.isNullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}

function plain(shape: Shape, options: Making): Json {
  switch (shape.kind) {
    case 'string':
      return stringSchema(shape);
    case 'number':
      return numberSchema(shape);
    case 'boolean':
      return options.shared.ref('boolean', { anyOf: [{ type: 'boolean' }, booleanWord] });
    case 'url':
      return { type: 'string', pattern: urlPattern };
    case 'secret':
      return {
        type: 'string',
        pattern: '^\\s*\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}\\s*$',
        examples: keyExamples,
      };
    case 'list':
      return { type: 'array', items: fromShape(shape.item, options) };
    case 'mapping':
      return mappingSchema(shape, options);
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

/** Words for true and false that are read like them; other programs see texts in them. */
const booleanWord = { type: 'string', pattern: '^([Yy]es|YES|[Nn]o|NO|[Oo]n|ON|[Oo]ff|OFF)$' };

/** What a variable gives is not known here. */
const urlPattern = '^[Hh][Tt][Tt][Pp][Ss]?:|\\$\\{';

function stringSchema({ values, isLoose }: Extract<Shape, { kind: 'string' }>): Json {
  if (values !== undefined) {
    const known = { type: 'string', enum: values };
    return isLoose === true ? { anyOf: [known, { type: 'string' }] } : known;
  }
  return isLoose === true
    ? { type: ['string', 'number', 'boolean'] }
    : { type: 'string', minLength: 1 };
}

const keyExamples = usualKeyNames.map((name) => `\${${name}}`);

function numberSchema(shape: Extract<Shape, { kind: 'number' }>): Json {
  return {
    type: shape.isInteger ? 'integer' : 'number',
    ...(shape.minimum === undefined ? {} : { minimum: shape.minimum }),
    ...(shape.above === undefined ? {} : { exclusiveMinimum: shape.above }),
    ...(shape.maximum === undefined ? {} : { maximum: shape.maximum }),
  };
}

function mappingSchema(shape: Extract<Shape, { kind: 'mapping' }>, options: Making): Json {
  const { keys, isOpen } = shape;
  const closed = closedObject(keys, options);
  const schema = isOpen === true ? { ...closed, additionalProperties: true } : closed;
  return keys.length < manyKeys ? schema : options.shared.ref('mapping', schema);
}

/** A name that ends with `*` stands for all keys that begin with it. */
const isFamily = ({ name }: KeyInfo): boolean => name.endsWith('*');

function closedObject(keys: readonly KeyInfo[], options: Making): Json {
  const required = keys.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const families = keys.filter(isFamily);
  return {
    type: 'object',
    additionalProperties: false,
    properties: properties(
      keys.filter((key) => !isFamily(key)),
      options,
    ),
    ...(families.length === 0 ? {} : { patternProperties: patterns(families, options) }),
    ...(required.length === 0 ? {} : { required }),
  };
}

function patterns(families: readonly KeyInfo[], options: Making): Json {
  return Object.fromEntries(
    families.map((key) => [`^${key.name.slice(0, -1)}`, member(key, options)]),
  );
}

function properties(keys: readonly KeyInfo[], options: Making): Json {
  return Object.fromEntries(keys.map((key) => [key.name, member(key, options)]));
}

function member(key: KeyInfo, options: Making): Json {
  const standard = defaultOf(key);
  return {
    ...fromShape(key.shape, options),
    description: describe(key),
    ...(standard === undefined ? {} : { default: standard }),
    // Editors that know the second keyword do not propose the key.
    ...(key.isUnsupported === true ? { deprecated: true, doNotSuggest: true } : {}),
  };
}

/** The default where it is one value and not told in words; `undefined` otherwise. */
function defaultOf({ shape, defaultText }: KeyInfo): string | number | boolean | undefined {
  if (defaultText === undefined) {
    return undefined;
  }
  switch (shape.kind) {
    case 'boolean':
      return defaultText === 'true' || defaultText === 'false' ? defaultText === 'true' : undefined;
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(defaultText) ? Number(defaultText) : undefined;
    case 'string':
      return shape.values?.includes(defaultText) === true ? defaultText : undefined;
    default:
      return undefined;
  }
}

function describe({ description, defaultText }: KeyInfo): string {
  return defaultText === undefined ? description : `${description} Default: ${defaultText}.`;
}

/** A type may be written with capitals, spaces and hyphens; which one is meant is not found out here. */
const otherSpelling = { type: 'string', pattern: '[A-Z\\s-]' };

function byType({ types, typeKey }: Extract<Shape, { kind: 'by-type' }>, options: Making): Json {
  const names = types.flatMap(({ type, aliases }) => [type, ...aliases]);
  const blocks = types.map((type) => blockOf(type, typeKey.name, options));
  const common = membersOfAll(blocks);
  return options.shared.ref('backend', {
    type: 'object',
    // Without a type the model alone tells which service is meant.
    anyOf: [{ required: [typeKey.name] }, { required: ['model'] }],
    properties: {
      type: {
        anyOf: [
          { type: 'string', enum: [...new Set([...names, ...options.openTypes])] },
          otherSpelling,
        ],
        description: typeKey.description,
      },
      ...common,
    },
    allOf: groupsOf(blocks, common, options).map(({ names: same, then }) => ({
      if: { properties: { type: { enum: same } }, required: [typeKey.name] },
      then,
    })),
  });
}

/** What may stand in a block of one type, each member as a reference to its shared part. */
interface Block {
  /** The type and its further names. */
  readonly names: readonly string[];
  readonly members: Json;
  readonly required: readonly string[];
}

function blockOf({ type, aliases, keys }: TypeInfo, typeName: string, options: Making): Block {
  // The list of types stands beside them already.
  const known = keys.filter(({ name }) => name !== typeName);
  const members = Object.entries(properties(known, options)).map(
    ([name, part]) => [name, isJson(part) ? options.shared.ref(name, part) : part] as const,
  );
  return {
    names: [type, ...aliases],
    members: Object.fromEntries(members),
    required: known.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

/** Members that are the very same for every type. */
function membersOfAll(blocks: readonly Block[]): Json {
  const [first, ...others] = blocks;
  const same = Object.entries(first?.members ?? {}).filter(([name, part]) =>
    others.every(({ members }) => JSON.stringify(members[name]) === JSON.stringify(part)),
  );
  return Object.fromEntries(same);
}

interface Group {
  readonly names: readonly string[];
  readonly then: Json;
}

/** Types whose blocks have the very same members stand together. */
function groupsOf(blocks: readonly Block[], common: Json, { shared }: Making): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { names, members, required } of blocks) {
    const own = Object.entries(members).filter(([name]) => !Object.hasOwn(common, name));
    const then = {
      properties: Object.fromEntries(own),
      propertyNames: shared.ref('names', { enum: ['type', ...Object.keys(members).sort()] }),
      ...(required.length === 0 ? {} : { required }),
    };
    const content = JSON.stringify(then);
    groups.set(content, { names: [...(groups.get(content)?.names ?? []), ...names], then });
  }
  return [...groups.values()];
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
