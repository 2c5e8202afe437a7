// Turns a conversation into contents: only the roles user and model, a call after a user's content, and right after it one
// content with the results of all its calls.
import type {
  ChatMessage,
  Media,
  ToolCall,
  ToolCallResult,
  Verbatim,
} from '../../core/ports/model-backend';
import { asArray, asObject, asText } from '../wire/json-reading';
import type { ModelLine } from './model-line';
import type { ToolNames } from '../wire/tool-names';
import type { WireContent, WirePart } from './wire-body';

export interface ContentRules {
  /** Of what this model at this service has written. */
  readonly origin: string;
  readonly line: ModelLine;
  readonly names: ToolNames;
}

/** Stands for the signature of a call that this model did not make; the service documents it. */
const foreignSignature = 'skip_thought_signature_validator';

/** A call as it stands in the contents: the results must name it in the same way. */
interface WrittenCall {
  readonly ownId: string;
  readonly name: string;
  readonly id: string | undefined;
}

export function toContents(messages: readonly ChatMessage[], rules: ContentRules): WireContent[] {
  const contents: WireContent[] = [];
  let open: readonly WrittenCall[] = [];
  for (const message of messages) {
    switch (message.role) {
      case 'user':
        contents.push(userContent(message.text, message.media ?? []));
        break;
      case 'tool':
        contents.push({ role: 'user', parts: resultParts(message.results, open, rules.line) });
        break;
      case 'assistant': {
        const parts = modelParts(message, rules);
        push(contents, parts);
        open = writtenCalls(parts, message.toolCalls);
        break;
      }
    }
  }
  return contents;
}

/** An answer follows a content of the user's. */
function push(contents: WireContent[], parts: readonly WirePart[]): void {
  if (parts.length > 0 && contents.at(-1)?.role !== 'user') {
    contents.push(userContent('Go on.', []));
  }
  if (parts.length > 0) {
    contents.push({ role: 'model', parts });
  }
}

function userContent(text: string, media: readonly Media[]): WireContent {
  const words = text.trim() === '' && media.length === 0 ? '(empty)' : text;
  const parts = media.map(inlinePart);
  return { role: 'user', parts: words === '' ? parts : [...parts, { text: words }] };
}

/** Text is written out: services do not take every type of it. */
function inlinePart(media: Media): WirePart {
  const { mediaType, name, base64 } = media;
  return isTextDocument(media)
    ? { text: `${name}:\n\n${Buffer.from(base64, 'base64').toString('utf8')}` }
    : { inlineData: { mimeType: mediaType, data: base64 } };
}

function isTextDocument({ kind, mediaType }: Media): boolean {
  return kind === 'document' && mediaType.startsWith('text/');
}

function modelParts(
  message: Extract<ChatMessage, { role: 'assistant' }>,
  rules: ContentRules,
): readonly WirePart[] {
  const { text, toolCalls, verbatim } = message;
  const own = ownParts(verbatim, toolCalls.length, rules.origin);
  const parts = own ?? [
    ...(text.trim() === '' ? [] : [{ text }]),
    ...toolCalls.map((call) => foreignCall(call, rules.names)),
  ];
  return rules.line.isSigned ? withSignature(parts) : parts;
}

/** What the model wrote, `undefined` when another one did or when it does not hold these calls. */
function ownParts(
  verbatim: Verbatim | undefined,
  calls: number,
  origin: string,
): readonly WirePart[] | undefined {
  if (verbatim?.origin !== origin) {
    return undefined;
  }
  const parts = asArray(asObject(verbatim.content)?.['parts']).flatMap((part) => {
    const members = asObject(part);
    return members === undefined ? [] : [members];
  });
  return parts.filter(isCall).length === calls ? parts : undefined;
}

function foreignCall(call: ToolCall, names: ToolNames): WirePart {
  return { functionCall: { name: names.toWire(call.name), args: argsOf(call.argumentsJson) } };
}

/** Arguments must be an object, whatever a model has written. */
function argsOf(json: string): unknown {
  if (json.trim() === '') {
    return {};
  }
  try {
    const value: unknown = JSON.parse(json);
    return asObject(value) ?? { malformed: json };
  } catch {
    return { malformed: json };
  }
}

function withSignature(parts: readonly WirePart[]): readonly WirePart[] {
  const first = parts.findIndex(isCall);
  const call = parts[first];
  if (call === undefined || asText(call['thoughtSignature']) !== '') {
    return parts;
  }
  return parts.with(first, { ...call, thoughtSignature: foreignSignature });
}

function isCall(part: WirePart): boolean {
  return asObject(part['functionCall']) !== undefined;
}

function writtenCalls(
  parts: readonly WirePart[],
  toolCalls: readonly ToolCall[],
): readonly WrittenCall[] {
  return parts.filter(isCall).map((part, i) => {
    const call = asObject(part['functionCall']);
    const id = asText(call?.['id']);
    return {
      ownId: toolCalls[i]?.id ?? '',
      name: asText(call?.['name']),
      id: id === '' ? undefined : id,
    };
  });
}

/** As many results as there were calls, in their order. */
function resultParts(
  results: readonly ToolCallResult[],
  calls: readonly WrittenCall[],
  line: ModelLine,
): WirePart[] {
  const following: Media[] = [];
  const responses = calls.map(({ ownId, name, id }): WirePart => {
    const result = results.find(({ toolCallId }) => toolCallId === ownId);
    const media = result?.media ?? [];
    const inside = line.takesMediaInResults ? media.filter(fitsInResult) : [];
    following.push(...media.filter((one) => !inside.includes(one)));
    return {
      functionResponse: {
        ...(id === undefined ? {} : { id }),
        name,
        response: responseOf(result),
        ...(inside.length === 0 ? {} : { parts: inside.map(inlinePart) }),
      },
    };
  });
  return [...responses, ...following.map(inlinePart)];
}

function responseOf(result: ToolCallResult | undefined): Readonly<Record<string, string>> {
  if (result === undefined) {
    return { error: 'There is no result.' };
  }
  return result.isError ? { error: result.text } : { output: result.text };
}

function fitsInResult(media: Media): boolean {
  return media.kind === 'image' || (media.kind === 'document' && !isTextDocument(media));
}
