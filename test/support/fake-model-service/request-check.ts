// Refuses what the real service refuses, in its form. Strict on purpose: a fake that accepts everything proves nothing.

import { namedSchemaProblem } from '../output-schema-check';
import type { ServiceScript } from './script';

export interface WireError {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

export interface Refusal {
  readonly status: number;
  readonly error: WireError;
}

type JsonObject = Readonly<Record<string, unknown>>;

const parameters = new Set([
  ...['model', 'messages', 'stream', 'stream_options', 'tools', 'tool_choice'],
  ...['parallel_tool_calls', 'temperature', 'top_p', 'max_tokens', 'max_completion_tokens'],
  ...['reasoning_effort', 'n', 'stop', 'presence_penalty', 'frequency_penalty', 'logit_bias'],
  ...['user', 'seed', 'response_format', 'logprobs', 'top_logprobs', 'metadata', 'store'],
  ...['service_tier', 'verbosity', 'prompt_cache_key', 'safety_identifier'],
]);

const messageMembers: Readonly<Record<string, readonly string[]>> = {
  system: ['role', 'content', 'name'],
  developer: ['role', 'content', 'name'],
  user: ['role', 'content', 'name'],
  assistant: ['role', 'content', 'name', 'tool_calls', 'refusal', 'reasoning_content'],
  tool: ['role', 'content', 'tool_call_id'],
};

/** What is wrong with the body of a request; `undefined` when the real service would take it. */
export function checkRequest(
  body: unknown,
  rules: Pick<ServiceScript, 'refusedParameters' | 'furtherParameters' | 'wantsReasoning'>,
): Refusal | undefined {
  const { refusedParameters = [], furtherParameters = [] } = rules;
  const isKnown = (name: string): boolean =>
    parameters.has(name) || furtherParameters.includes(name);
  if (!isObject(body)) {
    return invalid('The body of the request must be a JSON object.');
  }
  const unknown = Object.keys(body).find(
    (name) => !isKnown(name) || refusedParameters.includes(name),
  );
  if (unknown !== undefined) {
    return invalid(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter');
  }
  if (typeof body['model'] !== 'string' || body['model'] === '') {
    return invalid('you must provide a model parameter');
  }
  return (
    checkScalars(body) ??
    checkMessages(body['messages'], refusedParameters) ??
    (rules.wantsReasoning === true ? checkReasoning(body['messages']) : undefined) ??
    checkTools(body['tools'], body) ??
    checkFormat(body['response_format'])
  );
}

/** 401 as the real service sends it. */
export function refuseKey(key: string | undefined): Refusal {
  const message =
    key === undefined
      ? "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth."
      : `Incorrect API key provided: ${key.slice(0, 3)}***.`;
  return {
    status: 401,
    error: {
      message,
      type: 'invalid_request_error',
      param: null,
      code: key === undefined ? null : 'invalid_api_key',
    },
  };
}

export function invalid(
  message: string,
  param: string | null = null,
  code: string | null = null,
): Refusal {
  return { status: 400, error: { message, type: 'invalid_request_error', param, code } };
}

function checkScalars(body: JsonObject): Refusal | undefined {
  if (body['stream_options'] !== undefined && body['stream'] !== true) {
    return invalid("'stream_options' is only allowed when 'stream' is enabled.", 'stream_options');
  }
  const ranges = [
    ['temperature', 0, 2],
    ['top_p', 0, 1],
    ['max_tokens', 1, Infinity],
    ['max_completion_tokens', 1, Infinity],
  ] as const;
  for (const [name, low, high] of ranges) {
    const value = body[name];
    if (value !== undefined && (typeof value !== 'number' || value < low || value > high)) {
      return invalid(`Invalid value for '${name}'.`, name, 'invalid_value');
    }
  }
  if (body['max_tokens'] !== undefined && body['max_completion_tokens'] !== undefined) {
    return invalid("Setting 'max_tokens' and 'max_completion_tokens' at once is not supported.");
  }
  return undefined;
}

function checkMessages(messages: unknown, refusedMembers: readonly string[]): Refusal | undefined {
  if (!Array.isArray(messages) || messages.length === 0) {
    return invalid("Invalid 'messages': empty array.", 'messages', 'empty_array');
  }
  let open: string[] = [];
  for (const [i, message] of messages.entries()) {
    const refusal = checkMessage(message, i, refusedMembers);
    if (refusal !== undefined || !isObject(message)) {
      return refusal ?? invalid(`Invalid type for 'messages[${i}]'.`);
    }
    if (message['role'] === 'tool') {
      const id = message['tool_call_id'];
      if (!open.some((waiting) => waiting === id)) {
        return invalid(
          "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
          `messages[${i}].role`,
        );
      }
      open = open.filter((waiting) => waiting !== id);
      continue;
    }
    if (open.length > 0) {
      return unanswered(open, i);
    }
    open = callIds(message);
    if (new Set(open).size < open.length) {
      return invalid('Duplicate tool call id.', `messages[${i}].tool_calls`);
    }
  }
  return open.length > 0 ? unanswered(open, messages.length) : undefined;
}

/** As services do whose models think between their calls. */
function checkReasoning(messages: unknown): Refusal | undefined {
  const bare = (Array.isArray(messages) ? messages : []).findIndex(
    (message: unknown) =>
      isObject(message) &&
      message['tool_calls'] !== undefined &&
      message['reasoning_content'] === undefined,
  );
  return bare < 0
    ? undefined
    : invalid('The reasoning_content in the thinking mode must be passed back to the API.');
}

function unanswered(ids: readonly string[], i: number): Refusal {
  return invalid(
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each " +
      `'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(', ')}`,
    `messages[${i}].role`,
  );
}

function checkMessage(
  message: unknown,
  i: number,
  refusedMembers: readonly string[],
): Refusal | undefined {
  if (!isObject(message)) {
    return invalid(`Invalid type for 'messages[${i}]': expected an object.`, `messages[${i}]`);
  }
  const role = message['role'];
  const members = typeof role === 'string' ? messageMembers[role] : undefined;
  if (members === undefined) {
    return invalid(`Invalid value: '${String(role)}'.`, `messages[${i}].role`, 'invalid_value');
  }
  const unknown = Object.keys(message).find(
    (name) => !members.includes(name) || refusedMembers.includes(name),
  );
  if (unknown !== undefined) {
    const param = `messages[${i}].${unknown}`;
    return invalid(`Unknown parameter: '${param}'.`, param, 'unknown_parameter');
  }
  return checkContent(message, i) ?? checkToolCalls(message['tool_calls'], i);
}

function checkContent(message: JsonObject, i: number): Refusal | undefined {
  const content = message['content'];
  const mayBeNull = message['role'] === 'assistant' && message['tool_calls'] !== undefined;
  if (mayBeNull && (content === null || content === undefined)) {
    return undefined;
  }
  if (Array.isArray(content)) {
    return message['role'] === 'user' ? checkParts(content, i) : notText(i);
  }
  if (typeof content !== 'string') {
    return invalid(
      `Invalid value for 'content': expected a string, got ${content === null ? 'null' : typeof content}.`,
      `messages[${i}].content`,
    );
  }
  return content === '' && message['role'] !== 'assistant'
    ? invalid(`Message ${i} is empty.`, `messages[${i}].content`, 'empty_content')
    : undefined;
}

function notText(i: number): Refusal {
  return invalid('Only user messages take parts.', `messages[${i}].content`);
}

function checkParts(parts: readonly unknown[], i: number): Refusal | undefined {
  const wrong = parts.findIndex((part) => !isObject(part) || !isPart(part));
  return wrong < 0 && parts.length > 0
    ? undefined
    : invalid(`Invalid part of 'content'.`, `messages[${i}].content[${wrong}]`);
}

function isPart(part: JsonObject): boolean {
  const image = part['image_url'];
  switch (part['type']) {
    case 'text':
      return typeof part['text'] === 'string' && part['text'] !== '';
    case 'image_url':
      return (
        isObject(image) &&
        typeof image['url'] === 'string' &&
        /^(data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+|https:\/\/.+)$/.test(image['url'])
      );
    default:
      return false;
  }
}

function checkToolCalls(calls: unknown, i: number): Refusal | undefined {
  if (calls === undefined) {
    return undefined;
  }
  const path = `messages[${i}].tool_calls`;
  if (!Array.isArray(calls) || calls.length === 0) {
    return invalid(`Invalid '${path}': empty array.`, path, 'empty_array');
  }
  for (const [k, call] of calls.entries()) {
    const fn = isObject(call) ? call['function'] : undefined;
    const isWhole =
      isObject(call) &&
      typeof call['id'] === 'string' &&
      call['id'] !== '' &&
      call['type'] === 'function' &&
      call['index'] === undefined &&
      isObject(fn) &&
      isToolName(fn['name']) &&
      typeof fn['arguments'] === 'string';
    if (!isWhole) {
      return invalid(`Invalid '${path}[${k}]'.`, `${path}[${k}]`);
    }
  }
  return undefined;
}

function checkTools(tools: unknown, body: JsonObject): Refusal | undefined {
  if (tools === undefined) {
    const dependent = ['tool_choice', 'parallel_tool_calls'].find((name) => name in body);
    return dependent === undefined
      ? undefined
      : invalid(`'${dependent}' is only allowed when 'tools' are specified.`, dependent);
  }
  if (!Array.isArray(tools) || tools.length === 0 || tools.length > 128) {
    return invalid("Invalid 'tools': expected 1 to 128 elements.", 'tools');
  }
  const names = new Set<unknown>();
  for (const [i, tool] of tools.entries()) {
    const fn = isObject(tool) && tool['type'] === 'function' ? tool['function'] : undefined;
    const path = `tools[${i}].function`;
    if (!isObject(fn) || !isToolName(fn['name'])) {
      return invalid(`Invalid '${path}.name'.`, `${path}.name`, 'invalid_value');
    }
    if (names.has(fn['name'])) {
      return invalid(`Tool names must be unique: ${String(fn['name'])}.`, `${path}.name`);
    }
    names.add(fn['name']);
    const problem = schemaProblem(fn['parameters'], true);
    if (problem !== undefined) {
      return invalid(
        `Invalid schema for function '${String(fn['name'])}': ${problem}`,
        `${path}.parameters`,
        'invalid_function_parameters',
      );
    }
  }
  return undefined;
}

function checkFormat(format: unknown): Refusal | undefined {
  const path = 'response_format';
  if (format === undefined) {
    return undefined;
  }
  const type = isObject(format) ? format['type'] : undefined;
  if (!isObject(format) || !['text', 'json_object', 'json_schema'].includes(String(type))) {
    return invalid(`Invalid value: '${String(type)}'.`, `${path}.type`, 'invalid_value');
  }
  const unknown = Object.keys(format).find(
    (name) => name !== 'type' && (name !== 'json_schema' || type !== 'json_schema'),
  );
  if (unknown !== undefined) {
    return invalid(`Unknown parameter: '${path}.${unknown}'.`, `${path}.${unknown}`);
  }
  const form = format['json_schema'];
  if (type !== 'json_schema') {
    return undefined;
  }
  const problem = isObject(form) ? namedSchemaProblem(form) : 'it is missing.';
  return problem === undefined
    ? undefined
    : invalid(`Invalid schema for response_format: ${problem}`, path);
}

function schemaProblem(schema: unknown, isTop: boolean): string | undefined {
  if (!isObject(schema)) {
    return 'a schema must be an object.';
  }
  if (isTop && schema['type'] !== 'object') {
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${String(schema['type'])}"'.`;
  }
  if ('$schema' in schema) {
    return "'$schema' is not permitted.";
  }
  if (schema['type'] === 'array') {
    return schema['items'] === undefined
      ? 'array schema missing items.'
      : schemaProblem(schema['items'], false);
  }
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const missing = required.find((name) => typeof name !== 'string' || !(name in properties));
  if (missing !== undefined) {
    return `'required' names ${JSON.stringify(missing)}, which is not a property.`;
  }
  for (const [name, property] of Object.entries(properties)) {
    const problem = schemaProblem(property, false);
    if (problem !== undefined) {
      return `in property '${name}': ${problem}`;
    }
  }
  return undefined;
}

function callIds(message: JsonObject): string[] {
  const calls: readonly unknown[] = Array.isArray(message['tool_calls'])
    ? message['tool_calls']
    : [];
  return calls.flatMap((call) =>
    isObject(call) && typeof call['id'] === 'string' ? [call['id']] : [],
  );
}

function isToolName(name: unknown): boolean {
  return typeof name === 'string' && /^[a-zA-Z0-9_-]{1,64}$/.test(name);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
