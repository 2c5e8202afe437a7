// Services refuse a picture that is not what it is said to be, and with it the whole conversation from then on.
import type { ChatMessage, Media, ModelRequest } from '../../core/ports/model-backend';

/** How pictures begin, as Latin-1 text, of the types that all services take. */
const beginnings: readonly (readonly [mediaType: string, at: number, bytes: string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF87a'],
  ['image/gif', 0, 'GIF89a'],
  ['image/webp', 8, 'WEBP'],
];

/** The same request with each picture under its true type, and with a sentence in place of what is no picture. */
export function withTruePictures(request: ModelRequest): ModelRequest {
  return request.messages.some(hasPicture)
    ? { ...request, messages: request.messages.map(toTrue) }
    : request;
}

function hasPicture(message: ChatMessage): boolean {
  switch (message.role) {
    case 'user':
      return message.media?.some(isPicture) === true;
    case 'tool':
      return message.results.some(({ media }) => media?.some(isPicture) === true);
    case 'assistant':
      return false;
  }
}

function isPicture({ kind }: Media): boolean {
  return kind === 'image';
}

function toTrue(message: ChatMessage): ChatMessage {
  switch (message.role) {
    case 'user':
      return checked(message);
    case 'tool':
      return { ...message, results: message.results.map(checked) };
    case 'assistant':
      return message;
  }
}

function checked<T extends { readonly text: string; readonly media?: readonly Media[] }>(
  shown: T,
): T {
  const { media = [] } = shown;
  const lost = media.filter((one) => trueMedia(one) === undefined).map(({ name }) => name);
  const words = `[Left out, because it is no PNG, JPEG, GIF or WebP picture: ${lost.join(', ')}]`;
  return media.length === 0
    ? shown
    : {
        ...shown,
        media: media.map(trueMedia).filter((one) => one !== undefined),
        ...(lost.length === 0 ? {} : { text: `${shown.text}\n${words}`.trim() }),
      };
}

function trueMedia(media: Media): Media | undefined {
  if (!isPicture(media)) {
    return media;
  }
  const start = Buffer.from(media.base64.slice(0, 24), 'base64').toString('latin1');
  const mediaType = beginnings.find(([, at, bytes]) => start.startsWith(bytes, at))?.[0];
  return mediaType === undefined || !isBase64(media.base64) ? undefined : { ...media, mediaType };
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
