// Refuses what the real service refuses, in its form. Strict on purpose: a fake that accepts everything proves nothing.
import { type Refusal, invalid, isObject } from '../fake-model-service/request-check';
import { namedSchemaProblem } from '../output-schema-check';
import { checkInput } from './input-check';
import type { IssuedItems } from './issued';

type JsonObject = Readonly<Record<string, unknown>>;

const parameters = new Set([
  ...['model', 'input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls', 'reasoning'],
  ...['text', 'store', 'include', 'previous_response_id', 'conversation', 'max_output_tokens'],
  ...['metadata', 'prompt_cache_key', 'prompt_cache_options', 'truncation', 'service_tier'],
  ...['safety_identifier', 'background', 'context_management', 'stream', 'stream_options'],
  ...['temperature', 'top_p', 'top_logprobs', 'max_tool_calls', 'user'],
]);

/** Names of chat completions, with where they have gone. */
const moved: Readonly<Record<string, string>> = {
  max_tokens: 'max_output_tokens',
  max_completion_tokens: 'max_output_tokens',
  messages: 'input',
  response_format: 'text.format',
  reasoning_effort: 'reasoning.effort',
  functions: 'tools',
  verbosity: 'text.verbosity',
};

const includable = [
  'reasoning.encrypted_content',
  'code_interpreter_call.outputs',
  'web_search_call.action.sources',
  'file_search_call.results',
  'message.input_image.image_url',
  'message.output_text.logprobs',
];

/** What a model of a line takes; the first match counts. */
const lines: readonly (readonly [name: RegExp, efforts: string, usual: string])[] = [
  [/^o\d/, 'low medium high', 'medium'],
  [/^gpt-5-/, 'minimal low medium high', 'medium'],
  [/^gpt-5$/, 'minimal low medium high', 'medium'],
  [/^gpt-5\.1/, 'none low medium high', 'none'],
  [/^gpt-5\.[234]/, 'none low medium high xhigh', 'none'],
  [/^gpt-5\.5/, 'none low medium high xhigh', 'medium'],
  [/^gpt-6\.2/, 'low medium high xhigh max', 'medium'],
  [/^gpt-(5\.6|6|6\.1)-astra/, 'low medium high xhigh max', 'medium'],
  [/^gpt-(5\.6|6|6\.1)/, 'none low medium high xhigh max', 'medium'],
];

export interface RequestRules {
  readonly issued: IssuedItems;
  readonly dialect: 'openai' | 'xai' | 'azure';
  readonly refusedParameters: readonly string[];
}

/** What is wrong with the body of a request; `undefined` when the real service would take it. */
export function checkRequest(body: unknown, rules: RequestRules): Refusal | undefined {
  if (!isObject(body)) {
    return invalid('The body of the request must be a JSON object.');
  }
  return (
    checkNames(body, rules) ??
    checkScalars(body, rules) ??
    (rules.dialect === 'xai' ? checkGrok(body) : checkModel(body)) ??
    checkTools(body['tools'], rules) ??
    checkText(body['text']) ??
    checkInput(body['input'], {
      issued: rules.issued,
      hasOnlyTextResults: rules.dialect === 'xai',
    })
  );
}

function checkNames(
  body: JsonObject,
  { dialect, refusedParameters }: RequestRules,
): Refusal | undefined {
  const missing = ['model', 'input'].find((name) => body[name] === undefined);
  for (const name of Object.keys(body)) {
    const target = moved[name];
    if (target !== undefined) {
      const message = `Unsupported parameter: '${name}'. In the Responses API, this parameter has moved to '${target}'. Try again with the new parameter.`;
      return invalid(message, name, 'unsupported_parameter');
    }
    const isForeign = dialect === 'xai' && name === 'instructions';
    if (!parameters.has(name) || isForeign || refusedParameters.includes(name)) {
      return invalid(`Unknown parameter: '${name}'.`, name, 'unknown_parameter');
    }
  }
  return missing === undefined
    ? undefined
    : invalid(`Missing required parameter: '${missing}'.`, missing, 'missing_required_parameter');
}

