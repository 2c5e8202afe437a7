// The response of a model as it wrote it, in the form in which it is kept.
import type { ChatMessage, Verbatim } from '../../core/ports/model-backend';
import { asArray, asObject, asText } from '../wire/json-reading';
import type { WireBlock } from './media';

export interface OwnWords {
  /** Names everything that stood before these words when they were written. */
  readonly prefix: string;
  readonly blocks: readonly WireBlock[];
}

export function toVerbatim(origin: string, { prefix, blocks }: OwnWords): Verbatim {
  return { origin, content: { prefix, blocks } };
}

/**
 * What the model behind `origin` has written, `undefined` for the words of another one, and for words whose calls are not
 * those of the message.
 */
export function ownWordsOf(
  { verbatim, toolCalls }: Extract<ChatMessage, { role: 'assistant' }>,
  origin: string,
): OwnWords | undefined {
  const content = verbatim?.origin === origin ? asObject(verbatim.content) : undefined;
  const blocks = asArray(content?.['blocks'])
    .map(asObject)
    .filter((block) => block !== undefined);
  const names = blocks
    .filter((block) => block['type'] === 'tool_use')
    .map((block) => block['name']);
  const isSame =
    names.length === toolCalls.length && toolCalls.every((call, i) => call.name === names[i]);
  return blocks.length > 0 && isSame ? { prefix: asText(content?.['prefix']), blocks } : undefined;
}
