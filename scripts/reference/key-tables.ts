// The keys of a team file as tables, made from the one schema that checks them.
import { type KeyInfo, type Shape, inWords } from '../../src/config/schema/shape';
import { code, table } from './markdown';
import { ownKeys } from './own-keys';

/** Keys that belong together, at one place of a file. */
interface Section {
  /** E.g. `orchestrator.consensus`; empty for the file itself. */
  readonly path: string;
  readonly keys: readonly KeyInfo[];
}

type ByType = Extract<Shape, { kind: 'by-type' }>;

/** All mappings of the file in the order of the schema, without the blocks of backends. */
export function sectionsOf(shape: Shape, path = ''): readonly Section[] {
  switch (shape.kind) {
    case 'mapping': {
      const keys = shape.keys.filter(({ effect }) => effect === undefined);
      const inner = keys.filter(({ name }) => !isToldElsewhere(join(path, name)));
      return [
        { path, keys },
        ...inner.flatMap(({ name, shape: each }) => sectionsOf(each, join(path, name))),
      ];
    }
    case 'list':
      return sectionsOf(shape.item, `${path}[]`);
    case 'one-of':
      // Several forms of one thing: its keys are told once.
      return shape.shapes.map((each) => sectionsOf(each, path)).find(isFilled) ?? [];
    default:
      return [];
  }
}

function isFilled(sections: readonly Section[]): boolean {
  return sections.length > 0;
}

/** The form with one agent has the keys of every agent, and one block of time limits has those of the other. */
function isToldElsewhere(path: string): boolean {
  return path === 'agent' || path === 'orchestrator.timeout';
}

/** Heading and table of one mapping. */
export function sectionText({ path, keys }: Section): string {
  const heading = path === '' ? 'The file' : code(path);
  return [`### ${heading}`, keyTable(path, keys)].join('\n\n');
}

function keyTable(path: string, keys: readonly KeyInfo[]): string {
  return table(
    ['Key', 'Value', 'Default', 'Meaning'],
    keys.map((key) => rowOf(path, key)),
  );
}

function rowOf(path: string, key: KeyInfo): readonly string[] {
  const whole = join(path, key.name);
  return [nameOf(whole, key.name), valueOf(key.shape), defaultOf(key), key.description];
}

function nameOf(whole: string, name: string): string {
  return ownKeys.has(whole) ? `${code(name)} †` : code(name);
}

function valueOf(shape: Shape): string {
  return shape.kind === 'secret' ? 'the name of a variable, `${NAME}`' : inWords(shape);
}

function defaultOf({ isRequired, defaultText }: KeyInfo): string {
  if (isRequired) {
    return 'required';
  }
  return defaultText ?? '';
}

/** A key of backend blocks that means the same for some types. */
interface SharedKey {
  readonly key: KeyInfo;
  readonly types: readonly string[];
}

/** The keys of all types of backends, each meaning once with the types that have it. */
export function backendTable({ types, typeKey }: ByType, path: string): string {
  const shared = new Map<string, SharedKey>();
  for (const { type, keys } of types) {
    for (const key of keys.filter(({ name, effect }) => name !== typeKey.name && !effect)) {
      // What a type has as its default model stands in the table of types.
      const { defaultText, ...rest } = key;
      const told = key.name === 'model' || defaultText === undefined ? rest : key;
      const content = JSON.stringify(told);
      const known = shared.get(content)?.types ?? [];
      shared.set(content, { key: told, types: [...known, type] });
    }
  }
  const rows = [...shared.values()].sort((a, b) => compare(a.key.name, b.key.name));
  return table(
    ['Key', 'Value', 'Default', 'Meaning', 'Types'],
    rows.map(({ key, types: some }) => [...rowOf(path, key), typesInWords(some, types.length)]),
  );
}

function typesInWords(types: readonly string[], all: number): string {
  return types.length === all ? 'all' : types.map(code).join(', ');
}

/** Sections of what stands inside of backend blocks, e.g. servers of tools; each once. */
export function backendSections({ types }: ByType, path: string): readonly Section[] {
  const found = new Map<string, Section>();
  for (const { keys } of types) {
    for (const { name, shape, effect } of keys) {
      for (const section of effect === undefined ? sectionsOf(shape, join(path, name)) : []) {
        found.set(section.path, section);
      }
    }
  }
  return [...found.values()];
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
