import type { Endpoint } from './endpoint';
import { refusalOf } from './refusals';
import { WireError } from './wire-fault';

export interface WireConnection {
  readonly endpoint: Endpoint;
  /** All headers of a request beside those of every request; keys are among them. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The platform's `fetch`, looked up at each call because the editor replaces it to follow its proxy settings. For the
 * clients of services: sends only headers written here, only to the configured origin, follows no redirect, and throws a
 * `WireError` in place of a refusal, of which clients lose what they do not expect. Nothing that a client finds in the
 * environment of the user's shell can redirect a request.
 */
export function guardedFetch({ endpoint, headers }: WireConnection): typeof fetch {
  return async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    if (new URL(address).origin !== endpoint.origin) {
      throw new TypeError('request to another origin than base_url');
    }
    const response = await globalThis.fetch(address, {
      ...init,
      ...(typeof init?.body === 'string' ? { body: wellFormed(init.body) } : {}),
      headers: {
        accept: 'text/event-stream, application/json',
        'content-type': 'application/json',
        'user-agent': 'massgen',
        ...headers,
      },
      redirect: 'manual',
    });
    if (!response.ok) {
      throw new WireError(await refusalOf(response));
    }
    return response;
  };
}

/**
 * JSON that every service can read: half a surrogate pair, as a text that was cut has it, is written as an escape, which
 * strict readers refuse together with the whole request.
 */
function wellFormed(json: string): string {
  if (!json.includes('\\ud')) {
    return json;
  }
  return json.replace(/\\(ud[89a-f][0-9a-f]{2}|.)/g, (whole, escaped: string) =>
    escaped.length > 1 ? '\\ufffd' : whole,
  );
}
