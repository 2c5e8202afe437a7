// Plays the steps of one scripted answer as the events of a message.
import { thinks } from './check-request';
import type { EventWriter } from './event-writer';
import type { ModelRules } from './model-rules';
import { type Json, isObject } from './refusal';
import type { Step } from './script';
import { type Conversation, conversationOf, signatureOf } from './signatures';

type Stop = Extract<Step, { kind: 'error' | 'cut' | 'end-early' | 'hang' }>;

export interface AnswerParts {
  readonly writer: EventWriter;
  readonly body: Json;
  readonly rules: ModelRules;
  /** Number of the request, for ids. */
  readonly no: number;
}

/** Resolves when the answer is complete, cut, or the client has gone. */
export async function playAnswer(steps: readonly Step[], parts: AnswerParts): Promise<void> {
  const stream = new AnswerStream(parts);
  await stream.start();
  for (const step of steps) {
    if (parts.writer.isGone || (await stream.play(step)) === 'over') {
      return;
    }
  }
  await stream.close();
}

class AnswerStream {
  readonly #parts: AnswerParts;
  readonly #writer: EventWriter;
  readonly #conversation: Conversation;
  /** Whole blocks so far, as they would be sent back. */
  readonly #blocks: Json[] = [];
  #index = -1;
  #callNo = 0;
  #outputChars = 0;
  #stop: { readonly reason: string; readonly details: Json | null } | undefined;
  #usage: Json | undefined;

  constructor(parts: AnswerParts) {
    this.#parts = parts;
    this.#writer = parts.writer;
    this.#conversation = conversationOf(parts.body);
  }

