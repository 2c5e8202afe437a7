import { z } from 'zod';
import type { RecordedEvent } from '../run/events';

const headerSchema = z.object({ v: z.number().int().min(1), runId: z.string() });
const envelopeSchema = z.object({
  seq: z.number().int().min(0),
  at: z.number(),
  event: z.looseObject({ type: z.string() }),
});

const newline = 10;

export type LogHeader = z.infer<typeof headerSchema>;

export interface ParsedLog {
  readonly events: readonly RecordedEvent[];
  readonly skippedLines: number;
  /** Bytes up to and including the last whole line; what follows was torn by a crash. */
  readonly wholeBytes: number;
  /** `undefined` when the log has lost it. */
  readonly header: LogHeader | undefined;
}

/**
 * Reads the bytes of a log. A torn last line is left out; a line that is not an event, or whose number does not rise, is
 * skipped and counted. Events of types that this version does not know are kept.
 */
export function parseLog(bytes: Uint8Array): ParsedLog {
  const events: RecordedEvent[] = [];
  let skippedLines = 0;
  let header: LogHeader | undefined;
  const lines = wholeLines(bytes);
  for (const [index, line] of lines.texts.entries()) {
    const value = parseJson(line);
    if (index === 0) {
      header = headerSchema.safeParse(value).data;
    }
    if (index === 0 && header !== undefined) {
      continue;
    }
    if (isRecordedEvent(value) && value.seq > (events.at(-1)?.seq ?? -1)) {
      events.push(value);
    } else {
      skippedLines++;
    }
  }
  return { events, skippedLines, wholeBytes: lines.bytes, header };
}

function wholeLines(bytes: Uint8Array): {
  readonly texts: readonly string[];
  readonly bytes: number;
} {
  const decoder = new TextDecoder();
  const texts: string[] = [];
  let start = 0;
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    texts.push(decoder.decode(bytes.subarray(start, end)));
    start = end + 1;
  }
  return { texts, bytes: start };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Checks the envelope; the fields of an event are those that this product's own log writer put there. */
function isRecordedEvent(value: unknown): value is RecordedEvent {
  return envelopeSchema.safeParse(value).success;
}
