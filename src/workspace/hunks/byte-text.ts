/** How the code units of a text stand in its bytes. `bytes`: one unit per byte, whatever the encoding is. */
export type ByteCodec = 'bytes' | 'utf16le' | 'utf16be';

/**
 * A text whose characters are the code units of its file, so that cutting and joining it loses no byte in any encoding
 * in which a line end is a line end: UTF-8, the code pages, UTF-16 with a byte order mark. Not meant for people.
 */
export interface ByteText {
  readonly codec: ByteCodec;
  readonly text: string;
}

/** Longer files are whole files: as lines they would take many times their size in memory. */
const longestText = 8 * 1024 * 1024;

/** `undefined` for what is binary or too long to be taken apart. */
export function toByteText(bytes: Uint8Array): ByteText | undefined {
  if (bytes.length > longestText) {
    return undefined;
  }
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  if (isLittle || (first === 0xfe && second === 0xff)) {
    return bytes.length % 2 === 0 ? toUtf16(bytes, isLittle) : undefined;
  }
  return bytes.includes(0)
    ? undefined
    : { codec: 'bytes', text: asBuffer(bytes).toString('latin1') };
}

export function toBytes({ codec, text }: ByteText): Uint8Array {
  if (codec === 'bytes') {
    return new Uint8Array(Buffer.from(text, 'latin1'));
  }
  const units = Buffer.from(text, 'utf16le');
  return new Uint8Array(codec === 'utf16le' ? units : units.swap16());
}

/** The text as editors have it, byte order mark included; `undefined` unless it is UTF-8, so that saving it gives the bytes. */
export function utf8Text({ codec, text }: ByteText): string | undefined {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return codec === 'bytes' ? decoder.decode(Buffer.from(text, 'latin1')) : undefined;
  } catch {
    return undefined;
  }
}

/** A line as people read it. Bytes that are not UTF-8 are shown as Western European ones. */
export function readableText({ codec, text }: ByteText): string {
  if (codec !== 'bytes') {
    return text.replace(/^\uFEFF/, '');
  }
  const bytes = Buffer.from(text, 'latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Text without a zero unit; two zero bytes in a row say that this is no text after all. */
function toUtf16(bytes: Uint8Array, isLittle: boolean): ByteText | undefined {
  const units = isLittle ? asBuffer(bytes) : Buffer.from(bytes).swap16();
  const text = units.toString('utf16le');
  return text.includes('\0') ? undefined : { codec: isLittle ? 'utf16le' : 'utf16be', text };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
