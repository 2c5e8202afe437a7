// Reads the chunks of one answer.
import type { BackendPart, ModelRequest, StepKey, ToolCall } from '../../core/ports/model-backend';
import type { MassGenError } from '../../core/errors';
import type { Usage } from '../../run/facts';
import { asArray, asObject, asText } from '../wire/json-reading';
import { type AnswerReader, type UsagePart, toUsagePart } from '../wire/answer-reader';
import { WireError } from '../wire/wire-fault';
import { blockedPrompt, cutStream, faultOfEnd } from './ends';
import { streamFault } from './faults';
import { HostedTools, citationsOf, searchesOf } from './hosted-parts';
import { OwnWords } from './own-words';
import type { ToolNames } from '../wire/tool-names';
import { sumOf, toUsage } from './usage';
import type { WirePart } from './wire-body';

export interface ReaderParts {
  /** For people. */
  readonly host: string;
  /** Written on what the model says, for the next request. */
  readonly origin: string;
  readonly names: ToolNames;
  /** What a person should know of the settings, once. */
  readonly notices: () => readonly BackendPart[];
  /** The same request, whose answer goes on at this place. */
  readonly resume: (request: ModelRequest, token: string) => ModelRequest;
}

/** Far more than any model writes in one answer. */
const longestAnswer = 16 * 1024 * 1024;

export class GeminiReader implements AnswerReader {
  readonly #parts: ReaderParts;
  readonly #request: ModelRequest;
  readonly #hosted: HostedTools;
  #words = new OwnWords();
  readonly #calls: ToolCall[] = [];
  readonly #usedIds: Set<string>;
  #finishReason = '';
  #blockReason = '';
  #token = '';
  #lastCandidate: WirePart = {};
  #length = 0;
  #hasText = false;
  #isAskedAnew = false;
  #earlierUsage: Usage | undefined;
  #usage: Usage | undefined;

  constructor(request: ModelRequest, parts: ReaderParts) {
    this.#request = request;
    this.#parts = parts;
    this.#usedIds = usedIds(request);
    this.#hosted = new HostedTools(`${prefixOf(request.step)}_`);
  }

  get isFinished(): boolean {
    return this.#finishReason !== '' || this.#blockReason !== '';
  }

  read(chunk: unknown): readonly BackendPart[] {
    const members = asObject(chunk);
    if (members?.['error'] !== undefined) {
      throw new WireError(streamFault(members['error']));
    }
    this.#usage = toUsage(members?.['usageMetadata']) ?? this.#usage;
    this.#blockReason =
      asText(asObject(members?.['promptFeedback'])?.['blockReason']) || this.#blockReason;
    const candidate = asObject(asArray(members?.['candidates'])[0]);
    const notices = this.#parts.notices();
    return candidate === undefined ? notices : [...notices, ...this.#readCandidate(candidate)];
  }

  #readCandidate(candidate: WirePart): readonly BackendPart[] {
    this.#finishReason = asText(candidate['finishReason']) || this.#finishReason;
    this.#token = asText(candidate['continuationToken']) || this.#token;
    // Sources are told again, and completed, from chunk to chunk.
    this.#lastCandidate = { ...this.#lastCandidate, ...candidate };
    return asArray(asObject(candidate['content'])?.['parts']).flatMap((part) =>
      this.#readPart(asObject(part) ?? {}),
    );
  }

  /** Goes on where the service has interrupted itself, and asks once more when it has said nothing at all. */
  follow(): ModelRequest | undefined {
    if (this.#finishReason === 'CONTINUATION' && this.#token !== '') {
      const token = this.#token;
      this.#beginAnew();
      return this.#parts.resume(this.#request, token);
    }
    if (this.#finishReason === 'STOP' && this.#isEmpty() && !this.#isAskedAnew) {
      this.#isAskedAnew = true;
      this.#words = new OwnWords();
      this.#beginAnew();
      return this.#request;
    }
    return undefined;
  }