  async start(): Promise<void> {
    const { no, body } = this.#parts;
    await this.#event('message_start', {
      message: {
        ...{ id: `msg_${no}`, type: 'message', role: 'assistant', model: body['model'] },
        ...{ content: [], stop_reason: null, stop_sequence: null },
        usage: { ...this.#counts(), output_tokens: 1 },
      },
    });
    await this.#event('ping', {});
  }

  async play(step: Step): Promise<'goes-on' | 'over'> {
    switch (step.kind) {
      case 'text':
        await this.#text(step);
        break;
      case 'thinking':
        await this.#thinking(step.text);
        break;
      case 'redacted-thinking':
        await this.#whole({ type: 'redacted_thinking', data: step.data });
        break;
      case 'tool-call':
        await this.#call(step);
        break;
      case 'server-tool':
        await this.#serverTool(step);
        break;
      case 'block':
        await this.#whole(step.block);
        break;
      default:
        return this.#playOther(step);
    }
    return 'goes-on';
  }

  /** The end of the message, with what the script says of it. */
  async close(): Promise<void> {
    const usual = this.#callNo > 0 ? 'tool_use' : 'end_turn';
    const { reason, details } = this.#stop ?? { reason: usual, details: null };
    const delta = { stop_reason: reason, stop_sequence: null, stop_details: details };
    await this.#event('message_delta', { delta, usage: this.#usage ?? this.#counts() });
    await this.#event('message_stop', {});
    this.#writer.end('complete');
  }

  async #playOther(
    step: Exclude<
      Step,
      {
        kind: 'text' | 'thinking' | 'redacted-thinking' | 'tool-call' | 'server-tool' | 'block';
      }
    >,
  ): Promise<'goes-on' | 'over'> {
    switch (step.kind) {
      case 'event':
        await this.#writer.event(step.name, step.data);
        break;
      case 'raw':
        await this.#writer.raw(step.text);
        break;
      case 'ping':
        await this.#event('ping', {});
        break;
      case 'wait':
        await this.#writer.wait(step.ms);
        break;
      case 'split-bytes':
        this.#writer.split(step.bytes);
        break;
      case 'usage':
        this.#usage = step.usage;
        break;
      case 'stop':
        this.#stop = { reason: step.reason, details: step.details ?? null };
        break;
      default:
        return this.#breakOff(step);
    }
    return 'goes-on';
  }

  async #breakOff(step: Stop): Promise<'over'> {
    switch (step.kind) {
      case 'hang':
        await this.#writer.untilGone();
        break;
      case 'cut':
        this.#writer.break();
        break;
      case 'error':
        await this.#event('error', { error: step.error, request_id: `req_${this.#parts.no}` });
        this.#writer.end('cut');
        break;
      case 'end-early':
        this.#writer.end('cut');
        break;
    }
    return 'over';
  }

  async #text({ text, pieces, citations = [] }: Extract<Step, { kind: 'text' }>): Promise<void> {
    await this.#open({ type: 'text', text: '', citations: citations.length === 0 ? null : [] });
    for (const citation of citations) {
      await this.#delta({ type: 'citations_delta', citation });
    }
    for (const piece of pieces ?? words(text)) {
      await this.#delta({ type: 'text_delta', text: piece });
    }
    const cited = citations.length === 0 ? {} : { citations };
    await this.#end({ type: 'text', text, ...cited });
  }

  async #thinking(text: string): Promise<void> {
    const { body, rules } = this.#parts;
    if (!thinks(body['thinking'], rules)) {
      return;
    }
    const asked = isObject(body['thinking']) ? body['thinking']['display'] : undefined;
    const isOmitted = asked === undefined ? rules.omitsThinking : asked === 'omitted';
    const thinking = isOmitted ? '' : text;
    const signature = signatureOf(this.#conversation, this.#blocks, thinking);
    await this.#open({ type: 'thinking', thinking: '', signature: '' });
    for (const piece of words(thinking)) {
      await this.#delta({ type: 'thinking_delta', thinking: piece });
    }
    await this.#delta({ type: 'signature_delta', signature });
    await this.#end({ type: 'thinking', thinking, signature });
  }

  async #call(step: Extract<Step, { kind: 'tool-call' }>): Promise<void> {
    const id = step.id ?? `toolu_${this.#parts.no}_${this.#callNo}`;
    this.#callNo++;
    const start = { type: 'tool_use', id, name: step.name, input: {}, caller: { type: 'direct' } };
    const text =
      typeof step.arguments === 'string' ? step.arguments : JSON.stringify(step.arguments);
    await this.#open(start);
    await this.#argumentPieces(text, step.pieces ?? 2);
    if (step.isCut !== true) {
      await this.#end({ ...start, input: parsedObject(text) });
    }
  }

  async #serverTool({ id, name, input }: Extract<Step, { kind: 'server-tool' }>): Promise<void> {
    const start = { type: 'server_tool_use', id, name, input: {} };
    await this.#open(start);
    await this.#argumentPieces(JSON.stringify(input), 2);
    await this.#end({ ...start, input });
  }

  /** Begins with an empty piece, as the service does. */
  async #argumentPieces(text: string, pieces: number): Promise<void> {
    await this.#delta({ type: 'input_json_delta', partial_json: '' });
    const size = Math.max(1, Math.ceil(text.length / pieces));
    for (let at = 0; at < text.length; at += size) {
      await this.#delta({ type: 'input_json_delta', partial_json: text.slice(at, at + size) });
    }
  }

  async #whole(block: Json): Promise<void> {
    await this.#open(block);
    await this.#end(block);
  }

  async #open(block: Json): Promise<void> {
    this.#index++;
    await this.#event('content_block_start', { index: this.#index, content_block: block });
  }

  async #delta(delta: Json): Promise<void> {
    this.#outputChars += JSON.stringify(delta).length;
    await this.#event('content_block_delta', { index: this.#index, delta });
  }

  async #end(block: Json): Promise<void> {
    this.#blocks.push(block);
    await this.#event('content_block_stop', { index: this.#index });
  }

  async #event(name: string, data: Json): Promise<void> {
    await this.#writer.event(name, { type: name, ...data });
  }

  /** About four characters per token, as a stand-in for real counts. */
  #counts(): Json {
    return {
      input_tokens: Math.ceil(JSON.stringify(this.#parts.body).length / 4),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 1 + Math.ceil(this.#outputChars / 4),
    };
  }
}

function words(text: string): readonly string[] {
  return text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text === '' ? [] : [text]);
}

function parsedObject(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
