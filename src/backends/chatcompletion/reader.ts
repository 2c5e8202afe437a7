// Reads the chunks of one chat completion.
import { MassGenError } from '../../core/errors';
import type { BackendPart, ModelRequest } from '../../core/ports/model-backend';
import { asArray, asObject, asText } from '../wire/json-reading';
import { doneMark } from '../wire/read-answer';
import type { ToolNames } from '../wire/tool-names';
import { type AnswerReader, type UsagePart, toUsagePart } from '../wire/answer-reader';
import { WireError } from '../wire/wire-fault';
import { inCommonWords } from './faults';
import { ThinkingKeeper } from './kept-thinking';
import { ThinkTags } from './think-tags';
import { ToolCallAssembly } from './tool-call-assembly';
import { usageOf } from './usage';

/** Far more than any model writes in one answer. */
const longestAnswer = 16 * 1024 * 1024;

type Json = Readonly<Record<string, unknown>>;

export interface ReaderParts {
  readonly host: string;
  /** Of the `Verbatim` that the answer leaves; `undefined`: the service wants nothing back. */
  readonly origin: string | undefined;
  readonly request: ModelRequest;
  readonly names: ToolNames;
  readonly tellsCost: boolean;
  readonly hasShortCallIds: boolean;
}

/** Everything gathered from the chunks so far. */
export class ChunkReader implements AnswerReader {
  readonly #parts: ReaderParts;
  readonly #tools = new ToolCallAssembly();
  readonly #thinking = new ThinkingKeeper();
  readonly #tags = new ThinkTags();
  #finishReason = '';
  #length = 0;
  #hasText = false;
  #usage: UsagePart | undefined;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
  }

  get isFinished(): boolean {
    return this.#finishReason !== '';
  }

  /** Tool calls and usage wait for `finish`. Throws `WireError` for an error, and when the answer has no end. */
  read(chunk: unknown): BackendPart[] {
    if (chunk === doneMark) {
      this.#takeDone();
      return [];
    }
    const members = asObject(chunk);
    this.#usage = usageOf(members, this.#parts.tellsCost) ?? this.#usage;
    const choice = asObject(asArray(members?.['choices'])[0]);
    const error = members?.['error'] ?? choice?.['error'];
    if (isError(error)) {
      const fault = { kind: 'status', status: 0, body: error, text: '', header: noHeader } as const;
      throw new WireError(inCommonWords(fault));
    }
    if (choice === undefined) {
      return [];
    }
    const parts = this.#readDelta(asObject(choice['delta']) ?? asObject(choice['message']));
    this.#finishReason = laterReason(this.#finishReason, asText(choice['finish_reason']));
    return parts;
  }

  #readDelta(delta: Json | undefined): BackendPart[] {
    if (delta === undefined) {
      return [];
    }
    for (const element of asArray(delta['tool_calls'])) {
      this.#tools.add(element);
    }
    this.#thinking.add(delta);
    const content = contentOf(delta['content']);
    const told = this.#tags.push(content.text);
    const thinking = thinkingOf(delta) + content.thinking + told.thinking;
    const text = told.text + asText(delta['refusal']);
    this.#length += thinking.length + text.length;
    this.#hasText ||= text !== '';
    if (this.#length + this.#tools.length > longestAnswer) {
      throw new WireError({ kind: 'malformed', detail: 'it has no end' });
    }
    return deltas(thinking, text);
  }

  /** Some services never give a reason. */
  #takeDone(): void {
    if (this.#finishReason === '' && this.#isWhole()) {
      this.#finishReason = 'stop';
    }
  }

  /** The answer says something or calls tools, and no call is cut off. */
  #isWhole(): boolean {
    return this.#tools.size === 0 ? this.#hasText : this.#tools.areWhole;
  }

  usage(): UsagePart | undefined {
    const told = this.#usage;
    return told && { ...told, ...toUsagePart(told.usage, this.isFinished) };
  }

  finish(): BackendPart[] {
    const { thinking, text } = this.#tags.end();
    return [...deltas(thinking, text), ...this.#end()];
  }

  #end(): BackendPart[] {
    const { host } = this.#parts;
    const counted = this.usage();
    const usage = counted === undefined ? [] : [counted];
    if (!this.isFinished) {
      // A stream that just stops was cut, however cleanly; half an answer must not pass as a whole one.
      const error = new MassGenError(
        'backend/network',
        `${host} ended the stream in the middle of the answer.`,
        { retryable: true },
      );
      return [...usage, { type: 'end', reason: 'error', error }];
    }
    const error = errorOfReason(this.#finishReason, host);
    if (error !== undefined) {
      return [...usage, { type: 'end', reason: 'error', error }];
    }
    return this.#wholeEnd(usage);
  }

  #wholeEnd(usage: readonly BackendPart[]): BackendPart[] {
    const { request, names, origin, hasShortCallIds } = this.#parts;
    const isCut = this.#finishReason === 'length';
    const usedIds = idsIn(request);
    const assembled = this.#tools
      .finish({ step: request.step, usedIds, isCut, hasShortIds: hasShortCallIds })
      .map(({ call, mark }) => ({ call: { ...call, name: names.fromWire(call.name) }, mark }));
    const verbatim =
      origin === undefined ? undefined : this.#thinking.toVerbatim(origin, assembled);
    const reason = isCut ? 'length' : assembled.length > 0 ? 'tool-calls' : 'stop';
    return [
      ...assembled.map(({ call }): BackendPart => ({ type: 'tool-call', call })),
      ...(verbatim === undefined ? [] : [{ type: 'verbatim', verbatim } as const]),
      ...usage,
      { type: 'end', reason },
    ];
  }
}

