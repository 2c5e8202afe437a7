import type { Readable } from 'node:stream';

export interface Tap {
  /** Given each piece before its reader; what it throws breaks the body off. */
  piece(bytes: Uint8Array): void;
  /** The body came to its end, before its reader knows. */
  end?(): void;
  /** The body broke off; its reader gets what this returns. Not called when the reader itself lets go. */
  broken(error: unknown): unknown;
}

/** The same bytes, listened to. */
export function tapped(body: ReadableStream<Uint8Array>, tap: Tap): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller): Promise<void> {
      const next = await reader.read().catch((error: unknown) => {
        throw tap.broken(error);
      });
      if (next.done) {
        tap.end?.();
        controller.close();
        return;
      }
      try {
        tap.piece(next.value);
      } catch (error) {
        await reader.cancel(error).catch(() => undefined);
        throw error;
      }
      controller.enqueue(next.value);
    },
    cancel: async (reason) => reader.cancel(reason),
  });
}

/** Letting go of it ends what it comes from. */
export function bytesOf(source: Readable): ReadableStream<Uint8Array> {
  // Else an error that comes before the first read would be nobody's.
  source.on('error', () => undefined);
  const pieces = source[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller): Promise<void> {
      const next: IteratorResult<unknown> = await pieces.next();
      if (next.done === true) {
        controller.close();
      } else if (next.value instanceof Uint8Array) {
        controller.enqueue(next.value);
      }
    },
    cancel: () => void source.destroy(),
  });
}
