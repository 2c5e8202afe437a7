import { MassGenError } from '../core/errors';
import type { ToolContext } from '../core/ports/tool';
import { otherWayFor } from './binary-files';
import { markSeen } from './seen-files';

/** As lines, longer texts take many times their size in memory. */
const longestText = 32 * 1024 * 1024;

const byteOrderMark = '\uFEFF';

export interface TextFile {
  /** Without the byte order mark. */
  readonly text: string;
  readonly hasByteOrderMark: boolean;
  readonly sizeBytes: number;
}

/** Reads a file that must be UTF-8 text; the agent has then seen it. Throws `workspace/not-text` with what the file is instead. */
export async function readTextFile(
  context: Pick<ToolContext, 'workspace' | 'seenPaths'>,
  path: string,
  signal: AbortSignal,
): Promise<TextFile> {
  const { workspace } = context;
  const { kind, sizeBytes } = await workspace.stat(path, signal);
  if (kind === 'file' && sizeBytes > longestText) {
    throw new MassGenError(
      'workspace/too-large',
      `${path} has ${sizeBytes} bytes, too many for a text.`,
      {
        hint: 'Use search_text, or a command that shows a part of it.',
      },
    );
  }
  const bytes = await workspace.readFile(path, signal);
  markSeen(context, path);
  const text = decode(path, bytes);
  const hasByteOrderMark = text.startsWith(byteOrderMark);
  return {
    text: hasByteOrderMark ? text.slice(1) : text,
    hasByteOrderMark,
    sizeBytes: bytes.length,
  };
}

export function encodeTextFile(file: Pick<TextFile, 'text' | 'hasByteOrderMark'>): Uint8Array {
  return new TextEncoder().encode((file.hasByteOrderMark ? byteOrderMark : '') + file.text);
}

/** `undefined` for what is not UTF-8 text. */
export function tryDecode(bytes: Uint8Array): string | undefined {
  if (bytes.subarray(0, 8192).includes(0)) {
    return undefined;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function decode(path: string, bytes: Uint8Array): string {
  const text = tryDecode(bytes);
  if (text !== undefined) {
    return text;
  }
  if (bytes.subarray(0, 8192).includes(0)) {
    throw new MassGenError(
      'workspace/not-text',
      `${path} is a binary file of ${bytes.length} bytes.`,
      {
        hint: `It cannot be read or edited as text. ${otherWayFor(path)}`,
      },
    );
  }
  throw new MassGenError(
    'workspace/not-text',
    `${path} (${bytes.length} bytes) is text in an encoding other than UTF-8, as the bytes around position ${firstBadByte(bytes)} show.`,
    { hint: 'Leave it as it is, or change it with a command that keeps its encoding.' },
  );
}

/** 1-based position. */
function firstBadByte(bytes: Uint8Array): number {
  let low = 0;
  let high = bytes.length;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (isStartOfText(bytes.subarray(0, middle))) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low + 1;
}

/** Whether the bytes are UTF-8 up to a character that may be cut at the end. */
function isStartOfText(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Lines without their ends; a final line end does not begin another line. */
export function toLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') {
    lines.pop();
  }
  return lines;
}
