// What every adapter of a model must be able to show, and how the suite drives it.
import type { Disposable } from '../../src/base/disposable';
import type { ErrorCode } from '../../src/core/errors';
import type { Clock } from '../../src/core/ports/clock';
import type { BackendServices } from '../../src/core/ports/backend-kind';
import type { Logger } from '../../src/core/ports/logger';
import type {
  BackendPart,
  ChatMessage,
  Media,
  ModelBackend,
  ModelRequest,
  OutputSchema,
  ToolCall,
  ToolSpec,
} from '../../src/core/ports/model-backend';
import type { Situation } from './situations';

export interface BackendUnderTest {
  readonly backend: ModelBackend;
  close(): Promise<void>;
  /** Bodies of the requests that the service has received, oldest first; absent where nothing is sent. */
  requests?(): readonly unknown[];
  /** Resolves once the service sees that its client has gone; absent where there is no connection. */
  left?(): Promise<void>;
}

/** Brings one adapter into the situations; stands in `stages.ts`. */
export interface BackendStage {
  /** Situations that the protocol cannot have, each with the reason in a few words. */
  readonly cannot: Readonly<Partial<Record<Situation, string>>>;
  /** How failures are told where it is not as services tell them. */
  readonly codes?: Readonly<Partial<Record<Situation, ErrorCode>>>;
  /** `clock`: the one the adapter gets; it stands still where the suite plays a stall. */
  open(situation: Situation, clock: Clock): Promise<BackendUnderTest>;
}

export const expected = {
  text: 'The parser stops after the first unit.',
  thinking: 'Perhaps the loop ends too early.',
  unicode: 'Größe 🧑‍🚀 日本語 — é\u0301',
  firstWords: 'Let me',
  structured: '{"decision":"keep","reason":"It works.","lines":[1],"place":null}',
  cutStructured: '{"decision":"keep","reas',
  /** What a service says with an error. */
  said: 'Not today.',
  call: { name: 'read_file', argumentsJson: '{"path":"src/a.js"}' },
  secondCall: { name: 'list_directory', argumentsJson: '{"path":"src"}' },
  unicodeCall: { name: 'new_answer', argumentsJson: '{"path":"Größe \\"🧑‍🚀\\" \\n 日本語"}' },
  malformedArguments: '{"path": src/a.js',
  /** As services say it, `retry-after: 7`. */
  retryAfterMs: 7000,
  /** 64 characters. */
  longName: `mcp__${'filesystem_'.repeat(5)}list`,
  image:
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  /** All input tokens, cached ones among them; all output tokens, thinking among them. */
  usage: { inputTokens: 1200, cachedInputTokens: 800, outputTokens: 50 },
} as const;

function toolNamed(name: string): ToolSpec {
  return {
    name,
    description: `The tool ${name}.`,
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
      additionalProperties: false,
    },
  };
}

const tools: readonly ToolSpec[] = ['read_file', 'list_directory', 'new_answer', 'vote'].map(
  toolNamed,
);

/** Schemas as servers of tools write them: allowed in JSON Schema, refused by one service or another. */
const hardTools: readonly ToolSpec[] = [
  {
    name: 'search',
    description: 'Searches.',
    inputSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, format: 'uri', default: 'x' },
        limit: { type: ['integer', 'null'], exclusiveMinimum: 0, maximum: 100 },
        kind: { const: 'file' },
        order: { oneOf: [{ type: 'string', enum: ['up', 'down'] }, { type: 'boolean' }] },
        paths: { type: 'array' },
        where: { $ref: '#/$defs/place' },
      },
      required: ['query'],
      additionalProperties: false,
      $defs: { place: { type: 'object', properties: { line: { type: 'integer' } } } },
    },
  },
  { name: 'get_time', description: '', inputSchema: { type: 'object' } },
];

/** More than most services take in the form of an answer: open, with rules for values, and with members that may be missing. */
const answerForm: OutputSchema = {
  name: 'verdict',
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      decision: { type: 'string', enum: ['keep', 'change'] },
      reason: { type: 'string', minLength: 1, maxLength: 200, default: 'none' },
      lines: { type: 'array', maxItems: 9, items: { type: 'integer', minimum: 1 } },
      place: {
        type: 'object',
        properties: { path: { type: 'string' }, line: { type: ['integer', 'null'] } },
        required: ['path'],
      },
    },
    required: ['decision', 'reason', 'lines'],
  },
};

