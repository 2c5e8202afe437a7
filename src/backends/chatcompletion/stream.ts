// Reads the chunks of one chat completion.
import { MassGenError } from '../../core/errors';
import type { BackendPart, ModelRequest } from '../../core/ports/model-backend';
import type { Usage } from '../../run/facts';
import { asArray, asCount, asObject, asText } from '../wire/json-reading';
import { ToolCallAssembly } from './tool-call-assembly';
import { WireError } from '../wire/wire-fault';

/** Far more than any model writes in one answer. */
const longestAnswer = 16 * 1024 * 1024;

/** Everything gathered from the chunks so far. */
export class ChunkReader {
  readonly #host: string;
  readonly #tools = new ToolCallAssembly();
  #finishReason = '';
  #reasoning = '';
  #length = 0;
  #usage: Usage | undefined;

  constructor(host: string) {
    this.#host = host;
  }

  /** The service has said how its answer ends; whatever breaks afterwards does not matter. */
  get isFinished(): boolean {
    return this.#finishReason !== '';
  }

  /** Thinking that came as `reasoning_content`: who sends it under this name wants it back with the next request. */
  get reasoning(): string {
    return this.#reasoning;
  }

  /**
   * The parts that can be passed on at once. Tool calls and usage wait for `finish`. Throws `WireError` when the answer
   * has no end.
   */
  read(chunk: unknown): BackendPart[] {
    const members = asObject(chunk);
    this.#usage =
      toUsage(members?.['usage']) ??
      toUsage(asObject(members?.['x_groq'])?.['usage']) ??
      this.#usage;
    const choice = asObject(asArray(members?.['choices'])[0]);
    if (choice === undefined) {
      return [];
    }
    this.#finishReason = asText(choice['finish_reason']) || this.#finishReason;
    return this.#readDelta(asObject(choice['delta']) ?? asObject(choice['message']));
  }

  #readDelta(delta: Readonly<Record<string, unknown>> | undefined): BackendPart[] {
    if (delta === undefined) {
      return [];
    }
    for (const element of asArray(delta['tool_calls'])) {
      this.#tools.add(element);
    }
    const parts: BackendPart[] = [];
    const returned = asText(delta['reasoning_content']);
    this.#reasoning += returned;
    const thinking = returned || asText(delta['reasoning']);
    if (thinking !== '') {
      parts.push({ type: 'thinking-delta', text: thinking });
    }
    const text = asText(delta['content']) + asText(delta['refusal']);
    if (text !== '') {
      parts.push({ type: 'text-delta', text });
    }
    this.#length += thinking.length + text.length;
    if (this.#length + this.#tools.length > longestAnswer) {
      throw new WireError({ kind: 'malformed', detail: 'it has no end' });
    }
    return parts;
  }

  /** The remaining parts once the stream is over; the last one is the end. */
  finish(request: ModelRequest): BackendPart[] {
    const usage: BackendPart[] =
      this.#usage === undefined ? [] : [{ type: 'usage', usage: this.#usage }];
    if (!this.isFinished) {
      // A stream that just stops was cut, however cleanly; half an answer must not pass as a whole one.
      const error = new MassGenError(
        'backend/network',
        `${this.#host} ended the stream in the middle of the answer.`,
        { retryable: true },
      );
      return [...usage, { type: 'end', reason: 'error', error }];
    }
    if (this.#finishReason === 'content_filter') {
      const error = new MassGenError(
        'backend/content-filtered',
        `${this.#host} held the answer back: its content filter objected.`,
        { hint: 'Word the task differently, or use another model.' },
      );
      return [...usage, { type: 'end', reason: 'error', error }];
    }
    const isCut = this.#finishReason === 'length';
    const calls = this.#tools.finish(request.step, usedIds(request), isCut);
    const reason = isCut ? 'length' : calls.length > 0 ? 'tool-calls' : 'stop';
    return [
      ...calls.map((call): BackendPart => ({ type: 'tool-call', call })),
      ...usage,
      { type: 'end', reason },
    ];
  }
}

function usedIds(request: ModelRequest): ReadonlySet<string> {
  return new Set(
    request.messages.flatMap((message) =>
      message.role === 'assistant' ? message.toolCalls.map((call) => call.id) : [],
    ),
  );
}

function toUsage(value: unknown): Usage | undefined {
  const usage = asObject(value);
  if (usage === undefined) {
    return undefined;
  }
  const input = asCount(usage['prompt_tokens']);
  const output = asCount(usage['completion_tokens']);
  if (input === undefined && output === undefined) {
    return undefined;
  }
  const cached = asCount(asObject(usage['prompt_tokens_details'])?.['cached_tokens']);
  const reasoning = asCount(asObject(usage['completion_tokens_details'])?.['reasoning_tokens']);
  return {
    ...(input === undefined ? {} : { inputTokens: input }),
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(output === undefined ? {} : { outputTokens: output }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  };
}
