// Pictures and documents in the form of the service.
import type { Media } from '../../core/ports/model-backend';

export type WireBlock = Readonly<Record<string, unknown>>;

const imageTypes: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
]);
/** The service takes no larger picture. */
const mostImageBytes = 5 * 1024 * 1024;

/** The block for a medium; a sentence in its place when the service would refuse it. */
export function mediaBlock(media: Media): WireBlock {
  const { kind, mediaType, name, base64 } = media;
  const source = { type: 'base64', media_type: mediaType, data: base64 };
  if (kind === 'image' && imageTypes.has(mediaType)) {
    const bytes = Math.floor((base64.length * 3) / 4);
    return bytes > mostImageBytes
      ? textBlock(`[The picture ${name} is left out: it is larger than 5 MB.]`)
      : { type: 'image', source };
  }
  if (kind === 'document' && mediaType === 'application/pdf') {
    return { type: 'document', source, ...(name === '' ? {} : { title: name }) };
  }
  if (kind === 'document' && mediaType.startsWith('text/')) {
    const text = Buffer.from(base64, 'base64').toString('utf8');
    return textBlock(`${name}:\n\n${text}`);
  }
  return textBlock(`[${name} is left out: this service does not take ${mediaType}.]`);
}

/** The service refuses a text without a letter. */
export function textBlock(text: string): WireBlock {
  return { type: 'text', text: text.trim() === '' ? '(empty)' : text };
}
