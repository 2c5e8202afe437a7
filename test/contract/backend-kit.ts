// What every adapter of a model must be able to show, and how the suite drives it.
import type { Disposable } from '../../src/base/disposable';
import type { Clock } from '../../src/core/ports/clock';
import type { BackendServices } from '../../src/core/ports/backend-kind';
import type { Logger } from '../../src/core/ports/logger';
import type {
  BackendPart,
  ModelBackend,
  ModelRequest,
  ToolSpec,
} from '../../src/core/ports/model-backend';

/** The situations of the suite. `hang-*`: the model stays silent before, or after, its first words. */
export type Situation =
  | 'text'
  | 'tool-call'
  | 'parallel-tool-calls'
  | 'empty'
  | 'hang-first'
  | 'hang-middle'
  | 'rate-limit'
  | 'overload'
  | 'broken-stream'
  | 'unicode';

export interface BackendUnderTest {
  readonly backend: ModelBackend;
  close(): Promise<void>;
}

/** Brings one adapter into a situation. The texts to produce stand in `expected`. */
export type BackendStage = (situation: Situation) => Promise<BackendUnderTest>;

export const expected = {
  text: 'The parser stops after the first unit.',
  unicode: 'Größe 🧑‍🚀 日本語 — é\u0301',
  firstWords: 'Let me',
  call: { name: 'read_file', argumentsJson: '{"path":"src/a.js"}' },
  secondCall: { name: 'list_directory', argumentsJson: '{"path":"src"}' },
} as const;

const tools: readonly ToolSpec[] = ['read_file', 'list_directory', 'new_answer', 'vote'].map(
  (name) => ({
    name,
    description: `The tool ${name}.`,
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
      additionalProperties: false,
    },
  }),
);

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
