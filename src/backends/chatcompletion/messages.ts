// Turns a conversation into the messages of a chat completion.
import type {
  ChatMessage,
  Media,
  ModelRequest,
  ToolCall,
  ToolCallResult,
} from '../../core/ports/model-backend';
import { sha256Hex } from '../../base/sha256';
import { asArguments } from '../wire/json-reading';
import type { ToolNames } from '../wire/tool-names';
import { type KeptThinking, keptOf, thinkingMembers } from './kept-thinking';
import type { Quirks } from './services';
import { isShortId } from './tool-call-assembly';

/** JSON as it goes over the wire. */
export type Json = Readonly<Record<string, unknown>>;

export interface MessageStyle {
  readonly quirks: Quirks;
  /** Of the answers whose thinking can go back. */
  readonly origin: string;
  readonly systemRole: 'system' | 'developer';
  readonly takesImages: boolean;
  readonly names: ToolNames;
  /** Members that the service has refused. */
  readonly refused: ReadonlySet<string>;
}

export function toMessages(request: ModelRequest, style: MessageStyle): readonly Json[] {
  const messages: Json[] = [];
  for (const message of request.messages) {
    if (message.role === 'user' && messages.at(-1)?.['role'] === 'tool') {
      messages.push(...between(style));
    }
    messages.push(...toWireMessages(message, style));
  }
  return request.system === ''
    ? messages
    : [{ role: style.systemRole, content: request.system }, ...messages];
}

/** What stands between results of tools and words of the user where neither may follow the other. */
function between({ quirks }: MessageStyle): readonly Json[] {
  return quirks.refusesUserAfterTool === true ? [{ role: 'assistant', content: 'Done.' }] : [];
}

function toWireMessages(message: ChatMessage, style: MessageStyle): readonly Json[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: userContent(message.text, message.media ?? [], style) }];
    case 'assistant':
      return toAssistant(message, style);
    case 'tool':
      return toResults(message.results, style);
  }
}

function userContent(
  text: string,
  media: readonly Media[],
  { takesImages }: MessageStyle,
): string | readonly Json[] {
  const images = takesImages ? media.filter(({ kind }) => kind === 'image') : [];
  const unseen = media.filter((each) => !images.includes(each)).map(({ name }) => name);
  const note = unseen.length === 0 ? '' : `\n(not shown to you: ${unseen.join(', ')})`;
  const words = filled(text + note);
  return images.length === 0
    ? words
    : [{ type: 'text', text: words }, ...images.map((image) => toImage(image))];
}

function toImage({ mediaType, base64 }: Media): Json {
  return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${base64}` } };
}

/** Results hold text only; what tools show follows in a message of its own. */
function toResults(results: readonly ToolCallResult[], style: MessageStyle): readonly Json[] {
  const canFollow = style.quirks.refusesUserAfterTool !== true;
  const shown = results.flatMap(({ media = [] }) => media);
  const messages = results.map(({ toolCallId, text, media = [] }) => {
    const names = media.map(({ name }) => name).join(', ');
    const unseen = canFollow || names === '' ? '' : `\n(not shown to you: ${names})`;
    return { role: 'tool', tool_call_id: idOf(toolCallId, style), content: filled(text + unseen) };
  });
  return shown.length === 0 || !canFollow
    ? messages
    : [...messages, { role: 'user', content: userContent('From the tools:', shown, style) }];
}

function toAssistant(
  message: Extract<ChatMessage, { role: 'assistant' }>,
  style: MessageStyle,
): readonly Json[] {
  const { text, toolCalls, verbatim } = message;
  const kept = keptOf(verbatim, style.origin);
  const hasCalls = toolCalls.length > 0;
  const isSilent = text.trim() === '';
  if (isSilent && !hasCalls) {
    // An answer without text and calls has no form on this wire.
    return [];
  }
  return [
    {
      role: 'assistant',
      content: isSilent ? null : text,
      ...(hasCalls ? { tool_calls: toolCalls.map((call) => toWireCall(call, kept, style)) } : {}),
      ...thinkingMembers(kept, style.quirks.thinkingBack, { refused: style.refused, hasCalls }),
    },
  ];
}

function toWireCall(call: ToolCall, kept: KeptThinking | undefined, style: MessageStyle): Json {
  const mark = kept?.marks[call.id];
  return {
    id: idOf(call.id, style),
    type: 'function',
    function: {
      name: style.names.toWire(call.name),
      // Some servers parse the arguments of earlier calls and fail on what a model has written wrongly.
      arguments: asArguments(call.argumentsJson),
    },
    ...(mark === undefined ? {} : { extra_content: mark }),
  };
}

/** The id in the form that the service takes; ids of other services may have another one. */
function idOf(id: string, { quirks }: MessageStyle): string {
  return quirks.hasShortCallIds !== true || isShortId(id) ? id : sha256Hex(id).slice(0, 9);
}

/** Several services refuse an empty text. */
function filled(text: string): string {
  return text.trim() === '' ? '(empty)' : text;
}
