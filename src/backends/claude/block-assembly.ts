// Puts the blocks of one answer together from the events of a stream.
import { WireError } from '../wire/wire-fault';
import { asArray, asObject, asText } from '../wire/json-reading';
import type { WireBlock } from './media';
import { toInput } from './messages';

/** A block as far as it has come. */
export interface OpenBlock {
  readonly index: number;
  /** As it was announced. */
  readonly start: WireBlock;
  readonly type: string;
  text: string;
  /** Arguments as text, in the pieces that have come. */
  argumentsJson: string;
  signature: string;
  readonly citations: unknown[];
  isClosed: boolean;
}

/** Far more than any model writes in one answer. */
const longestAnswer = 16 * 1024 * 1024;
const mostBlocks = 10_000;

export class BlockAssembly {
  readonly #blocks: OpenBlock[] = [];
  #length = 0;

  get blocks(): readonly OpenBlock[] {
    return this.#blocks;
  }

  /** Throws `WireError` when the answer has no end. */
  open(index: number, content: unknown): OpenBlock {
    const start = asObject(content) ?? {};
    const isCall = asText(start['type']).endsWith('tool_use');
    const input = asObject(start['input']);
    const hasInput = isCall && input !== undefined && Object.keys(input).length > 0;
    const block: OpenBlock = {
      ...{ index, start, type: asText(start['type']) },
      text: asText(start['text']) || asText(start['thinking']),
      argumentsJson: hasInput ? JSON.stringify(input) : '',
      signature: asText(start['signature']),
      citations: [...asArray(start['citations'])],
      isClosed: false,
    };
    if (this.#blocks.length >= mostBlocks) {
      throw endless();
    }
    this.#blocks.push(block);
    return block;
  }

  /** The block that an event speaks of; `undefined` when it was never announced. */
  find(index: number): OpenBlock | undefined {
    return this.#blocks.findLast((block) => block.index === index);
  }

  /** Counts what has come. Throws `WireError` when the answer has no end. */
  grow(characters: number): void {
    this.#length += characters;
    if (this.#length > longestAnswer) {
      throw endless();
    }
  }
}

/** The block in the form in which it is sent back; `undefined` when it must not be. */
export function wholeBlock(block: OpenBlock): WireBlock | undefined {
  const { start, type, text, signature, citations } = block;
  switch (type) {
    case 'text': {
      const cited = citations.length === 0 ? {} : { citations };
      // The service sends texts without a letter, and refuses them.
      return text.trim() === '' ? undefined : { type, text, ...cited };
    }
    case 'thinking':
      // A thought that was cut off has no signature and is refused.
      return signature === '' ? undefined : { type, thinking: text, signature };
    case 'tool_use':
    case 'server_tool_use':
      return { ...start, input: toInput(block.argumentsJson) };
    default:
      return start;
  }
}

function endless(): WireError {
  return new WireError({ kind: 'malformed', detail: 'it has no end' });
}