function checkScalars(body: JsonObject, { dialect }: RequestRules): Refusal | undefined {
  const limit = body['max_output_tokens'];
  if (
    limit !== undefined &&
    (typeof limit !== 'number' || limit < 16 || !Number.isInteger(limit))
  ) {
    return invalid(
      "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16.",
      'max_output_tokens',
      'integer_below_min_value',
    );
  }
  for (const [name, high] of [
    ['temperature', 2],
    ['top_p', 1],
  ] as const) {
    const value = body[name];
    if (value !== undefined && (typeof value !== 'number' || value < 0 || value > high)) {
      return invalid(`Invalid value for '${name}'.`, name, 'invalid_value');
    }
  }
  const includes: readonly unknown[] = Array.isArray(body['include']) ? body['include'] : [];
  const known = dialect === 'xai' ? ['reasoning.encrypted_content'] : includable;
  const foreign = includes.find((one) => !known.some((name) => name === one));
  if (foreign !== undefined) {
    return invalid(`Invalid value: '${JSON.stringify(foreign)}'.`, 'include[0]', 'invalid_value');
  }
  const key = body['prompt_cache_key'];
  if (key !== undefined && (typeof key !== 'string' || key.length > 64)) {
    return invalid("Invalid 'prompt_cache_key': string too long.", 'prompt_cache_key');
  }
  return body['previous_response_id'] !== undefined && body['conversation'] !== undefined
    ? invalid("Mutually exclusive parameters: 'previous_response_id' and 'conversation'.")
    : undefined;
}

function checkModel(body: JsonObject): Refusal | undefined {
  const model = String(body['model']);
  const reasoning = isObject(body['reasoning']) ? body['reasoning'] : {};
  const { effort } = reasoning;
  const line = lines.find(([name]) => name.test(model));
  if (line === undefined) {
    return model.startsWith('gpt-4') ? checkPlainModel(body, reasoning) : undefined;
  }
  const [, efforts, usual] = line;
  if (effort !== undefined && !efforts.split(' ').some((one) => one === effort)) {
    const values = efforts
      .split(' ')
      .map((one) => `'${one}'`)
      .join(', ');
    return invalid(
      `Unsupported value: ${JSON.stringify(effort)} is not supported with the '${model}' model. Supported values are: ${values}.`,
      'reasoning.effort',
      'unsupported_value',
    );
  }
  const isThinking = (effort ?? usual) !== 'none';
  const sampled = ['temperature', 'top_p'].find((name) => (body[name] ?? 1) !== 1);
  return isThinking && sampled !== undefined
    ? invalid(
        `Unsupported parameter: '${sampled}' is not supported with this model.`,
        sampled,
        'unsupported_parameter',
      )
    : undefined;
}

/** What it takes goes by the model, and is told in a sentence alone, in the spelling of another interface. */
function checkGrok(body: JsonObject): Refusal | undefined {
  const model = String(body['model']);
  const reasoning = isObject(body['reasoning']) ? body['reasoning'] : {};
  const hasEffort = /^grok-(3-mini|4\.[3-9]|4\.20-multi-agent)/.test(model);
  if (reasoning['effort'] !== undefined && !hasEffort) {
    return invalid(`Model ${model} does not support parameter reasoningEffort.`);
  }
  const tools: readonly unknown[] = Array.isArray(body['tools']) ? body['tools'] : [];
  return tools.length > 128 ? invalid('There are more than 128 tools.') : undefined;
}

function checkPlainModel(body: JsonObject, reasoning: JsonObject): Refusal | undefined {
  const [first] = Object.keys(reasoning);
  if (first !== undefined) {
    return invalid(
      `Unsupported parameter: 'reasoning.${first}' is not supported with this model.`,
      `reasoning.${first}`,
      'unsupported_parameter',
    );
  }
  const includes: readonly unknown[] = Array.isArray(body['include']) ? body['include'] : [];
  return includes.includes('reasoning.encrypted_content')
    ? invalid('Encrypted content is not supported with this model.', 'include')
    : undefined;
}

function checkTools(tools: unknown, { dialect }: RequestRules): Refusal | undefined {
  if (tools === undefined) {
    return undefined;
  }
  if (!Array.isArray(tools) || tools.length === 0) {
    return invalid("Invalid 'tools': expected a non-empty array.", 'tools');
  }
  const names = new Set<unknown>();
  for (const [i, tool] of tools.entries()) {
    const refusal = isObject(tool)
      ? checkTool(tool, `tools[${i}]`, dialect)
      : invalid(`Invalid type for 'tools[${i}]'.`);
    if (refusal !== undefined || !isObject(tool)) {
      return refusal;
    }
    if (tool['type'] === 'function' && names.has(tool['name'])) {
      return invalid(`Duplicate tool name '${String(tool['name'])}'.`, `tools[${i}].name`);
    }
    names.add(tool['name']);
  }
  return undefined;
}

