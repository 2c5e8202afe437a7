// Tools and the choice among them.
import type { ModelRules } from './model-rules';
import { type Json, type Refusal, invalid, isObject, listOf, unknownMember } from './refusal';

const ofClient = [
  ...['name', 'description', 'input_schema', 'type', 'cache_control', 'strict'],
  ...['eager_input_streaming', 'defer_loading', 'allowed_callers', 'input_examples'],
];
const ofService: Readonly<Record<string, string>> = {
  web_search_20250305: 'web_search',
  web_search_20260209: 'web_search',
  code_execution_20250825: 'code_execution',
  code_execution_20260120: 'code_execution',
};

export function checkTools(tools: unknown): Refusal | undefined {
  if (tools !== undefined && !Array.isArray(tools)) {
    return invalid('tools: Input should be a valid list');
  }
  const names = new Set<unknown>();
  for (const [i, tool] of listOf(tools).entries()) {
    if (!isObject(tool)) {
      return invalid(`tools.${i}: Input should be a valid dictionary`);
    }
    const refusal = checkTool(tool, `tools.${i}`);
    if (refusal !== undefined) {
      return refusal;
    }
    if (names.has(tool['name'])) {
      return invalid('tools: Tool names must be unique.');
    }
    names.add(tool['name']);
  }
  return undefined;
}

function checkTool(tool: Json, path: string): Refusal | undefined {
  const { type = 'custom', name } = tool;
  if (type !== 'custom') {
    return ofService[String(type)] === name
      ? unknownMember(tool, ['type', 'name', 'cache_control', 'max_uses'], path)
      : invalid(`${path}: Input tag '${String(type)}' does not match any of the expected tags`);
  }
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
    return invalid(`${path}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
  }
  return (
    unknownMember(tool, ofClient, `${path}.custom`) ??
    checkSchema(tool['input_schema'], `${path}.custom.input_schema`)
  );
}

function checkSchema(schema: unknown, path: string): Refusal | undefined {
  if (!isObject(schema) || schema['type'] !== 'object') {
    return invalid(`${path}.type: Input should be 'object'`);
  }
  const top = ['anyOf', 'oneOf', 'allOf'].find((name) => name in schema);
  if (top !== undefined) {
    return invalid(
      `${path}: input_schema does not support oneOf, allOf, or anyOf at the top level`,
    );
  }
  const properties = isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  const bad = properties.find((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name));
  return bad === undefined
    ? undefined
    : invalid(`${path}.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`);
}

export function checkChoice(
  choice: unknown,
  hasTools: boolean,
  rules: ModelRules,
  isThinking: boolean,
): Refusal | undefined {
  if (choice === undefined) {
    return undefined;
  }
  if (!hasTools) {
    return invalid('tool_choice: may only be specified while providing tools');
  }
  const type = isObject(choice) ? choice['type'] : undefined;
  const isForced = type === 'any' || type === 'tool';
  if (isForced && !rules.takesForcedTool) {
    return invalid('tool_choice forces tool use is not compatible with this model.');
  }
  return isForced && isThinking
    ? invalid('Thinking may not be enabled when tool_choice forces tool use.')
    : undefined;
}

/** At most four marks, and none of an hour after one of five minutes. */
export function checkMarks(body: Json): Refusal | undefined {
  const marks: unknown[] = [];
  for (const part of [body['tools'], body['system'], body['messages']]) {
    JSON.stringify(part, (key, value: unknown) => {
      if (key === 'cache_control') {
        marks.push(value);
      }
      return value;
    });
  }
  if (marks.length > 4) {
    return invalid(
      `A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`,
    );
  }
  const times = marks.map((mark) => (isObject(mark) ? (mark['ttl'] ?? '5m') : '5m'));
  const bad = marks.find((mark) => !isObject(mark) || mark['type'] !== 'ephemeral');
  if (bad !== undefined) {
    return invalid('cache_control: Input is not valid');
  }
  return times.lastIndexOf('1h') > times.indexOf('5m') && times.includes('5m')
    ? invalid("a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.")
    : undefined;
}