function deltas(thinking: string, text: string): BackendPart[] {
  const parts: BackendPart[] = [];
  if (thinking !== '') {
    parts.push({ type: 'thinking-delta', text: thinking });
  }
  if (text !== '') {
    parts.push({ type: 'text-delta', text });
  }
  return parts;
}

/** Some send a second reason after the true one; one that says that the answer is not whole stands. */
function laterReason(before: string, now: string): string {
  return now === '' || before === 'length' || before === 'content_filter' ? before : now;
}

function errorOfReason(reason: string, host: string): MassGenError | undefined {
  if (reason === 'content_filter') {
    return new MassGenError(
      'backend/content-filtered',
      `${host} held the answer back: its content filter objected.`,
      { hint: 'Word the task differently, or use another model.' },
    );
  }
  return reason === 'error'
    ? new MassGenError('backend/bad-response', `${host} broke the answer off.`, { retryable: true })
    : undefined;
}

/** Thinking under any of its names; two names in one delta say the same. */
function thinkingOf(delta: Json): string {
  const named = asText(delta['reasoning_content']) || asText(delta['reasoning']);
  return (
    named ||
    asArray(delta['reasoning_details'])
      .map((piece) => asText(asObject(piece)?.['text']) || asText(asObject(piece)?.['summary']))
      .join('')
  );
}

/** Content is a text, or a list of pieces with thinking among them. */
function contentOf(content: unknown): { readonly thinking: string; readonly text: string } {
  const pieces = asArray(content).map(asObject);
  const thinking = pieces.flatMap((piece) =>
    asArray(piece?.['thinking']).map((inner) => asText(asObject(inner)?.['text'])),
  );
  const text = pieces.map((piece) => asText(piece?.['text']));
  return { thinking: thinking.join(''), text: asText(content) + text.join('') };
}

function idsIn(request: ModelRequest): ReadonlySet<string> {
  return new Set(
    request.messages.flatMap((message) =>
      message.role === 'assistant' ? message.toolCalls.map((call) => call.id) : [],
    ),
  );
}

function isError(value: unknown): boolean {
  return asObject(value) !== undefined || asText(value) !== '';
}

function noHeader(): undefined {
  return undefined;
}
