// Reads the events of one response.
import { clip } from '../../base/text';
import { MassGenError } from '../../core/errors';
import type { BackendPart, ModelRequest } from '../../core/ports/model-backend';
import { asArray, asObject, asText } from '../wire/json-reading';
import type { AnswerReader, UsagePart } from '../wire/answer-reader';
import type { ToolNames } from '../wire/tool-names';
import { WireError } from '../wire/wire-fault';
import { type ReadAnswer, readAnswer } from './answer-items';
import { inCommonWords } from './faults';
import { hostedToolOf } from './hosted-items';
import { type Item, itemsIn } from './service';
import { TextFlow } from './text-flow';
import { usageOf } from './usage';

export interface ReaderParts {
  readonly host: string;
  /** Who writes and can read responses of this backend. */
  readonly origin: string;
  readonly request: ModelRequest;
  readonly names: ToolNames;
  /** What people are told with the first event. */
  readonly takeNotices: () => readonly BackendPart[];
}

/** Far more than any model writes in one answer. */
const longestAnswer = 16 * 1024 * 1024;
const mostItems = 2_000;

type Ending = 'completed' | 'incomplete' | 'failed';

const endings: Readonly<Record<string, Ending>> = {
  'response.completed': 'completed',
  'response.incomplete': 'incomplete',
  'response.failed': 'failed',
  'response.cancelled': 'failed',
};

export class ResponsesReader implements AnswerReader {
  readonly #parts: ReaderParts;
  readonly #items = new Map<number, Item>();
  /** Arguments of calls by their place, for services whose finished items leave them out. */
  readonly #arguments = new Map<string, string>();
  readonly #texts = new TextFlow();
  readonly #cited = new Set<string>();
  #argumentsLength = 0;
  #ending: Ending | undefined;
  #response: Item = {};

  constructor(parts: ReaderParts) {
    this.#parts = parts;
  }

  get isFinished(): boolean {
    return this.#ending !== undefined;
  }

  read(chunk: unknown): readonly BackendPart[] {
    const event = asObject(chunk) ?? {};
    const parts = [...this.#parts.takeNotices(), ...this.#readEvent(event)];
    const length = this.#texts.length + this.#argumentsLength;
    if (length > longestAnswer || this.#items.size > mostItems) {
      throw new WireError({ kind: 'malformed', detail: 'it has no end' });
    }
    return parts;
  }

  #readEvent(event: Item): readonly BackendPart[] {
    const type = asText(event['type']);
    const error = event['error'];
    if (type === '' && error !== undefined && error !== null) {
      throw failureOf(asObject(error) ?? { message: asText(error) });
    }
    if (type === '' && event['object'] === 'response') {
      // A service that answers without a stream sends the whole response.
      return this.#end(event, 'completed');
    }
    const ending = endings[type];
    if (ending !== undefined) {
      return this.#end(asObject(event['response']) ?? {}, ending);
    }
    switch (type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return this.#texts.delta(event);
      case 'response.output_text.done':
      case 'response.refusal.done':
      case 'response.reasoning_summary_text.done':
      case 'response.reasoning_text.done':
        return this.#texts.whole(event);
      case 'response.output_text.annotation.added':
        return this.#cite([event['annotation']]);
      case 'response.function_call_arguments.delta':
        return this.#addArguments(event, `${this.#argumentsAt(event)}${asText(event['delta'])}`);
      case 'response.function_call_arguments.done':
        return this.#addArguments(event, asText(event['arguments']));
      case 'response.output_item.added':
        return hostedParts(asObject(event['item']), false);
      case 'response.output_item.done':
        return this.#readItem(event['output_index'], asObject(event['item']));
      case 'error':
        throw failureOf(asObject(event['error']) ?? event);
      default:
        return [];
    }
  }

