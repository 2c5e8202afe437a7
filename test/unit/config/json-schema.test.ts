import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { toJsonSchema } from '../../../src/config/json-schema';
import { loadConfig } from '../../../src/config/load-config';
import { kinds } from './backend-kinds';

type Json = Readonly<Record<string, unknown>>;

const schema = toJsonSchema(kinds, { openTypes: ['vscode_lm'] });

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The part of JSON Schema that the generated schema uses; an unknown keyword is an error of the test. */
function accepts(schema: Json, value: unknown): boolean {
  const target = schema['$ref'];
  if (typeof target === 'string') {
    return accepts(definition(target), value);
  }
  return Object.entries(schema).every(([keyword, rule]) => {
    const check = checks[keyword];
    if (check === undefined) {
      throw new Error(`this test does not know the keyword ${keyword}`);
    }
    return check(rule, value, schema);
  });
}

/** All schemas of this file are made from one set of kinds, so that there is one set of shared parts. */
function definition(target: string): Json {
  const parts = schema['definitions'];
  const part = isObject(parts) ? parts[target.replace('#/definitions/', '')] : undefined;
  if (!isObject(part)) {
    throw new Error(`the schema refers to ${target}, which it does not have`);
  }
  return part;
}

const all = (rules: unknown): readonly Json[] =>
  (Array.isArray(rules) ? rules : []).filter(isObject);
const ignored = (): boolean => true;

const checks: Readonly<Record<string, (rule: unknown, value: unknown, schema: Json) => boolean>> = {
  $schema: ignored,
  definitions: ignored,
  title: ignored,
  description: ignored,
  examples: ignored,
  deprecated: ignored,
  then: ignored,
  type: (rule, value) =>
    rule === typeOf(value) || (rule === 'number' && typeOf(value) === 'integer'),
  enum: (rule, value) => Array.isArray(rule) && rule.includes(value),
  const: (rule, value) => rule === value,
  minLength: (rule, value) => typeof value !== 'string' || value.length >= Number(rule),
  pattern: (rule, value) => typeof value !== 'string' || new RegExp(String(rule)).test(value),
  minimum: (rule, value) => typeof value !== 'number' || value >= Number(rule),
  exclusiveMinimum: (rule, value) => typeof value !== 'number' || value > Number(rule),
  maximum: (rule, value) => typeof value !== 'number' || value <= Number(rule),
  items: (rule, value) =>
    !Array.isArray(value) || value.every((item) => isObject(rule) && accepts(rule, item)),
  required: (rule, value) =>
    !isObject(value) || (Array.isArray(rule) && rule.every((key) => String(key) in value)),
  properties: (rule, value) =>
    !isObject(value) ||
    !isObject(rule) ||
    Object.entries(rule).every(
      ([key, each]) => !(key in value) || (isObject(each) && accepts(each, value[key])),
    ),
  propertyNames: (rule, value) =>
    !isObject(value) || Object.keys(value).every((name) => isObject(rule) && accepts(rule, name)),
  additionalProperties: (rule, value, { properties }) => {
    const known = isObject(properties) ? properties : {};
    const others = isObject(value) ? Object.entries(value).filter(([key]) => !(key in known)) : [];
    return rule === false
      ? others.length === 0
      : others.every(([, each]) => isObject(rule) && accepts(rule, each));
  },
  anyOf: (rule, value) => all(rule).some((each) => accepts(each, value)),
  allOf: (rule, value) => all(rule).every((each) => accepts(each, value)),
  if: (rule, value, { then }) =>
    !isObject(rule) || !accepts(rule, value) || (isObject(then) && accepts(then, value)),
};

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
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
    expect(accepts(schema, parse(text))).toBe(result.kind === 'ok');
  });

  it('leaves the keys of models that only the editor has to the editor', () => {
    const value: unknown = parse('agents: [{id: a, backend: {type: vscode_lm, anything: 1}}]');
    expect(accepts(schema, value)).toBe(true);
  });
});
