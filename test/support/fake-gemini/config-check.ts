// Refuses settings and tools that the service refuses for a model.
import {
  type Members,
  type Refusal,
  firstIn,
  firstOf,
  invalid,
  isMembers,
  listOf,
  membersOf,
} from './refusal';

/** 2.5, 3.8, 4 and so on; 0 for a name without a number. */
export function generationOf(model: string): number {
  return Number(/^gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1] ?? 0);
}

export function checkConfig(body: Members, generation: number): Refusal | undefined {
  const config = membersOf(body['generationConfig']);
  return firstOf(
    () => checkRanges(config),
    () => checkThinking(membersOf(config['thinkingConfig']), generation),
    () => checkTools(body, generation),
    () => checkOutput(config, listOf(body['tools']).length > 0, generation),
  );
}

function checkRanges(config: Members): Refusal | undefined {
  const ranges = [
    ['temperature', 0, 2],
    ['topP', 0, 1],
    ['topK', 1, 1000],
    ['maxOutputTokens', 1, 65_536],
  ] as const;
  const wrong = ranges.find(([name, low, high]) => {
    const value = config[name];
    return value !== undefined && (typeof value !== 'number' || value < low || value > high);
  });
  return wrong === undefined
    ? undefined
    : invalid(
        `Unable to submit request because it has a ${wrong[0]} value out of the supported range.`,
      );
}

function checkThinking(thinking: Members, generation: number): Refusal | undefined {
  const { thinkingLevel, thinkingBudget: budget } = thinking;
  const level =
    thinkingLevel === undefined ? undefined : JSON.stringify(thinkingLevel).slice(1, -1);
  if (level !== undefined && budget !== undefined) {
    return invalid('You can only set only one of thinking budget and thinking level.');
  }
  if (level !== undefined && generation < 3) {
    return invalid('Thinking level is not supported for this model.');
  }
  if (budget !== undefined && (generation < 2.5 || generation >= 4)) {
    return invalid('Thinking budget is not supported for this model.');
  }
  const levels = generation >= 4 ? ['low', 'medium', 'high'] : ['minimal', 'low', 'medium', 'high'];
  return level !== undefined && !levels.includes(level.toLowerCase())
    ? invalid(`Thinking level ${level} is not supported for this model.`)
    : undefined;
}

function checkTools(body: Members, generation: number): Refusal | undefined {
  const tools = listOf(body['tools']).map(membersOf);
  const declarations = tools.flatMap((tool) => listOf(tool['functionDeclarations']).map(membersOf));
  const hosted = tools
    .flatMap((tool) => Object.keys(tool))
    .filter((name) => name !== 'functionDeclarations');
  if (declarations.length > 0 && hosted.length > 0) {
    if (generation < 3) {
      return invalid('Built-in tools and Function Calling cannot be combined in the same request.');
    }
    if (membersOf(body['toolConfig'])['includeServerSideToolInvocations'] !== true) {
      return invalid(
        'Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling.',
      );
    }
  }
  const names = declarations.map((declaration) => declaration['name']);
  if (new Set(names).size < names.length) {
    return invalid(
      `Duplicate function declaration found: ${String(names.find((name, i) => names.indexOf(name) !== i))}`,
    );
  }
  return firstIn(declarations, checkDeclaration);
}

function checkOutput(config: Members, hasTools: boolean, generation: number): Refusal | undefined {
  const { responseMimeType: type, responseSchema, responseJsonSchema } = config;
  const isJson = type === 'application/json';
  if (isJson && generation === 0) {
    return invalid('JSON mode is not enabled for this model');
  }
  if (isJson && hasTools && generation < 3) {
    return invalid(
      "Tool use with a response mime type: 'application/json' is unsupported for this model",
    );
  }
  if (responseSchema !== undefined && responseJsonSchema !== undefined) {
    return invalid('Only one of response_schema and response_json_schema may be set.');
  }
  if (responseJsonSchema === undefined) {
    return undefined;
  }
  return isJson
    ? checkJsonSchema(responseJsonSchema, 'generation_config.response_json_schema')
    : invalid('response_json_schema requires a response mime type of application/json.');
}

