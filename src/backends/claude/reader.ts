// Reads the events of one answer.
import type { BackendPart, ModelRequest, ToolCall } from '../../core/ports/model-backend';
import { asArray, asObject, asText } from '../wire/json-reading';
import { ToolNames } from '../wire/tool-names';
import { type AnswerReader, type UsagePart, toUsagePart } from '../wire/answer-reader';
import { BlockAssembly, type OpenBlock, wholeBlock } from './block-assembly';
import { cutError, refusalError, windowError } from './ends';
import { streamFault } from './faults';
import { HostedTools } from './hosted-tools';
import type { WireBlock } from './media';
import { isThinking } from './messages';
import { toVerbatim } from './own-words';
import { UsageCount } from './usage';
import { WireIds } from './wire-ids';

type JsonObject = Readonly<Record<string, unknown>>;

export interface ReaderParts {
  readonly request: ModelRequest;
  readonly origin: string;
  readonly host: string;
  readonly model: string;
  /** What the request stands for, known once it has been written. */
  readonly prefix: () => string;
  /** What people must be told once; empty the second time. */
  readonly notices: () => readonly BackendPart[];
}

export class MessageReader implements AnswerReader {
  readonly #parts: ReaderParts;
  readonly #usage = new UsageCount();
  readonly #hosted = new HostedTools();
  /** Blocks of earlier streams of the same answer. */
  readonly #earlier: WireBlock[] = [];
  #assembly = new BlockAssembly();
  #stopReason = '';
  #stopDetails: unknown;
  #isFinished = false;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  read(chunk: unknown): readonly BackendPart[] {
    const event = asObject(chunk);
    const parts = event === undefined ? [] : this.#readEvent(event);
    const notices = this.#parts.notices();
    return notices.length === 0 ? parts : [...notices, ...parts];
  }

  follow(): ModelRequest | undefined {
    const blocks = [...this.#earlier, ...this.#whole()];
    const isPaused = this.#isFinished && this.#stopReason === 'pause_turn';
    // Words alone are nothing to go on with, and calls of ours must be answered first.
    if (!isPaused || blocks.every(isThinking) || blocks.some(isOwnCall)) {
      return undefined;
    }
    this.#earlier.splice(0, Infinity, ...blocks);
    this.#usage.nextStream();
    this.#assembly = new BlockAssembly();
    this.#stopReason = '';
    this.#isFinished = false;
    const { request, origin } = this.#parts;
    const verbatim = toVerbatim(origin, { prefix: this.#parts.prefix(), blocks });
    const paused = { role: 'assistant', text: '', toolCalls: [], verbatim } as const;
    return { ...request, messages: [...request.messages, paused] };
  }

  usage(): UsagePart | undefined {
    return toUsagePart(this.#usage.sum(), this.#isFinished || this.#stopReason !== '');
  }

  finish(): readonly BackendPart[] {
    const usage = this.usage();
    return [
      ...this.#parts.notices(),
      ...this.#hosted.left(),
      ...this.#outcome(usage === undefined ? [] : [usage]),
    ];
  }

  #outcome(usage: readonly BackendPart[]): readonly BackendPart[] {
    const { model, host } = this.#parts;
    if (!this.#isFinished) {
      return [...usage, { type: 'end', reason: 'error', error: cutError(host) }];
    }
    switch (this.#stopReason) {
      case 'refusal':
        return [
          ...usage,
          { type: 'end', reason: 'error', error: refusalError(model, this.#stopDetails) },
        ];
      case 'model_context_window_exceeded':
        return [...usage, { type: 'end', reason: 'error', error: windowError(model) }];
      default:
        return this.#answer(usage);
    }
  }

  #answer(usage: readonly BackendPart[]): readonly BackendPart[] {
    const calls = this.#calls();
    const blocks = withoutLoose([...this.#earlier, ...this.#whole()]);
    const { origin, prefix } = this.#parts;
    const verbatim: readonly BackendPart[] = blocks.every(isThinking)
      ? []
      : [{ type: 'verbatim', verbatim: toVerbatim(origin, { prefix: prefix(), blocks }) }];
    const isCut = this.#stopReason === 'max_tokens';
    return [
      ...calls.map((call): BackendPart => ({ type: 'tool-call', call })),
      ...verbatim,
      ...usage,
      { type: 'end', reason: isCut ? 'length' : calls.length > 0 ? 'tool-calls' : 'stop' },
    ];
  }

  /** Blocks that are whole. At the limit of its length a model was in the middle of the last one. */
  #kept(): readonly OpenBlock[] {
    const { blocks } = this.#assembly;
    const isCut = this.#stopReason === 'max_tokens';
    return blocks.filter(
      (block, i) =>
        (block.isClosed || block.type === 'text') &&
        !(isCut && i === blocks.length - 1 && block.type.endsWith('tool_use')),
    );
  }

  #whole(): readonly WireBlock[] {
    return this.#kept()
      .map(wholeBlock)
      .filter((block) => block !== undefined);
  }

  #calls(): readonly ToolCall[] {
    const { request } = this.#parts;
    const ids = new WireIds();
    for (const message of request.messages) {
      for (const { id } of message.role === 'assistant' ? message.toolCalls : []) {
        ids.claim(id);
      }
    }
    const names = new ToolNames(request.tools);
    const { turnNo, call } = request.step;
    return this.#kept()
      .filter(({ type }) => type === 'tool_use')
      .map(({ start, argumentsJson }, i) => ({
        id: ids.claim(asText(start['id']) || `call_${turnNo}_${call}_${i}`),
        name: names.fromWire(asText(start['name'])),
        argumentsJson: argumentsJson.trim() === '' ? '{}' : argumentsJson,
      }));
  }

  #readEvent(event: JsonObject): readonly BackendPart[] {
    switch (event['type']) {
      case 'message_start':
        this.#usage.read(asObject(event['message'])?.['usage']);
        return [];
      case 'content_block_start':
        return this.#start(indexOf(event), event['content_block']);
      case 'content_block_delta': {
        const block = this.#assembly.find(indexOf(event));
        return block === undefined ? [] : this.#delta(block, asObject(event['delta']) ?? {});
      }
      case 'content_block_stop':
        return this.#stop(this.#assembly.find(indexOf(event)));
      case 'message_delta':
        this.#usage.read(event['usage']);
        this.#takeStop(asObject(event['delta']));
        return [];
      case 'message_stop':
        this.#isFinished = true;
        return [];
      case 'message':
        return this.#readWhole(event);
      case 'error':
        throw streamFault(event);
      default:
        return [];
    }
  }

  /** Some gateways ignore the wish for a stream. */
  #readWhole(message: JsonObject): readonly BackendPart[] {
    this.#usage.read(message['usage']);
    const parts = asArray(message['content']).flatMap((content, i) => [
      ...this.#start(i, content),
      ...this.#stop(this.#assembly.find(i)),
    ]);
    this.#takeStop(message);
    this.#isFinished = true;
    return parts;
  }

  #takeStop(delta: JsonObject | undefined): void {
    this.#stopReason = asText(delta?.['stop_reason']) || this.#stopReason;
    this.#stopDetails = delta?.['stop_details'] ?? this.#stopDetails;
  }

  #start(index: number, content: unknown): readonly BackendPart[] {
    const block = this.#assembly.open(index, content);
    this.#assembly.grow(block.text.length + block.argumentsJson.length);
    if (block.type.endsWith('_tool_result')) {
      return [this.#hosted.ended(block)];
    }
    return [...textParts(block, block.text), ...block.citations.flatMap(toCitation)];
  }

  #delta(block: OpenBlock, delta: JsonObject): readonly BackendPart[] {
    switch (delta['type']) {
      case 'text_delta':
      case 'thinking_delta': {
        const text = asText(delta['text']) || asText(delta['thinking']);
        this.#assembly.grow(text.length);
        block.text += text;
        return textParts(block, text);
      }
      case 'signature_delta':
        this.#assembly.grow(asText(delta['signature']).length);
        block.signature += asText(delta['signature']);
        return [];
      case 'input_json_delta':
        this.#assembly.grow(asText(delta['partial_json']).length);
        block.argumentsJson += asText(delta['partial_json']);
        return [];
      case 'citations_delta':
        block.citations.push(delta['citation']);
        return toCitation(delta['citation']);
      default:
        return [];
    }
  }

  #stop(block: OpenBlock | undefined): readonly BackendPart[] {
    if (block === undefined || block.isClosed) {
      return [];
    }
    block.isClosed = true;
    return block.type === 'server_tool_use' ? [this.#hosted.started(block)] : [];
  }
}

function textParts({ type }: OpenBlock, text: string): readonly BackendPart[] {
  if (text === '' || (type !== 'text' && type !== 'thinking')) {
    return [];
  }
  return [{ type: type === 'text' ? 'text-delta' : 'thinking-delta', text }];
}

/** Web pages alone: other sources are places in what was sent. */
function toCitation(value: unknown): readonly BackendPart[] {
  const citation = asObject(value);
  const url = asText(citation?.['url']);
  return /^https?:\/\//i.test(url)
    ? [{ type: 'citation', citation: { url, title: asText(citation?.['title']) } }]
    : [];
}

/** Without uses of the service's tools that came to no result: they are refused like calls without one. */
function withoutLoose(blocks: readonly WireBlock[]): readonly WireBlock[] {
  const answered = new Set(blocks.map((block) => block['tool_use_id']));
  return blocks.filter((block) => block['type'] !== 'server_tool_use' || answered.has(block['id']));
}

function isOwnCall(block: WireBlock): boolean {
  return block['type'] === 'tool_use';
}

function indexOf(event: JsonObject): number {
  return typeof event['index'] === 'number' ? event['index'] : -1;
}