/** What the suite sends in this situation. */
export function requestFor(situation: Situation): ModelRequest {
  switch (situation) {
    case 'long-tool-name':
      return requestOf({ tools: [toolNamed(expected.longName)] });
    case 'schemas':
      return requestOf({ tools: hardTools });
    case 'images':
      return requestOf({ messages: withImages });
    case 'structured':
    case 'structured-refused':
    case 'structured-cut':
      return requestOf({ tools: [], outputSchema: answerForm });
    default:
      return requestOf();
  }
}

const picture: Media = {
  kind: 'image',
  mediaType: 'image/png',
  name: 'one.png',
  base64: expected.image,
};

const withImages: readonly ChatMessage[] = [
  { role: 'user', text: 'What is wrong here?', media: [picture] },
  { role: 'assistant', text: '', toolCalls: [{ id: 'call_1', ...expected.call }] },
  {
    role: 'tool',
    results: [
      {
        toolCallId: 'call_1',
        name: expected.call.name,
        text: 'One picture.',
        isError: false,
        media: [picture],
      },
    ],
  },
];

/** The request after `request` was answered with these parts: every call has a result, the service's own words are kept. */
export function nextRequest(request: ModelRequest, parts: readonly BackendPart[]): ModelRequest {
  const toolCalls = callsOf(parts);
  const kept = parts.find((part) => part.type === 'verbatim');
  const results = toolCalls.map(({ id, name }) => ({
    ...{ toolCallId: id, name, text: 'It is empty.', isError: false },
  }));
  return {
    ...request,
    step: { ...request.step, call: request.step.call + 1 },
    messages: [
      ...request.messages,
      {
        ...{ role: 'assistant', text: textOf(parts), toolCalls },
        ...(kept === undefined ? {} : { verbatim: kept.verbatim }),
      },
      { role: 'tool', results },
    ],
  };
}

export function callsOf(parts: readonly BackendPart[]): readonly ToolCall[] {
  return parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []));
}

export function thinkingOf(parts: readonly BackendPart[]): string {
  return parts.map((part) => (part.type === 'thinking-delta' ? part.text : '')).join('');
}

export function requestOf(overrides: Partial<ModelRequest> = {}): ModelRequest {
  return {
    step: { attempt: 1, slot: 1, turnNo: 1, call: 1 },
    task: 'Fix the parser.',
    system: 'You are one of several agents.',
    messages: [{ role: 'user', text: 'Fix the parser.' }],
    tools,
    maxOutputTokens: undefined,
    ...overrides,
  };
}

/** All parts of a stream in order. */
export async function collect(stream: AsyncIterable<BackendPart>): Promise<BackendPart[]> {
  const parts: BackendPart[] = [];
  for await (const part of stream) {
    parts.push(part);
  }
  return parts;
}

export function textOf(parts: readonly BackendPart[]): string {
  return parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('');
}

/** The last part, which must be the only end. */
export function endOf(parts: readonly BackendPart[]): Extract<BackendPart, { type: 'end' }> {
  const end = parts.at(-1);
  if (end?.type !== 'end' || parts.filter((part) => part.type === 'end').length !== 1) {
    throw new Error(`not exactly one end, at the end: ${JSON.stringify(parts)}`);
  }
  return end;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run): Disposable {
    const timer = setTimeout(run, delayMs);
    return { dispose: () => clearTimeout(timer) };
  },
};

/** Time that stands still: nothing scheduled ever happens. */
export const frozenClock: Clock = {
  now: () => 1_790_000_000_000,
  after: () => ({ dispose: () => undefined }),
};

const silentLogger: Logger = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export function servicesWith(
  keys: Readonly<Record<string, string>>,
  clock: Clock = systemClock,
): BackendServices {
  return { secrets: { get: async (name) => keys[name] }, clock, logger: silentLogger };
}
