import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { builtInBackends } from '../../../src/backends/registry';
import { exampleFile, exampleNames } from '../../../src/config/example-files';
import { toJsonSchema } from '../../../src/config/json-schema';
import { loadConfig } from '../../../src/config/load-config';
import type { KeyInfo, Shape } from '../../../src/config/schema/shape';
import { teamFile } from '../../../src/config/schema/team-file';
import { kinds, projectRoot } from './backend-kinds';
import { exampleKinds, examples } from './example-files';

type Json = Readonly<Record<string, unknown>>;

/** `doNotSuggest` is for editors; every other keyword that is not of the draft would be a mistake. */
function compiled(schema: Json): ValidateFunction {
  const ajv = new Ajv({ allErrors: true, strict: true, strictRequired: false, strictTypes: false });
  ajv.addVocabulary(['doNotSuggest']);
  return ajv.compile(schema);
}

const schema = toJsonSchema(kinds, { openTypes: ['vscode_lm'] });
const accepts = compiled(schema);
const shippedKinds = builtInBackends({ recordingsDir: join(projectRoot, 'media', 'offline') });
const published: unknown = JSON.parse(
  readFileSync(join(projectRoot, 'media/massgen.schema.json'), 'utf8'),
);
const shipped = await exampleNames(projectRoot);
const acceptsPublished = compiled(published as Json);

function valueOf(text: string): unknown {
  return parse(text, { merge: true });
}

describe('the JSON schema of team files', () => {
  const agent = 'agents: [{id: a, backend: {type: scripted, model: m}}]';

  it.each([
    [agent],
    ['agent: {id: a, backend: {type: scripted, model: m}}'],
    [`${agent}\nlimits: {model_calls: null, duration_minutes: 1.5}`],
    [`${agent}\norchestrator: {context_paths: [docs, {path: src, permission: write}]}`],
    [`${agent}\norchestrator: {consensus: {weights: {a: 2}, tie_break: [latest]}}`],
    [`${agent}\nmemory: {enabled: true}`],
    ['agents: [{id: a, backend: {type: chatcompletion, model: m, api_key: "${A_KEY}"}}]'],
    ['agents: [{id: a, backend: {type: openai_compatible, model: m}}]'],
    ['agents: [{id: a, backend: {}}]'],
    [`agents: [{id: a, backend: {type: scripted, model: m, upload_files: [{image_path: a.png}]}}]`],
    [`agents: [{id: a, backend: {type: scripted, model: m, allowed_tools: [1]}}]`],
    ['{}'],
    [`${agent}\nnonsense: 1`],
    [`${agent}\nlimits: {model_calls: 0}`],
    [`${agent}\nlimits: {model_calls: "5"}`],
    [`${agent}\norchestrator: {profile: best}`],
    [`${agent}\norchestrator: {consensus: {quorum: 0}}`],
    [`${agent}\norchestrator: {consensus: {quorum: null}}`],
    ['agents: [{backend: {type: scripted, model: m}}]'],
    ['agents: [{id: a, backend: {type: scripted}}]'],
    ['agents: [{id: a, backend: {type: scripted, model: m, base_url: "http://x"}}]'],
    ['agents: [{id: a, backend: {type: unheard_of, model: m}}]'],
    ['agents: [{id: a, backend: {type: chatcompletion, model: m, api_key: abc}}]'],
    ['agents: [{id: a, backend: {type: chatcompletion, model: m, base_url: file:///x}}]'],
  ])('agrees with the checks of the product about %s', (text) => {
    const result = loadConfig(text, '/team.yaml', kinds);
    expect(accepts(valueOf(text))).toBe(result.kind === 'ok');
  });

  it('leaves the keys of models that only the editor has to the editor', () => {
    expect(accepts(valueOf('agents: [{id: a, backend: {type: vscode_lm, anything: 1}}]'))).toBe(
      true,
    );
  });

  it('has defaults where a default is one value, and words elsewhere', () => {
    const parts = JSON.stringify(schema);
    expect(parts).toContain('"default":30');
    expect(schema).toHaveProperty(
      ['properties', 'limits', 'properties', 'model_calls', 'default'],
      60,
    );
    expect(schema).toHaveProperty(
      ['properties', 'name', 'description'],
      "Name of the team for people. Default: the file's name.",
    );
    expect(schema).not.toHaveProperty(['properties', 'name', 'default']);
  });

  it('keeps editors from proposing what has no effect', () => {
    expect(schema).toHaveProperty(['properties', 'hooks', 'doNotSuggest'], true);
    expect(schema).not.toHaveProperty(['properties', 'agents', 'doNotSuggest']);
  });
});

