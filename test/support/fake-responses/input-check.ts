// Refuses conversations that the real service refuses, over the whole input.
import { type Refusal, invalid, isObject } from '../fake-model-service/request-check';
import type { IssuedItems } from './issued';

type JsonObject = Readonly<Record<string, unknown>>;

/** Item types by the prefix of their ids. */
const prefixes: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  web_search_call: 'ws',
  code_interpreter_call: 'ci',
  file_search_call: 'fs',
  custom_tool_call: 'ctc',
  image_generation_call: 'ig',
};

const members: Readonly<Record<string, readonly string[]>> = {
  message: ['type', 'id', 'role', 'content', 'status', 'phase'],
  reasoning: ['type', 'id', 'summary', 'content', 'encrypted_content', 'status'],
  function_call: ['type', 'id', 'call_id', 'name', 'arguments', 'status'],
  function_call_output: ['type', 'id', 'call_id', 'output', 'status'],
};

const userParts = ['input_text', 'input_image', 'input_file'];
const partsOf: Readonly<Record<string, readonly string[]>> = {
  user: userParts,
  system: userParts,
  developer: userParts,
  assistant: ['output_text', 'refusal'],
};

export interface InputRules {
  readonly issued: IssuedItems;
  readonly hasOnlyTextResults: boolean;
}

export function checkInput(input: unknown, rules: InputRules): Refusal | undefined {
  if (typeof input === 'string') {
    return undefined;
  }
  if (!Array.isArray(input) || input.length === 0) {
    return invalid("Invalid 'input': expected a string or a non-empty array.", 'input');
  }
  const items: JsonObject[] = [];
  for (const [i, item] of input.entries()) {
    const refusal = isObject(item)
      ? checkItem(item, i, rules)
      : invalid(`Invalid type for 'input[${i}]'.`);
    if (refusal !== undefined || !isObject(item)) {
      return refusal;
    }
    items.push(item);
  }
  return checkIds(items) ?? checkPairs(items) ?? checkThoughts(items, rules.issued);
}

function checkItem(item: JsonObject, i: number, rules: InputRules): Refusal | undefined {
  const type = typeOf(item);
  const path = `input[${i}]`;
  if (prefixes[type] === undefined && type !== 'function_call_output') {
    return invalid(`Invalid value: '${type}'.`, `${path}.type`, 'invalid_value');
  }
  const unknown = Object.keys(item).find((name) => members[type]?.includes(name) === false);
  if (unknown !== undefined) {
    return invalid(
      `Unknown parameter: '${path}.${unknown}'.`,
      `${path}.${unknown}`,
      'unknown_parameter',
    );
  }
  return checkId(item, type, path) ?? checkBody(item, type, path, rules);
}

function checkId(item: JsonObject, type: string, path: string): Refusal | undefined {
  const { id } = item;
  if (id === undefined) {
    return undefined;
  }
  const prefix = prefixes[type] ?? 'fc';
  if (typeof id !== 'string' || !id.startsWith(prefix)) {
    const message = `Invalid '${path}.id': '${shown(id)}'. Expected an ID that begins with '${prefix}'.`;
    return invalid(message, `${path}.id`, 'invalid_value');
  }
  return id.length > 64 ? tooLong(`${path}.id`, id.length) : undefined;
}

function tooLong(path: string, length: number): Refusal {
  return invalid(
    `Invalid '${path}': string too long. Expected a string with maximum length 64, but got a string with length ${length} instead.`,
    path,
    'string_above_max_length',
  );
}

function checkBody(
  item: JsonObject,
  type: string,
  path: string,
  rules: InputRules,
): Refusal | undefined {
  switch (type) {
    case 'message':
      return checkMessage(item, path);
    case 'function_call':
      return checkCall(item, path);
    case 'function_call_output':
      return checkOutput(item, path, rules);
    case 'reasoning':
      return Array.isArray(item['summary'])
        ? undefined
        : invalid(`Missing required parameter: '${path}.summary'.`, `${path}.summary`);
    default:
      return undefined;
  }
}

function checkMessage(item: JsonObject, path: string): Refusal | undefined {
  const role = String(item['role']);
  const allowed = partsOf[role];
  if (allowed === undefined) {
    return invalid(`Invalid value: '${role}'.`, `${path}.role`, 'invalid_value');
  }
  if (typeof item['content'] === 'string') {
    return undefined;
  }
  return checkParts(item['content'], allowed, `${path}.content`);
}

function checkParts(
  content: unknown,
  allowed: readonly string[],
  path: string,
): Refusal | undefined {
  if (!Array.isArray(content)) {
    return invalid(`Invalid type for '${path}'.`, path, 'invalid_type');
  }
  for (const [k, part] of content.entries()) {
    const type = isObject(part) ? String(part['type']) : '';
    if (!isObject(part) || !allowed.includes(type)) {
      const values = allowed.map((name) => `'${name}'`).join(', ');
      return invalid(
        `Invalid value: '${type}'. Supported values are: ${values}.`,
        `${path}[${k}]`,
        'invalid_value',
      );
    }
    const problem = partProblem(part, type);
    if (problem !== undefined) {
      return invalid(`Invalid '${path}[${k}]': ${problem}`, `${path}[${k}]`);
    }
  }
  return undefined;
}

