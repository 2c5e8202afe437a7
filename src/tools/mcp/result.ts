// What a tool of a server answered, in the form that models read. Everything in it is unchecked.
import type { Media } from '../../core/ports/model-backend';
import type { ToolResult } from '../../core/ports/tool';
import { wellFormed } from '../../base/text';
import { imageTypeOf } from '../image-type';
import { listOf, type Members, membersOf } from './schema-parts';

const mostMedia = 12;
/** In base64; services refuse larger ones. */
const longestMedia: Readonly<Record<Media['kind'], number>> = {
  image: 5_000_000,
  audio: 12_000_000,
  video: 0,
  document: 0,
};
const longestMediaTogether = 20_000_000;
/** Of all texts together; what nobody keeps need not be looked through. */
const longestTexts = 16_000_000;
const mostItems = 10_000;

const sounds = ['mpeg', 'mp3', 'wav', 'x-wav', 'wave', 'ogg', 'flac', 'aac', 'aiff', 'webm'];
const endings: Readonly<Record<string, string>> = { 'audio/mpeg': 'mp3', 'audio/x-wav': 'wav' };

/**
 * `redact`: takes secrets out of what goes to the model. `taken`: kinds that the model takes; absent: all. Never throws.
 */
export function toResult(
  answer: Members,
  redact: (text: string) => string,
  taken?: readonly Media['kind'][],
): ToolResult {
  const parts = new Parts(taken);
  const content: unknown = answer['content'];
  for (const item of (listOf(content) ?? []).slice(0, mostItems)) {
    parts.add(membersOf(item) ?? {});
  }
  const { structuredContent, toolResult } = answer;
  const rest: unknown = structuredContent ?? toolResult;
  // Servers write structured content as text as well; without any text it is all there is.
  if (!parts.hasText && rest !== undefined) {
    parts.text(typeof rest === 'string' ? rest : written(rest));
  }
  const isError = answer['isError'] === true;
  const text = redact(wellFormed(withoutControls(parts.texts.join('\n\n'))));
  return {
    text: text === '' ? (isError ? 'The tool failed and said nothing.' : '(no output)') : text,
    isError,
    ...(parts.media.length === 0 ? {} : { media: parts.media }),
  };
}

/** One item of an answer to a request for a resource. */
export function resourceResult(
  answer: Members,
  redact: (text: string) => string,
  taken?: readonly Media['kind'][],
): ToolResult {
  const { contents } = answer;
  const items = (listOf(contents) ?? []).slice(0, mostItems);
  const content = items.map((resource) => ({ type: 'resource', resource }));
  return toResult({ content }, redact, taken);
}

/** For people's eyes where that is possible: what is nested deep is a thousand times as long with all its margins. */
function written(value: unknown): string {
  try {
    const plain = JSON.stringify(value);
    const nested = Math.max(plain.split('[').length, plain.split('{').length);
    return nested > 10_000 || plain.length > 1_000_000
      ? plain
      : JSON.stringify(value, undefined, 2);
  } catch {
    return '[an answer that is nested too deep to be shown]';
  }
}

class Parts {
  readonly texts: string[] = [];
  readonly media: Media[] = [];
  hasText = false;
  readonly #taken: readonly Media['kind'][] | undefined;
  #charsLeft = longestTexts;
  #mediaLeft = longestMediaTogether;

  constructor(taken: readonly Media['kind'][] | undefined) {
    this.#taken = taken;
  }

  text(text: string): void {
    this.hasText = true;
    this.#say(text);
  }

  #say(text: string): void {
    if (this.#charsLeft > 0) {
      this.texts.push(text.slice(0, this.#charsLeft));
      this.#charsLeft -= text.length;
    }
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
        this.#say(`[resource: ${words.map(textOf).filter(isThere).join(', ')}]`);
        return;
      }
      default:
        this.#say('[something of a kind that is not known here was left out]');
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
  #binary(data: unknown, writtenType: string, uri: string): void {
    const named = writtenType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    const base64 = typeof data === 'string' ? data.replaceAll(/\s+/g, '') : '';
    const kind = kindOf(named);
    const mediaType = kind === 'image' ? imageTypeOf(startOf(base64)) : named;
    const size = `${Math.floor((base64.replace(/=+$/, '').length * 3) / 4)} bytes`;
    const of = [named === '' ? 'data' : named, uri, size].filter(isThere).join(', ');
    const refusal = this.#refusal(base64, kind);
    if (refusal !== undefined || kind === undefined || mediaType === undefined) {
      this.#say(`[${of}: ${refusal ?? 'damaged'}]`);
      return;
    }
    this.#mediaLeft -= base64.length;
    const number = this.media.length + 1;
    const ending = endings[mediaType] ?? mediaType.split('/')[1] ?? 'bin';
    this.media.push({ kind, mediaType, name: `${kind}${number}.${ending}`, base64 });
    this.#say(`[${kind} ${number}: ${of}]`);
  }

  #refusal(base64: string, kind: Media['kind'] | undefined): string | undefined {
    if (base64 === '' || !isBase64(base64)) {
      return 'damaged';
    }
    if (kind === undefined) {
      return 'not shown, because it is no picture, sound or text';
    }
    if (this.#taken?.includes(kind) === false) {
      return 'not shown, because this model takes none';
    }
    const longest = Math.min(longestMedia[kind], this.#mediaLeft);
    const isTooMuch = base64.length > longest || this.media.length >= mostMedia;
    return isTooMuch ? 'left out, because it is too much' : undefined;
  }
}

/** What is said of a picture is not believed: one that is none would make services refuse everything after it. */
function kindOf(mediaType: string): Media['kind'] | undefined {
  const [kind, name = ''] = mediaType.split('/');
  if (kind === 'image' && name !== 'svg+xml') {
    return 'image';
  }
  return kind === 'audio' && sounds.includes(name) ? 'audio' : undefined;
}

function startOf(base64: string): Uint8Array {
  return Buffer.from(base64.slice(0, 24), 'base64');
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
