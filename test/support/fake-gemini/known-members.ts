// Refuses members that the interface does not have, in the words of the service's parser.
import { type Members, type Refusal, firstIn, invalid, isMembers } from './refusal';

/** By message: its members, each with the message that it holds; `''` for values of any form. */
const messages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  request: {
    ...{ contents: 'content', systemInstruction: 'content', tools: 'tool' },
    ...{ toolConfig: 'toolConfig', generationConfig: 'generationConfig' },
    ...{ safetySettings: 'safetySetting', cachedContent: '', continuationToken: '' },
  },
  content: { role: '', parts: 'part' },
  part: {
    ...{ text: '', inlineData: 'blob', fileData: 'fileData', functionCall: 'functionCall' },
    ...{ functionResponse: 'functionResponse', executableCode: 'code' },
    ...{ codeExecutionResult: 'codeResult', toolCall: 'toolCall', toolResponse: 'toolResponse' },
    ...{ thought: '', thoughtSignature: '', partMetadata: '', videoMetadata: '' },
  },
  blob: { mimeType: '', data: '' },
  fileData: { mimeType: '', fileUri: '' },
  functionCall: { id: '', name: '', args: '' },
  functionResponse: { id: '', name: '', response: '', parts: 'responsePart' },
  responsePart: { inlineData: 'blob', fileData: 'fileData' },
  code: { id: '', language: '', code: '' },
  codeResult: { id: '', outcome: '', output: '' },
  toolCall: { id: '', toolType: '', args: '' },
  toolResponse: { id: '', toolType: '', response: '' },
  tool: {
    ...{ functionDeclarations: 'declaration', googleSearch: '', urlContext: '' },
    ...{ codeExecution: '', googleMaps: '', fileSearch: '', computerUse: '' },
  },
  declaration: {
    ...{ name: '', description: '', behavior: '', parameters: 'schema' },
    ...{ parametersJsonSchema: '', response: 'schema', responseJsonSchema: '' },
  },
  schema: {
    ...{ type: '', format: '', title: '', description: '', nullable: '', default: '' },
    ...{ items: 'schema', minItems: '', maxItems: '', enum: '', properties: 'schemas' },
    ...{ propertyOrdering: '', required: '', minimum: '', maximum: '', minLength: '' },
    ...{ maxLength: '', pattern: '', example: '', anyOf: 'schema' },
  },
  toolConfig: {
    ...{ functionCallingConfig: 'callingConfig', retrievalConfig: '' },
    includeServerSideToolInvocations: '',
  },
  callingConfig: { mode: '', allowedFunctionNames: '' },
  generationConfig: {
    ...{ temperature: '', topP: '', topK: '', candidateCount: '', maxOutputTokens: '' },
    ...{ stopSequences: '', responseMimeType: '', responseSchema: 'schema' },
    ...{ responseJsonSchema: '', thinkingConfig: 'thinkingConfig', seed: '' },
  },
  thinkingConfig: { includeThoughts: '', thinkingBudget: '', thinkingLevel: '' },
  safetySetting: { category: '', threshold: '' },
};

export function checkMembers(body: Members, unknown: readonly string[]): Refusal | undefined {
  return checkMessage(body, 'request', { path: '', unknown });
}

interface Place {
  /** As the service writes it, `tools[0].function_declarations[0]`; empty at the top. */
  readonly path: string;
  readonly unknown: readonly string[];
}

function checkMessage(value: unknown, message: string, at: Place): Refusal | undefined {
  if (message === 'schemas') {
    const members = Object.entries(isMembers(value) ? value : {});
    return firstIn(members, ([name, one]) =>
      checkMessage(one, 'schema', { ...at, path: `${at.path}[${name}]` }),
    );
  }
  const known = messages[message];
  if (known === undefined || value === undefined) {
    return undefined;
  }
  if (!isMembers(value)) {
    return invalid(`Invalid value at '${at.path}' (${message}), ${JSON.stringify(value)}`);
  }
  return firstIn(Object.entries(value), ([name, member]) => {
    const inner = known[name];
    if (inner === undefined || at.unknown.includes(name)) {
      return unknownName(name, at.path);
    }
    const path = at.path === '' ? snakeCase(name) : `${at.path}.${snakeCase(name)}`;
    return Array.isArray(member) && inner !== ''
      ? firstIn(member, (one, i) => checkMessage(one, inner, { ...at, path: `${path}[${i}]` }))
      : checkMessage(member, inner, { ...at, path });
  });
}

function unknownName(name: string, path: string): Refusal {
  const at = path === '' ? '' : ` at '${path}'`;
  const description = `Invalid JSON payload received. Unknown name "${name}"${at}: Cannot find field.`;
  return invalid(description, [
    {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [{ ...(path === '' ? {} : { field: path }), description }],
    },
  ]);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