function partProblem(part: JsonObject, type: string): string | undefined {
  switch (type) {
    case 'input_image':
      return /^(https?:|data:image\/[a-z]+;base64,[A-Za-z0-9+/]+=*$)/.test(
        String(part['image_url']),
      )
        ? undefined
        : 'expected a URL or a data URL of an image.';
    case 'input_file':
      return typeof part['filename'] === 'string' && String(part['file_data']).startsWith('data:')
        ? undefined
        : 'expected filename and file_data.';
    case 'refusal':
      return typeof part['refusal'] === 'string' ? undefined : 'expected refusal.';
    default:
      return typeof part['text'] === 'string' ? undefined : 'expected text.';
  }
}

function checkCall(item: JsonObject, path: string): Refusal | undefined {
  if (typeof item['arguments'] !== 'string') {
    return invalid(`Invalid type for '${path}.arguments': expected a string.`, `${path}.arguments`);
  }
  const { name } = item;
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
    return invalid(`Invalid '${path}.name'.`, `${path}.name`, 'invalid_value');
  }
  return checkCallId(item, path);
}

function checkCallId(item: JsonObject, path: string): Refusal | undefined {
  const id = item['call_id'];
  if (typeof id !== 'string' || id === '') {
    return invalid(`Missing required parameter: '${path}.call_id'.`, `${path}.call_id`);
  }
  return id.length > 64 ? tooLong(`${path}.call_id`, id.length) : undefined;
}

function checkOutput(item: JsonObject, path: string, rules: InputRules): Refusal | undefined {
  const { output } = item;
  if (typeof output !== 'string' && (rules.hasOnlyTextResults || !Array.isArray(output))) {
    return invalid(`Invalid type for '${path}.output'.`, `${path}.output`, 'invalid_type');
  }
  return typeof output === 'string'
    ? checkCallId(item, path)
    : (checkParts(output, userParts, `${path}.output`) ?? checkCallId(item, path));
}

function checkIds(items: readonly JsonObject[]): Refusal | undefined {
  const ids = new Set<unknown>();
  for (const { id } of items) {
    if (id !== undefined && ids.has(id)) {
      return invalid(
        `Duplicate item found with id ${shown(id)}. Remove duplicate items from your input and try again.`,
        'input',
      );
    }
    ids.add(id);
  }
  return undefined;
}

/** Every call has one output behind it, every output one call before it. */
function checkPairs(items: readonly JsonObject[]): Refusal | undefined {
  const open = new Set<unknown>();
  const seen = new Set<unknown>();
  for (const item of items) {
    const id = item['call_id'];
    if (item['type'] === 'function_call') {
      if (seen.has(id)) {
        return invalid(`Duplicate function call found with call_id ${shown(id)}.`, 'input');
      }
      seen.add(id);
      open.add(id);
    } else if (item['type'] === 'function_call_output' && !open.delete(id)) {
      return invalid(
        `No tool call found for function call output with call_id ${shown(id)}.`,
        'input',
      );
    }
  }
  const [missing] = open;
  return missing === undefined
    ? undefined
    : invalid(`No tool output found for function call ${shown(missing)}.`, 'input');
}

function checkThoughts(items: readonly JsonObject[], issued: IssuedItems): Refusal | undefined {
  const ids = new Set(items.map(({ id }) => id));
  for (const [i, item] of items.entries()) {
    const refusal =
      item['type'] === 'reasoning'
        ? checkThought(item, items[i + 1], issued)
        : checkFollower(item, ids, issued);
    if (refusal !== undefined) {
      return refusal;
    }
  }
  return undefined;
}

function checkThought(
  item: JsonObject,
  next: JsonObject | undefined,
  issued: IssuedItems,
): Refusal | undefined {
  const id = String(item['id']);
  if (item['encrypted_content'] === undefined || item['encrypted_content'] === null) {
    const message = `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`;
    return {
      status: 404,
      error: { message, type: 'invalid_request_error', param: 'input', code: null },
    };
  }
  if (issued.isDamaged(item)) {
    return invalid(
      `The encrypted content for item ${id} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
      null,
      'invalid_encrypted_content',
    );
  }
  const isOwn = next !== undefined && (next['type'] === 'reasoning' || isFromModel(next));
  return isOwn
    ? undefined
    : invalid(
        `Item '${id}' of type 'reasoning' was provided without its required following item.`,
        'input',
      );
}

function checkFollower(
  item: JsonObject,
  ids: ReadonlySet<unknown>,
  issued: IssuedItems,
): Refusal | undefined {
  const missing = issued.thoughtsBefore(String(item['id'])).find((id) => !ids.has(id));
  return missing === undefined
    ? undefined
    : invalid(
        `Item '${String(item['id'])}' of type '${typeOf(item)}' was provided without its required 'reasoning' item: '${missing}'.`,
        'input',
      );
}

function isFromModel(item: JsonObject): boolean {
  return (
    item['role'] === 'assistant' ||
    (typeOf(item) !== 'message' && typeOf(item) !== 'function_call_output')
  );
}

function typeOf(item: JsonObject): string {
  return item['type'] === undefined && item['role'] !== undefined
    ? 'message'
    : String(item['type']);
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
