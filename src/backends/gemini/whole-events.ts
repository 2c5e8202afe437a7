import { WireError } from '../wire/wire-fault';

const newline = 10;
const carriage = 13;
/** One event holds at most a whole answer. */
const longestEvent = 16 * 1024 * 1024;

/**
 * Holds bytes back until an event is whole. The client searches all that it has got whenever something arrives, which for a
 * long event in many pieces would take time with the square of its length.
 */
export function wholeEvents(): TransformStream<Uint8Array, Uint8Array> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let before: readonly [number, number] = [0, 0];
  const release = (controller: TransformStreamDefaultController<Uint8Array>): void => {
    if (held.length > 0) {
      controller.enqueue(held.length === 1 && held[0] !== undefined ? held[0] : joined(held));
    }
    held = [];
    heldBytes = 0;
  };
  const hold = (bytes: Uint8Array): void => {
    if (bytes.length > 0) {
      held.push(bytes);
      heldBytes += bytes.length;
    }
    if (heldBytes > longestEvent) {
      throw new WireError({ kind: 'malformed', detail: 'it has no end' });
    }
  };
  return new TransformStream({
    transform(bytes, controller): void {
      const end = lastEventEnd(before, bytes);
      before = [bytes.at(-2) ?? before[1], bytes.at(-1) ?? before[1]];
      if (end > 0) {
        hold(bytes.subarray(0, end));
        release(controller);
      }
      hold(bytes.subarray(end));
    },
    flush: release,
  });
}

/** Place after the last empty line, 0 without one. `before`: the two bytes that came earlier. */
function lastEventEnd(before: readonly [number, number], bytes: Uint8Array): number {
  const at = (i: number): number => (i >= 0 ? bytes[i] : before[i + 2]) ?? 0;
  for (let i = bytes.length - 1; i >= 0; i--) {
    const byte = at(i);
    if (byte === newline || byte === carriage) {
      const previous = at(i - 1);
      const isEmptyLine =
        previous === byte || (byte === newline && previous === carriage && at(i - 2) === newline);
      if (isEmptyLine) {
        return i + 1;
      }
    }
  }
  return 0;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
