// Reads the answer of a service. Not left to the client libraries: they lose what they do not expect, never bound what they
// read, and take each piece of an answer through several streams.
import { onAbort } from '../../base/abort';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { EventDecoder, type ServerEvent, usualLimits } from './event-decoder';
import { asObject } from './json-reading';
import { toWireError } from './refusals';
import { WireError, type WireFault } from './wire-fault';

/** Sends a body and resolves with the answer once its headers have come. */
export type Post = (
  body: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<Response>;

/** Stands among the chunks for the word of a service that nothing more comes. */
export const doneMark: unique symbol = Symbol('[DONE]');

const doneWord = '[DONE]';

/** Events that an answer is made of; one that cannot be read makes the answer unreadable. */
const answerEvents = /^($|message|content_block|response)/;

export interface Reading {
  /** Called for whatever arrives, comments included. */
  readonly onBytes: () => void;
  /** A fault of this service in the words that all adapters understand. */
  readonly inCommonWords: (fault: WireFault) => WireFault;
}

/**
 * The chunks of the answer to what `send` sends as they come, those together that came at once; unchecked JSON, or
 * `doneMark`. An error that is told outside of the protocol comes as a chunk with `error`. Ends early and without an error
 * when `signal` aborts; leaving the iteration closes the connection. Throws `WireError`.
 */
export async function* ask(
  send: () => Promise<Response>,
  { onBytes, inCommonWords }: Reading,
  signal: AbortSignal,
): AsyncGenerator<readonly unknown[]> {
  const own = new DisposableStore();
  try {
    const { body } = await send();
    onBytes();
    const bytes = own.add(openBody(body, signal));
    const decoder = new EventDecoder(usualLimits);
    for (let isOpen = true; isOpen && !signal.aborted;) {
      const piece = await bytes.read();
      if (piece !== undefined) {
        onBytes();
      }
      const { chunks, fault } =
        piece === undefined ? wholeChunks(decoder.end()) : toChunks(decoder.push(piece));
      if (chunks.length > 0) {
        yield chunks;
      }
      if (fault !== undefined) {
        throw fault;
      }
      isOpen = piece !== undefined && chunks.at(-1) !== doneMark;
    }
  } catch (error) {
    if (!signal.aborted) {
      throw new WireError(inCommonWords(toWireError(error).fault));
    }
  } finally {
    own.dispose();
  }
}

interface OpenBody extends Disposable {
  /** `undefined` at the end. */
  read(): Promise<Uint8Array | undefined>;
}

/** Disposing of it, or the abort of `signal`, closes the connection. */
function openBody(body: ReadableStream<Uint8Array> | null, signal: AbortSignal): OpenBody {
  const reader = body?.getReader();
  const leave = (): void => {
    reader?.cancel().catch(() => undefined); // it is closed or broken by then
  };
  const listening = onAbort(signal, leave);
  return {
    read: async () => (await reader?.read())?.value,
    dispose(): void {
      listening.dispose();
      leave();
    },
  };
}

/** Of a value in place of a stream, after which nothing can come; a list of chunks is no less than a stream of them. */
function wholeChunks(events: readonly ServerEvent[]): Chunks {
  const { chunks, ...rest } = toChunks(events);
  const each = chunks.flatMap((chunk): readonly unknown[] =>
    Array.isArray(chunk) ? chunk : [chunk],
  );
  return { chunks: each.length === 0 ? each : [...each, doneMark], ...rest };
}

interface Chunks {
  readonly chunks: unknown[];
  /** What makes the rest unreadable. */
  readonly fault?: WireError;
}

function toChunks(events: readonly ServerEvent[]): Chunks {
  const chunks: unknown[] = [];
  for (const { name, data } of events) {
    if (data === doneWord) {
      chunks.push(doneMark);
      break;
    }
    const value = data === '' || name === 'ping' ? undefined : parsed(data);
    if (value !== undefined) {
      chunks.push(name === 'error' ? errorChunk(value) : value);
    } else if (name === 'error') {
      chunks.push({ type: 'error', error: { message: data } });
    } else if (data !== '' && answerEvents.test(name)) {
      const detail = `an event is not JSON (${name === '' ? 'data' : name})`;
      return { chunks, fault: new WireError({ kind: 'malformed', detail }) };
    }
  }
  return { chunks };
}

function errorChunk(value: unknown): unknown {
  const members = asObject(value);
  return members !== undefined && ('error' in members || members['type'] === 'error')
    ? value
    : { type: 'error', error: value };
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
