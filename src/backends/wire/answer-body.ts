// Stands between a service and the client library: bounds what an answer may take, and turns an answer that is no stream
// into one.
import { WireError } from './wire-fault';

/** Far more than the longest real answer; without a bound one service could take all memory of the process. */
export interface BodyLimits {
  readonly totalBytes: number;
  /** Between two line ends. The library holds a line until its end. */
  readonly lineBytes: number;
  /** Of what a service says about an error; the rest is cut off. */
  readonly errorBytes: number;
}

export const usualLimits: BodyLimits = {
  totalBytes: 256 * 1024 * 1024,
  lineBytes: 16 * 1024 * 1024,
  errorBytes: 256 * 1024,
};

const newline = 10;
const brace = '{'.charCodeAt(0);
const angle = '<'.charCodeAt(0);

/**
 * The events of a stream, unchanged. A body that is one JSON object (some services ignore the wish for a stream) comes
 * out as one event. Errors with `WireError` for a web page and for what is beyond the limits.
 */
export function answerStream(
  limits: BodyLimits,
  onBytes: () => void,
): TransformStream<Uint8Array, Uint8Array> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let kind: 'unknown' | 'stream' | 'object' = 'unknown';
  let object = '';
  let total = 0;
  let line = 0;
  return new TransformStream({
    transform(bytes, controller): void {
      onBytes();
      total += bytes.length;
      const lastEnd = bytes.lastIndexOf(newline);
      line = lastEnd < 0 ? line + bytes.length : bytes.length - lastEnd - 1;
      const first = kind === 'unknown' ? bytes.find((byte) => byte > 0x20) : undefined;
      if (first === angle) {
        throw malformed('a web page instead of an answer');
      }
      if (first !== undefined) {
        kind = first === brace ? 'object' : 'stream';
      }
      // An object becomes one line in the end.
      const held = kind === 'object' ? total : line;
      if (total > limits.totalBytes || held > limits.lineBytes) {
        throw malformed('it has no end');
      }
      if (kind === 'object') {
        object += decoder.decode(bytes, { stream: true });
      } else {
        controller.enqueue(bytes);
      }
    },
    flush(controller): void {
      if (kind === 'object') {
        // Line ends of JSON are never part of a value.
        const oneLine = (object + decoder.decode()).replace(/[\r\n]+/g, ' ');
        controller.enqueue(encoder.encode(`data: ${oneLine}\n\ndata: [DONE]\n\n`));
      }
    },
  });
}

/** The beginning of what a service says about an error. */
export function errorBody(limits: BodyLimits): TransformStream<Uint8Array, Uint8Array> {
  let left = limits.errorBytes;
  return new TransformStream({
    transform(bytes, controller): void {
      controller.enqueue(bytes.subarray(0, left));
      left -= bytes.length;
      if (left <= 0) {
        controller.terminate();
      }
    },
  });
}

function malformed(detail: string): WireError {
  return new WireError({ kind: 'malformed', detail });
}