describe('the published schema', () => {
  it.each(shipped)('takes configs/%s', (name) => {
    acceptsPublished(valueOf(readFileSync(exampleFile(projectRoot, name), 'utf8')));
    expect(acceptsPublished.errors).toBeNull();
  });

  const accepted = examples.filter(
    ({ text, path }) => loadConfig(text, path, exampleKinds).kind === 'ok',
  );

  it('is tried with the published files of MassGen', () => {
    expect(accepted.length).toBeGreaterThan(100);
  });

  it.each(accepted)('takes $path, which the check accepts', ({ text }) => {
    acceptsPublished(valueOf(text));
    expect(acceptsPublished.errors).toBeNull();
  });
});

/** Where a key stands, e.g. `['orchestrator', 'consensus', 'rule']`. */
type Path = readonly string[];

interface Place {
  readonly path: Path;
  readonly shape: Shape;
}

/** Every key that is not below a list or a name of the user; in the blocks of types below the type. */
function placesIn(shape: Shape, path: Path = []): readonly Place[] {
  if (shape.kind === 'mapping') {
    return shape.keys.flatMap((key) => placesOf(key, path));
  }
  return shape.kind === 'by-type'
    ? shape.types.flatMap(({ type, keys }) =>
        keys.filter(({ name }) => name !== 'type').flatMap((key) => placesOf(key, [...path, type])),
      )
    : [];
}

function placesOf({ name, shape }: KeyInfo, path: Path): readonly Place[] {
  const own = [...path, name.replace('*', 'x')];
  return [{ path: own, shape }, ...placesIn(shape, own)];
}

/** Of all places that take the same, one: most keys of one type are those of another. */
function oneOfEach(places: readonly Place[]): readonly Path[] {
  const seen = new Map(places.map(({ path, shape }) => [JSON.stringify(shape), path]));
  return [...seen.values()];
}

/** Values of every form, also those that only a lenient reader takes. */
const values: readonly string[] = [
  ...['null', '""', 'yes', '0', '2.5', 'word', '"${SOME_NAME}"', 'HTTPS://a.example/'],
  ...['[]', '{}', '[word]', '{enabled: yes}', '[{name: word, command: word}]'],
  '{word: {command: word, env: {A: 1}}}',
];

/** A file in which this key has this value. */
function fileWith(path: Path, value: string): string {
  const [top = '', type = '', ...rest] = path;
  const isAgent = top === 'agent';
  const base = { agent: { id: 'a', backend: { type: isAgent && type !== '' ? type : 'openai' } } };
  const model = isAgent && rest[0] !== 'model' ? { model: 'm' } : {};
  const backend = { ...base.agent.backend, ...model };
  const leaf = nested(isAgent ? rest : path, '§');
  const whole = isAgent
    ? { agent: { id: 'a', backend: { ...backend, ...leaf } } }
    : { agent: { id: 'a', backend }, ...leaf };
  return stringify(whole).replace('§', value);
}

function nested(path: Path, leaf: string): Json {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), leaf) as Json;
}

describe('whatever the check accepts', () => {
  const { shape } = teamFile(shippedKinds);
  const top = shape.kind === 'mapping' ? shape.keys : [];
  const agent = top.find(({ name }) => name === 'agent')?.shape;
  const backend =
    agent?.kind === 'mapping'
      ? agent.keys.find(({ name }) => name === 'backend')?.shape
      : undefined;
  const others = top.filter(({ name }) => !['agent', 'agents'].includes(name));
  const paths = oneOfEach([
    ...others.flatMap((key) => placesOf(key, [])),
    ...(backend === undefined ? [] : placesIn(backend, ['agent'])),
  ]);

  it('is tried at keys of every form, in all parts of a file', () => {
    const parts = new Set(paths.map(([part]) => part));
    expect([...parts].sort()).toEqual(expect.arrayContaining(['agent', 'limits', 'orchestrator']));
    expect(paths.length).toBeGreaterThan(50);
  });

  it.each(values)('the schema accepts too, with the value %s at every key', (value) => {
    const refused: string[] = [];
    let taken = 0;
    for (const path of paths) {
      const text = fileWith(path, value);
      const result = loadConfig(text, '/team.yaml', shippedKinds);
      // What is told as wrong is wrong for an editor too, also where a safe meaning lets the file be used.
      if (result.kind === 'ok' && result.warnings.every(({ code }) => code !== 'wrong-value')) {
        taken += 1;
        if (!acceptsPublished(valueOf(text))) refused.push(path.join('.'));
      }
    }
    expect(refused).toEqual([]);
    // Keys of any form take everything.
    expect(taken).toBeGreaterThan(0);
  });
});