function checkDeclaration(declaration: Members, i: number): Refusal | undefined {
  const path = `tools[0].function_declarations[${i}]`;
  const { name, parameters, parametersJsonSchema } = declaration;
  if (typeof name !== 'string' || !/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name)) {
    return invalid(
      `* GenerateContentRequest.${path}.name: Invalid function name. Must start with a letter or an underscore.\n`,
    );
  }
  if (parameters !== undefined && parametersJsonSchema !== undefined) {
    return invalid(`${path}: only one of parameters and parameters_json_schema may be set.`);
  }
  return firstOf(
    () =>
      parameters === undefined
        ? undefined
        : checkSubset(membersOf(parameters), `${path}.parameters`),
    () =>
      parametersJsonSchema === undefined
        ? undefined
        : checkJsonSchema(parametersJsonSchema, `${path}.parameters_json_schema`),
  );
}

function checkSubset(schema: Members, path: string): Refusal | undefined {
  const at = `* GenerateContentRequest.${path}`;
  const choices = listOf(schema['anyOf']).map(membersOf);
  if (choices.length > 0) {
    return firstIn(choices, (one, i) => checkSubset(one, `${path}.any_of[${i}]`));
  }
  const type = String(schema['type']).toUpperCase();
  if (!['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT'].includes(type)) {
    return invalid(
      `Invalid value at '${path}.type' (type.googleapis.com/Type), ${JSON.stringify(schema['type'])}`,
    );
  }
  if (type === 'ARRAY') {
    return isMembers(schema['items'])
      ? checkSubset(schema['items'], `${path}.items`)
      : invalid(`${at}.items: missing field.\n`);
  }
  const format = schema['format'];
  if (type === 'STRING' && format !== undefined && format !== 'enum' && format !== 'date-time') {
    return invalid(`${at}.format: only 'enum' and 'date-time' are supported for STRING type\n`);
  }
  if (listOf(schema['enum']).some((one) => typeof one !== 'string' || one === '')) {
    return invalid(`${at}.enum: only non-empty strings are allowed\n`);
  }
  return type === 'OBJECT' ? checkObject(schema, path) : undefined;
}

function checkObject(schema: Members, path: string): Refusal | undefined {
  const at = `* GenerateContentRequest.${path}`;
  const properties = Object.entries(membersOf(schema['properties']));
  if (properties.length === 0) {
    return invalid(`${at}.properties: should be non-empty for OBJECT type\n`);
  }
  const names: readonly unknown[] = properties.map(([name]) => name);
  const missing = listOf(schema['required']).findIndex((name) => !names.includes(name));
  return missing >= 0
    ? invalid(`${at}.required[${missing}]: property is not defined\n`)
    : firstIn(properties, ([name, one]) =>
        checkSubset(membersOf(one), `${path}.properties[${name}]`),
      );
}

/** A reference stands alone, and what is referred to exists. */
function checkJsonSchema(schema: unknown, path: string): Refusal | undefined {
  const root = membersOf(schema);
  if ('$schema' in root || root['type'] !== 'object') {
    return invalid(`${path}: must be a schema of type object without $schema.`);
  }
  const definitions = membersOf(root['$defs'] ?? root['definitions']);
  const visit = (value: unknown): Refusal | undefined => {
    if (Array.isArray(value)) {
      return firstIn(value, visit);
    }
    if (!isMembers(value)) {
      return undefined;
    }
    if (value['type'] === 'array' && !('items' in value) && !('prefixItems' in value)) {
      return invalid(`${path}: an array is missing items.`);
    }
    const reference = value['$ref'];
    if (typeof reference === 'string') {
      const name = reference.split('/').at(-1) ?? '';
      return Object.keys(value).length > 1 || !(name in definitions)
        ? invalid(`${path}: reference ${reference} does not stand alone or points nowhere.`)
        : undefined;
    }
    return firstIn(Object.values(value), visit);
  };
  return visit(schema);
}