  usage(): UsagePart | undefined {
    return toUsagePart(sumOf(this.#earlierUsage, this.#usage), this.isFinished);
  }

  finish(): readonly BackendPart[] {
    const usage = this.usage();
    const counted: BackendPart[] = usage === undefined ? [] : [usage];
    const error = this.#error();
    if (error !== undefined) {
      return [...this.#sources(), ...counted, { type: 'end', reason: 'error', error }];
    }
    const parts = this.#words.parts;
    const verbatim: BackendPart[] =
      parts.length === 0
        ? []
        : [{ type: 'verbatim', verbatim: { origin: this.#parts.origin, content: { parts } } }];
    const isCut = this.#finishReason === 'MAX_TOKENS';
    const reason = isCut ? 'length' : this.#calls.length > 0 ? 'tool-calls' : 'stop';
    return [
      ...this.#sources(),
      ...this.#calls.map((call): BackendPart => ({ type: 'tool-call', call })),
      ...verbatim,
      ...counted,
      { type: 'end', reason },
    ];
  }

  #error(): MassGenError | undefined {
    const { host } = this.#parts;
    if (!this.isFinished) {
      return cutStream(host);
    }
    return this.#blockReason === ''
      ? faultOfEnd(this.#finishReason, host)
      : blockedPrompt(this.#blockReason, host);
  }

  #readPart(part: WirePart): BackendPart[] {
    this.#words.add(part);
    const text = asText(part['text']);
    this.#grow(text.length);
    if (text !== '') {
      const isThought = part['thought'] === true;
      this.#hasText ||= !isThought;
      return [{ type: isThought ? 'thinking-delta' : 'text-delta', text }];
    }
    const call = asObject(part['functionCall']);
    if (call !== undefined) {
      // Held back until the service has said that the answer is whole.
      this.#calls.push(this.#toCall(call));
      return [];
    }
    const hosted = this.#hosted.read(part);
    return hosted === undefined ? [] : [hosted];
  }

  #toCall(call: WirePart): ToolCall {
    const argumentsJson = JSON.stringify(asObject(call['args']) ?? {});
    this.#grow(argumentsJson.length);
    return {
      id: this.#uniqueId(asText(call['id'])),
      name: this.#parts.names.fromWire(asText(call['name'])),
      argumentsJson,
    };
  }

  /** The service need not name a call, and may name two of one conversation alike. */
  #uniqueId(wanted: string): string {
    const base = wanted === '' ? `call_${prefixOf(this.#request.step)}` : wanted;
    let id = wanted === '' ? `${base}_${this.#calls.length + 1}` : wanted;
    for (let n = 2; this.#usedIds.has(id); n++) {
      id = `${base}_${this.#calls.length + 1}_${n}`;
    }
    this.#usedIds.add(id);
    return id;
  }

  #sources(): BackendPart[] {
    const grounding = asObject(this.#lastCandidate['groundingMetadata']);
    const searches =
      grounding === undefined || this.#hosted.hasAny
        ? []
        : searchesOf(grounding, `${prefixOf(this.#request.step)}_`);
    return [...searches, ...citationsOf(this.#lastCandidate)];
  }

  #isEmpty(): boolean {
    return !this.#hasText && this.#calls.length === 0 && !this.#hosted.hasAny;
  }

  #beginAnew(): void {
    this.#earlierUsage = sumOf(this.#earlierUsage, this.#usage);
    this.#usage = undefined;
    this.#finishReason = '';
    this.#token = '';
  }

  #grow(length: number): void {
    this.#length += length;
    if (this.#length > longestAnswer) {
      throw new WireError({ kind: 'malformed', detail: 'it has no end' });
    }
  }
}

function usedIds(request: ModelRequest): Set<string> {
  return new Set(
    request.messages.flatMap((message) =>
      message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : [],
    ),
  );
}

function prefixOf({ attempt, slot, turnNo, call }: StepKey): string {
  return `${attempt}_${slot}_${turnNo}_${call}`;
}