  #argumentsAt(event: Item): string {
    return this.#arguments.get(placeOf(event)) ?? '';
  }

  #addArguments(event: Item, text: string): readonly BackendPart[] {
    this.#argumentsLength += text.length - this.#argumentsAt(event).length;
    this.#arguments.set(placeOf(event), text);
    return [];
  }

  /** A finished item. What of it has not been streamed is passed on now. */
  #readItem(index: unknown, item: Item | undefined): readonly BackendPart[] {
    if (item === undefined) {
      return [];
    }
    const at = typeof index === 'number' ? index : this.#items.size;
    this.#items.set(at, this.#withArguments(item, at));
    return [
      ...hostedParts(item, true),
      ...this.#texts.item(item, at),
      ...itemsIn(item['content']).flatMap((part) => this.#cite(asArray(part['annotations']))),
    ];
  }

  #withArguments(item: Item, at: number): Item {
    if (item['type'] !== 'function_call' || asText(item['arguments']) !== '') {
      return item;
    }
    const gathered =
      this.#arguments.get(String(at)) ?? this.#arguments.get(asText(item['id'])) ?? '';
    return { ...item, arguments: gathered };
  }

  #cite(annotations: readonly unknown[]): readonly BackendPart[] {
    return annotations.flatMap((one): BackendPart[] => {
      const annotation = asObject(one);
      const url = asText(annotation?.['url']);
      if (!/^https?:\/\//i.test(url) || this.#cited.has(url)) {
        return [];
      }
      this.#cited.add(url);
      return [{ type: 'citation', citation: { url, title: asText(annotation?.['title']) } }];
    });
  }

  #end(response: Item, ending: Ending): readonly BackendPart[] {
    const status = endings[`response.${asText(response['status'])}`];
    this.#ending = status ?? ending;
    // Its items are kept by themselves.
    const { output, ...facts } = response;
    this.#response = facts;
    if (this.#ending === 'failed') {
      return [];
    }
    // Services that do not announce each item at its end send all of them here.
    return asArray(output).flatMap((item, at) =>
      this.#items.has(at) ? [] : this.#readItem(at, asObject(item)),
    );
  }

  usage(): UsagePart | undefined {
    return usageOf(this.#response['usage']);
  }

  finish(): readonly BackendPart[] {
    if (this.#ending === undefined) {
      // A stream that just stops was cut, however cleanly; half an answer must not pass as a whole one.
      const error = new MassGenError(
        'backend/network',
        `${this.#parts.host} ended the stream in the middle of the answer.`,
        { retryable: true },
      );
      return [{ type: 'end', reason: 'error', error }];
    }
    if (this.#ending === 'failed') {
      throw failureOf(asObject(this.#response['error']) ?? { message: 'The response failed.' });
    }
    return this.#ended(this.#ending === 'incomplete');
  }

  #ended(isCut: boolean): readonly BackendPart[] {
    const counted = this.usage();
    const usage = counted === undefined ? [] : [counted];
    const reason = asText(asObject(this.#response['incomplete_details'])?.['reason']);
    if (isCut && reason === 'content_filter') {
      return [...usage, { type: 'end', reason: 'error', error: this.#filtered() }];
    }
    const answer = this.#answer(isCut);
    const { refusal } = this.#texts;
    if (refusal !== '' && answer.calls.length === 0 && !this.#texts.hasText) {
      return [...usage, { type: 'end', reason: 'error', error: this.#declined(refusal) }];
    }
    const said: BackendPart[] = refusal === '' ? [] : [{ type: 'text-delta', text: refusal }];
    const end = isCut ? 'length' : answer.calls.length > 0 ? 'tool-calls' : 'stop';
    return [...said, ...this.#outcome(answer), ...usage, { type: 'end', reason: end }];
  }

  #answer(isCut: boolean): ReadAnswer {
    const { request, names } = this.#parts;
    const items = [...this.#items].sort(([a], [b]) => a - b).map(([, item]) => item);
    const { step } = request;
    return readAnswer(items, { step, names, isCut, usedIds: usedIds(request) });
  }

  #outcome({ calls, kept }: ReadAnswer): readonly BackendPart[] {
    const { origin } = this.#parts;
    const verbatim: BackendPart[] =
      kept.length === 0 ? [] : [{ type: 'verbatim', verbatim: { origin, content: kept } }];
    return [...calls.map((call): BackendPart => ({ type: 'tool-call', call })), ...verbatim];
  }

  #filtered(): MassGenError {
    return new MassGenError(
      'backend/content-filtered',
      `${this.#parts.host} held the answer back: its content filter objected.`,
      { hint: 'Word the task differently, or use another model.' },
    );
  }

  #declined(refusal: string): MassGenError {
    const words = clip(refusal.replace(/\s+/g, ' ').trim(), 500);
    return new MassGenError('backend/refused', `The model declined: ${words}`, {
      hint: 'Word the task differently, or use another model.',
    });
  }
}

function failureOf(body: Item): WireError {
  const fault = { kind: 'status', status: 0, body, text: '', header: () => undefined } as const;
  return new WireError(inCommonWords(fault));
}

function hostedParts(item: Item | undefined, isDone: boolean): readonly BackendPart[] {
  const hosted = item === undefined ? undefined : hostedToolOf(item, isDone);
  return hosted === undefined ? [] : [{ type: 'hosted-tool', ...hosted }];
}

/** Where in the answer an event belongs. */
function placeOf(event: Item): string {
  const index = event['output_index'];
  return typeof index === 'number' ? String(index) : asText(event['item_id']);
}

function usedIds(request: ModelRequest): ReadonlySet<string> {
  return new Set(
    request.messages.flatMap((message) =>
      message.role === 'assistant' ? message.toolCalls.map((call) => call.id) : [],
    ),
  );
}
