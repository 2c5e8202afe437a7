// Refusals of a service, taken up before a client library sees them: libraries lose what they do not expect.
import { asObject } from './json-reading';
import { WireError, type WireFault } from './wire-fault';

/** The same `fetch`, which throws a `WireError` with status, headers and the whole body in place of a refusal. */
export function throwingRefusals(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (!response.ok) {
      throw new WireError(refusalOf(response, await response.text()));
    }
    return response;
  };
}

/** The `WireError` that a client library has wrapped into errors of its own. */
export function wireErrorIn(error: unknown): WireError | undefined {
  let current = error;
  for (let depth = 0; depth < 4 && current instanceof Error; depth++) {
    if (current instanceof WireError) {
      return current;
    }
    current = current.cause;
  }
  return undefined;
}

function refusalOf({ status, headers }: Response, text: string): WireFault {
  const body = parsed(text);
  return {
    ...{ kind: 'status', status, body: asObject(body)?.['error'] ?? body },
    text: body === undefined ? text : '',
    header: (name) => headers.get(name) ?? undefined,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
