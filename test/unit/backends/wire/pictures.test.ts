import { describe, expect, it } from 'vitest';
import { withTruePictures } from '../../../../src/backends/wire/pictures';
import type { Media, ToolCallResult } from '../../../../src/core/ports/model-backend';
import { expected, requestOf } from '../../../contract/backend-kit';

const base64 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('base64');

const begun: Readonly<Record<string, string>> = {
  'image/png': expected.image,
  'image/jpeg': base64('\xff\xd8\xff\xe0\0\x10JFIF'),
  'image/gif': base64('GIF89a\x01\0\x01\0'),
  'image/webp': base64('RIFF\x24\0\0\0WEBPVP8 '),
};

const picture = (mediaType: string, data: string): Media => ({
  ...{ kind: 'image', mediaType, name: 'a.png', base64: data },
});

/** What becomes of one picture of the user and of one that a tool has shown. */
function sent(media: Media): readonly Pick<ToolCallResult, 'text' | 'media'>[] {
  const { messages } = withTruePictures(
    requestOf({
      messages: [
        { role: 'user', text: 'Look.', media: [media] },
        {
          role: 'tool',
          results: [{ toolCallId: 'c', name: 'look', text: '', isError: false, media: [media] }],
        },
      ],
    }),
  );
  return messages.flatMap((message): Pick<ToolCallResult, 'text' | 'media'>[] =>
    message.role === 'tool' ? [...message.results] : message.role === 'user' ? [message] : [],
  );
}

describe('a picture in a request', () => {
  const types = Object.keys(begun);
  it.each(types.flatMap((said) => types.map((is) => [said, is] as const)))(
    'that is said to be %s goes as what it is, %s',
    (said, is) => {
      for (const { media } of sent(picture(said, begun[is] ?? ''))) {
        expect(media).toEqual([picture(is, begun[is] ?? '')]);
      }
    },
  );

  it.each([
    ['is of another type', 'image/svg+xml', base64('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['is empty', 'image/png', ''],
    ['is not base64', 'image/png', `${expected.image.slice(0, -2)}-_`],
    ['is not whole base64', 'image/png', expected.image.slice(0, -1)],
  ])('that %s is named in words', (_what, mediaType, data) => {
    const words = '[Left out, because it is no PNG, JPEG, GIF or WebP picture: a.png]';
    expect(sent(picture(mediaType, data))).toMatchObject([
      { text: `Look.\n${words}`, media: [] },
      { text: words, media: [] },
    ]);
  });

  it('leaves other media alone', () => {
    const pdf: Media = { kind: 'document', mediaType: 'application/pdf', name: 'a', base64: 'x' };
    expect(sent(pdf).map(({ media }) => media)).toEqual([[pdf], [pdf]]);
  });
});
