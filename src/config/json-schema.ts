import { usualKeyNames } from './schema/original-keys';
import type { KeyInfo, Shape, TypeInfo } from './schema/shape';
import { teamFile } from './schema/team-file';
import type { BackendKind } from '../core/ports/backend-kind';

type Json = Readonly<Record<string, unknown>>;

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

/** Parts by their content: many kinds of backend have the same keys, and a backend stands in several places. */
class Shared {
  readonly #names = new Map<string, string>();
  readonly #parts = new Map<string, Json>();

  ref(wanted: string, part: Json): Json {
    const content = JSON.stringify(part);
    const known = this.#names.get(content);
    const name = known ?? this.#free(wanted);
    if (known === undefined) {
      this.#names.set(content, name);
      this.#parts.set(name, part);
    }
    return { $ref: `#/definitions/${name}` };
  }

  definitions(): Json {
    return Object.fromEntries(this.#parts);
  }

  #free(wanted: string): string {
    let name = wanted;
    for (let n = 2; this.#parts.has(name); n++) {
      name = `${wanted}_${n}`;
    }
    return name;
  }
}

function fromShape(shape: Shape, options: Making): Json {
  const schema = plain(shape, options);
  return shape.isNullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}

function plain(shape: Shape, options: Making): Json {
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
      // An address can begin with a variable.
      return { type: 'string', pattern: '^(https?://|\\$\\{)' };
    case 'secret':
      return {
        type: 'string',
        pattern: '^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$',
        examples: keyExamples,
      };
    case 'list':
      return { type: 'array', items: fromShape(shape.item, options) };
    case 'mapping':
      return shape.keys.length < manyKeys
        ? closedObject(shape.keys, options)
        : options.shared.ref('mapping', closedObject(shape.keys, options));
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

const keyExamples = usualKeyNames.map((name) => `\${${name}}`);

function numberSchema(shape: Extract<Shape, { kind: 'number' }>): Json {
  return {
    type: shape.isInteger ? 'integer' : 'number',
    ...(shape.minimum === undefined ? {} : { minimum: shape.minimum }),
    ...(shape.above === undefined ? {} : { exclusiveMinimum: shape.above }),
    ...(shape.maximum === undefined ? {} : { maximum: shape.maximum }),
  };
}

function closedObject(keys: readonly KeyInfo[], options: Making): Json {
  const required = keys.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const families = keys.filter(({ name }) => name.endsWith('*'));
  const patterns = families.map(({ name }) => [`^${name.slice(0, -1)}`, {}] as const);
  return {
    type: 'object',
    additionalProperties: false,
    properties: properties(
      keys.filter((key) => !families.includes(key)),
      options,
    ),
    ...(families.length === 0 ? {} : { patternProperties: Object.fromEntries(patterns) }),
    ...(required.length === 0 ? {} : { required }),
  };
}

function properties(keys: readonly KeyInfo[], options: Making): Json {
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
        type: 'string',
        enum: [...new Set([...names, ...options.openTypes])],
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
