// The conversation in the form of the service. What the service itself has written goes back unchanged; everything else
// goes as text and calls.
import type { ChatMessage, ToolCall, ToolCallResult } from '../../core/ports/model-backend';
import { asObject } from '../wire/json-reading';
import type { ToolNames } from '../wire/tool-names';
import { type WireBlock, mediaBlock, textBlock } from './media';
import { type OwnWords, ownWordsOf } from './own-words';
import { WireIds } from './wire-ids';

export interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly WireBlock[];
}

export interface WritingRules {
  /** Protocol, host and model; only what bears this name is the model's own. */
  readonly origin: string;
  /** Whether the thinking in these words still stands after what it stood after when it was written. */
  readonly keepsThinking: (own: OwnWords) => boolean;
  readonly names: ToolNames;
  /** Told of every block in order, before thinking is taken out. */
  readonly onBlock: (role: string, block: WireBlock) => void;
}

interface OpenCall {
  readonly neutralId: string;
  readonly wireId: string;
}

export function toWireMessages(
  messages: readonly ChatMessage[],
  rules: WritingRules,
): readonly WireMessage[] {
  const writer = new MessageWriter(rules);
  for (const message of messages) {
    writer.add(message);
  }
  return writer.finish();
}

class MessageWriter {
  readonly #rules: WritingRules;
  readonly #ids = new WireIds();
  readonly #done: { role: WireMessage['role']; content: WireBlock[] }[] = [];
  /** Calls of the last message that have no result yet. */
  #open: readonly OpenCall[] = [];

  constructor(rules: WritingRules) {
    this.#rules = rules;
  }

  add(message: ChatMessage): void {
    switch (message.role) {
      case 'user': {
        this.#answerOpen([]);
        const media = (message.media ?? []).map(mediaBlock);
        const isSilent = message.text.trim() === '' && media.length > 0;
        this.#push('user', isSilent ? media : [...media, textBlock(message.text)]);
        return;
      }
      case 'assistant':
        this.#answerOpen([]);
        this.#addAssistant(message);
        return;
      case 'tool':
        this.#answerOpen(message.results);
        return;
    }
  }

  finish(): readonly WireMessage[] {
    this.#answerOpen([]);
    return this.#done;
  }

  /** One result for each open call, all in one message; a call without one is answered as well. */
  #answerOpen(results: readonly ToolCallResult[]): void {
    const blocks = this.#open.map(({ neutralId, wireId }) =>
      toResultBlock(
        wireId,
        results.find(({ toolCallId }) => toolCallId === neutralId),
      ),
    );
    this.#open = [];
    this.#push('user', blocks);
  }

  #addAssistant(message: Extract<ChatMessage, { role: 'assistant' }>): void {
    const own = ownWordsOf(message, this.#rules.origin);
    if (own === undefined) {
      const calls = message.toolCalls.map((call) => this.#toCallBlock(call));
      const text = message.text.trim() === '' ? [] : [{ type: 'text', text: message.text }];
      this.#push('assistant', [...text, ...calls]);
      return;
    }
    // Asked before its own blocks count as something that stands before it.
    const keepsThinking = this.#rules.keepsThinking(own);
    const open: OpenCall[] = [];
    const blocks = own.blocks.map((block) => this.#ownBlock(block, message.toolCalls, open));
    this.#open = open;
    this.#push('assistant', blocks, (block) => keepsThinking || !isThinking(block));
  }

  /** A block of the model itself; its id changes only when another service has used the same one before. */
  #ownBlock(block: WireBlock, calls: readonly ToolCall[], open: OpenCall[]): WireBlock {
    if (block['type'] !== 'tool_use' || typeof block['id'] !== 'string') {
      return block;
    }
    const wireId = this.#ids.claim(block['id']);
    open.push({ neutralId: calls[open.length]?.id ?? block['id'], wireId });
    return wireId === block['id'] ? block : { ...block, id: wireId };
  }

  #toCallBlock(call: ToolCall): WireBlock {
    const id = this.#ids.claim(call.id);
    this.#open = [...this.#open, { neutralId: call.id, wireId: id }];
    return {
      type: 'tool_use',
      id,
      name: this.#rules.names.toWire(call.name),
      input: toInput(call.argumentsJson),
    };
  }

  /** Adds to the last message of the same role: the service merges them anyway. */
  #push(
    role: WireMessage['role'],
    blocks: readonly WireBlock[],
    isSent: (block: WireBlock) => boolean = () => true,
  ): void {
    for (const block of blocks) {
      this.#rules.onBlock(role, block);
    }
    const sent = blocks.filter(isSent);
    const last = this.#done.at(-1);
    // Thoughts alone are no message.
    if (sent.every(isThinking)) {
      return;
    }
    if (last?.role === role) {
      last.content.push(...sent);
    } else {
      this.#done.push({ role, content: sent });
    }
  }
}

export function isThinking(block: WireBlock): boolean {
  return block['type'] === 'thinking' || block['type'] === 'redacted_thinking';
}

/** Arguments as an object; what a model has written wrongly is told to it by the result. */
export function toInput(argumentsJson: string): Readonly<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(argumentsJson)) ?? {};
  } catch {
    return {};
  }
}

function toResultBlock(wireId: string, result: ToolCallResult | undefined): WireBlock {
  const head = { type: 'tool_result', tool_use_id: wireId };
  if (result === undefined) {
    return { ...head, content: 'There is no result.', is_error: true };
  }
  const media = (result.media ?? []).map(mediaBlock);
  const text = textBlock(result.text);
  const content = media.length === 0 ? text['text'] : [text, ...media];
  return { ...head, content, ...(result.isError ? { is_error: true } : {}) };
}
