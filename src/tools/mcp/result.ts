// What a tool of a server answered, in the form that models read. Everything in it is unchecked.
import type { Media } from '../../core/ports/model-backend';
import type { ToolResult } from '../../core/ports/tool';
import { listOf, type Members, membersOf } from './schema-parts';

const mostMedia = 12;
/** In base64; services refuse larger pictures. */
const longestMedia = 12_000_000;

const images = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const endings: Readonly<Record<string, string>> = { 'audio/mpeg': 'mp3', 'audio/x-wav': 'wav' };

/** `redact`: takes secrets out of what goes to the model. Never throws. */
export function toResult(answer: Members, redact: (text: string) => string): ToolResult {
  const parts = new Parts();
  const content: unknown = answer['content'];
  for (const item of listOf(content) ?? []) {
    parts.add(membersOf(item) ?? {});
  }
  const { structuredContent, toolResult } = answer;
  const rest: unknown = structuredContent ?? toolResult;
  // Servers write structured content as text as well; without any text it is all there is.
  if (!parts.hasText && rest !== undefined) {
    parts.text(typeof rest === 'string' ? rest : JSON.stringify(rest, undefined, 2));
  }
  const isError = answer['isError'] === true;
  const text = redact(withoutControls(parts.texts.join('\n\n')));
  return {
    text: text === '' ? (isError ? 'The tool failed and said nothing.' : '(no output)') : text,
    isError,
    ...(parts.media.length === 0 ? {} : { media: parts.media }),
  };
}

/** One item of an answer to a request for a resource. */
export function resourceResult(answer: Members, redact: (text: string) => string): ToolResult {
  const { contents } = answer;
  const items = listOf(contents) ?? [];
  return toResult({ content: items.map((resource) => ({ type: 'resource', resource })) }, redact);
}

class Parts {
  readonly texts: string[] = [];
  readonly media: Media[] = [];
  hasText = false;

  text(text: string): void {
    this.hasText = true;
    this.texts.push(text);
  }

  add(item: Members): void {
    switch (item['type']) {
      case 'text':
        this.text(textOf(item['text']));
        return;
      case 'image':
      case 'audio':
        this.#binary(item['data'], textOf(item['mimeType']), '');
        return;
      case 'resource':
        this.#resource(membersOf(item['resource']) ?? {});
        return;
      case 'resource_link': {
        const words = [item['title'] ?? item['name'], item['uri'], item['description']];
        this.texts.push(`[resource: ${words.map(textOf).filter(isThere).join(', ')}]`);
        return;
      }
      default:
        this.texts.push('[something of a kind that is not known here was left out]');
    }
  }

  #resource(resource: Members): void {
    const uri = textOf(resource['uri']);
    if (typeof resource['text'] === 'string') {
      this.text(`[${uri}]\n${resource['text']}`);
    } else {
      this.#binary(resource['blob'], textOf(resource['mimeType']), uri);
    }
  }

  /** Never as text: it would be noise to a model, and could be anything. */
  #binary(data: unknown, written: string, uri: string): void {
    const mediaType = written.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    const base64 = typeof data === 'string' ? data.replaceAll(/\s+/g, '') : '';
    const size = `${Math.floor((base64.replace(/=+$/, '').length * 3) / 4)} bytes`;
    const of = [mediaType === '' ? 'data' : mediaType, uri, size].filter(isThere).join(', ');
    const kind = kindOf(mediaType);
    const refusal = this.#refusal(base64, kind);
    if (refusal !== undefined || kind === undefined) {
      this.texts.push(`[${of}: ${refusal ?? ''}]`);
      return;
    }
    const number = this.media.length + 1;
    const ending = endings[mediaType] ?? mediaType.split('/')[1] ?? 'bin';
    this.media.push({ kind, mediaType, name: `${kind}${number}.${ending}`, base64 });
    this.texts.push(`[${kind} ${number}: ${of}]`);
  }

  #refusal(base64: string, kind: Media['kind'] | undefined): string | undefined {
    if (base64 === '' || !isBase64(base64)) {
      return 'damaged';
    }
    if (kind === undefined) {
      return 'not shown, because it is no picture, sound or text';
    }
    const isTooMuch = base64.length > longestMedia || this.media.length >= mostMedia;
    return isTooMuch ? 'left out, because it is too much' : undefined;
  }
}

function kindOf(mediaType: string): Media['kind'] | undefined {
  if (images.includes(mediaType)) {
    return 'image';
  }
  return mediaType.startsWith('audio/') ? 'audio' : undefined;
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isThere(text: string): boolean {
  return text !== '';
}

/** Sequences that a terminal would obey, and other characters that nobody sees. */
function withoutControls(text: string): string {
  return text
    .replaceAll(/\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|.)?/g, '')
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '');
}
