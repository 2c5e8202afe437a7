const signatures: readonly {
  readonly mediaType: string;
  /** Bytes as Latin-1 text, each at its place. */
  readonly parts: readonly (readonly [at: number, bytes: string])[];
}[] = [
  { mediaType: 'image/png', parts: [[0, '\x89PNG\r\n\x1a\n']] },
  { mediaType: 'image/jpeg', parts: [[0, '\xff\xd8\xff']] },
  { mediaType: 'image/gif', parts: [[0, 'GIF87a']] },
  { mediaType: 'image/gif', parts: [[0, 'GIF89a']] },
  {
    mediaType: 'image/webp',
    parts: [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
  },
];

/** The type that a picture has by its first bytes, of those that models take; `undefined` for anything else. */
export function imageTypeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return signatures.find(({ parts }) => parts.every(([at, text]) => start.startsWith(text, at)))
    ?.mediaType;
}