function checkTool(
  tool: JsonObject,
  path: string,
  dialect: RequestRules['dialect'],
): Refusal | undefined {
  switch (tool['type']) {
    case 'function':
      return checkFunction(tool, path);
    case 'web_search':
      return undefined;
    case 'x_search':
      return dialect === 'xai' ? undefined : unknownTool(tool, path);
    case 'code_interpreter':
      return isObject(tool['container']) || dialect === 'xai'
        ? undefined
        : invalid(`Missing required parameter: '${path}.container'.`, `${path}.container`);
    case 'file_search':
      return Array.isArray(tool['vector_store_ids']) && tool['vector_store_ids'].length > 0
        ? undefined
        : invalid(`Missing required parameter: '${path}.vector_store_ids'.`);
    default:
      return unknownTool(tool, path);
  }
}

function checkText(text: unknown): Refusal | undefined {
  if (text === undefined) {
    return undefined;
  }
  if (!isObject(text)) {
    return invalid("Invalid type for 'text': expected an object.", 'text', 'invalid_type');
  }
  const unknown = Object.keys(text).find((name) => name !== 'verbosity' && name !== 'format');
  if (unknown !== undefined) {
    return invalid(`Unknown parameter: 'text.${unknown}'.`, `text.${unknown}`, 'unknown_parameter');
  }
  const { format } = text;
  return format === undefined ? undefined : checkFormat(format);
}

function checkFormat(format: unknown): Refusal | undefined {
  const type = isObject(format) ? format['type'] : undefined;
  if (!isObject(format) || !['text', 'json_object', 'json_schema'].includes(String(type))) {
    return invalid(`Invalid value: '${String(type)}'.`, 'text.format.type', 'invalid_value');
  }
  const known =
    type === 'json_schema' ? ['type', 'name', 'description', 'schema', 'strict'] : ['type'];
  const unknown = Object.keys(format).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const path = `text.format.${unknown}`;
    return invalid(`Unknown parameter: '${path}'.`, path, 'unknown_parameter');
  }
  const problem = type === 'json_schema' ? namedSchemaProblem(format) : undefined;
  return problem === undefined
    ? undefined
    : invalid(
        `Invalid schema for response_format: ${problem}`,
        'text.format.schema',
        'invalid_json_schema',
      );
}

function unknownTool(tool: JsonObject, path: string): Refusal {
  return invalid(`Invalid value: '${String(tool['type'])}'.`, `${path}.type`, 'invalid_value');
}

function checkFunction(tool: JsonObject, path: string): Refusal | undefined {
  const { name } = tool;
  if (name === undefined) {
    return invalid(`Missing required parameter: '${path}.name'.`, `${path}.name`);
  }
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
    return invalid(`Invalid '${path}.name': string does not match pattern.`, `${path}.name`);
  }
  const problem = schemaProblem(tool['parameters'], tool['strict'] !== false, true);
  return problem === undefined
    ? undefined
    : invalid(
        `Invalid schema for function '${name}': ${problem}`,
        `${path}.parameters`,
        'invalid_function_parameters',
      );
}

function schemaProblem(schema: unknown, isStrict: boolean, isTop: boolean): string | undefined {
  if (!isObject(schema)) {
    return `${JSON.stringify(schema)} is not of type 'object'.`;
  }
  const combined = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'].find((name) => name in schema);
  if (isTop && (schema['type'] !== 'object' || combined !== undefined)) {
    return "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.";
  }
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  if (isStrict && schema['type'] === 'object') {
    const isClosed = schema['additionalProperties'] === false;
    if (!isClosed || Object.keys(properties).some((name) => !required.includes(name))) {
      return "'additionalProperties' is required to be false, and all properties to be in 'required'.";
    }
  }
  if (schema['type'] === 'array' && schema['items'] === undefined) {
    return 'array schema missing items.';
  }
  const written: unknown = schema['anyOf'] ?? schema['oneOf'];
  const variants: readonly unknown[] = Array.isArray(written) ? written : [];
  const inner: readonly unknown[] = [
    ...Object.values(properties),
    ...(schema['items'] === undefined ? [] : [schema['items']]),
    ...variants,
  ];
  return inner.map((one) => schemaProblem(one, isStrict, false)).find((one) => one !== undefined);
}
