// Turns a conversation into the items that the service reads.
import type { ChatMessage, Media, ToolCallResult } from '../../core/ports/model-backend';
import { asArguments, asText } from '../wire/json-reading';
import type { ToolNames } from '../wire/tool-names';
import { CallIds } from './call-ids';
import { type Item, itemsIn } from './service';

export interface InputParts {
  /** Who can read what it has written itself; `undefined`: nobody, everything is written anew. */
  readonly origin: string | undefined;
  readonly takesAllMedia: boolean;
  readonly names: ToolNames;
}

type Assistant = Extract<ChatMessage, { role: 'assistant' }>;

export function toInput(messages: readonly ChatMessage[], parts: InputParts): Item[] {
  const ids = new CallIds();
  return messages.flatMap((message) => {
    switch (message.role) {
      case 'user':
        return [userItem(message.text, message.media ?? [], parts)];
      case 'assistant':
        return ownItems(message, parts, ids) ?? writtenAnew(message, parts, ids);
      case 'tool':
        return resultItems(message.results, parts, ids);
    }
  });
}

/** Several services refuse an empty text. */
function filled(text: string): string {
  return text.trim() === '' ? '(empty)' : text;
}

function userItem(text: string, media: readonly Media[], parts: InputParts): Item {
  const content = [
    { type: 'input_text', text: filled(text) },
    ...media.map((one) => mediaPart(one, parts)),
  ];
  return { type: 'message', role: 'user', content };
}

function mediaPart({ kind, mediaType, name, base64 }: Media, { takesAllMedia }: InputParts): Item {
  const data = `data:${mediaType};base64,${base64}`;
  if (kind === 'image') {
    return { type: 'input_image', detail: 'auto', image_url: data };
  }
  if (kind === 'document' && mediaType === 'application/pdf' && takesAllMedia) {
    return { type: 'input_file', filename: name, file_data: data };
  }
  if (kind === 'document' && mediaType.startsWith('text/')) {
    // Not every model takes a file that is no PDF, but all read text.
    const text = Buffer.from(base64, 'base64').toString('utf8');
    return { type: 'input_text', text: `${name}:\n\n${text}` };
  }
  return { type: 'input_text', text: `[${name} (${mediaType}) cannot be shown to this model.]` };
}

/** A response as the service wrote it; `undefined` when another one wrote it or it does not fit the conversation. */
function ownItems(
  { verbatim, toolCalls }: Assistant,
  { origin }: InputParts,
  ids: CallIds,
): readonly Item[] | undefined {
  if (verbatim === undefined || verbatim.origin !== origin) {
    return undefined;
  }
  const items = itemsIn(verbatim.content);
  const calls = items.filter(({ type }) => type === 'function_call');
  const callIds = calls.map((item) => asText(item['call_id']));
  const isSame =
    callIds.length === toolCalls.length && toolCalls.every(({ id }, i) => id === callIds[i]);
  if (!isSame) {
    return undefined;
  }
  for (const id of callIds) {
    ids.keep(id);
  }
  return items;
}

/** Text and calls without thoughts and without ids of items. */
function writtenAnew({ text, toolCalls }: Assistant, { names }: InputParts, ids: CallIds): Item[] {
  const said: Item[] =
    text.trim() === ''
      ? []
      : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }];
  const calls = toolCalls.map((call) => ({
    type: 'function_call',
    call_id: ids.give(call.id),
    name: names.toWire(call.name),
    arguments: asArguments(call.argumentsJson),
  }));
  return [...said, ...calls];
}

function resultItems(results: readonly ToolCallResult[], parts: InputParts, ids: CallIds): Item[] {
  const outputs = results.map((result) => ({
    type: 'function_call_output',
    call_id: ids.of(result.toolCallId),
    output: outputOf(result, parts),
  }));
  return [...outputs, ...shownAfterwards(results, parts)];
}

function outputOf({ text, media = [] }: ToolCallResult, parts: InputParts): unknown {
  if (media.length === 0 || !parts.takesAllMedia) {
    return filled(text);
  }
  const shown = media.map((one) => mediaPart(one, parts));
  return [{ type: 'input_text', text: filled(text) }, ...shown];
}

/** What tools have shown, for a service whose results of tools are text alone. */
function shownAfterwards(results: readonly ToolCallResult[], parts: InputParts): Item[] {
  const media = results.flatMap((result) => result.media ?? []);
  if (media.length === 0 || parts.takesAllMedia) {
    return [];
  }
  return [userItem('What the tools have shown:', media, parts)];
}
