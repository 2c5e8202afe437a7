// Refusals of a service, taken up before a client library sees them: libraries lose what they do not expect.
import { asObject } from './json-reading';
import { WireError, type WireFault } from './wire-fault';

/** Bytes of what a service says about an error; the rest is cut off. */
const longestRefusal = 256 * 1024;

/** Status, headers and the beginning of the body of a refusal. */
export async function refusalOf(response: Response): Promise<WireFault> {
  const { status, headers } = response;
  const text = await beginningOf(response, longestRefusal);
  const body = parsed(text);
  return {
    ...{ kind: 'status', status, body: asObject(body)?.['error'] ?? body },
    text: body === undefined ? text : '',
    header: (name) => headers.get(name) ?? undefined,
  };
}

/** What a client library threw: the `WireError` that it has wrapped into errors of its own, or a broken connection. */
export function toWireError(error: unknown): WireError {
  let current = error;
  let innermost = error;
  for (let depth = 0; depth < 4 && current instanceof Error; depth++) {
    if (current instanceof WireError) {
      return current;
    }
    innermost = current;
    current = current.cause;
  }
  return new WireError({ kind: 'connection', cause: innermost });
}

/** The first bytes of a body as text. Leaving the rest unread closes the connection. */
export async function beginningOf({ body }: Response, most: number): Promise<string> {
  const decoder = new TextDecoder();
  const pieces: AsyncIterable<Uint8Array> | null = body;
  let text = '';
  let left = most;
  for await (const piece of pieces ?? []) {
    text += decoder.decode(piece.subarray(0, left), { stream: true });
    left -= piece.length;
    if (left <= 0) {
      break;
    }
  }
  return text + decoder.decode();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
