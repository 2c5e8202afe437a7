import { MassGenError } from '../../core/errors';
import type { OpenAddresses } from '../../core/ports/open-web';

/** Bytes of an answer, or of one event in a stream of them. */
const longestAnswer = 64 * 1024 * 1024;

export interface ServerWeb {
  readonly origin: string;
  /** Sent with each request; the protocol's own come first. */
  readonly headers: Readonly<Record<string, string>>;
  /** It may be on this machine or in a private network. */
  readonly isLocalAllowed: boolean;
  readonly openAddresses: OpenAddresses;
}

/**
 * The platform's `fetch`, looked up at each call because the editor replaces it to follow its proxy settings. Goes to the
 * origin of the server alone, follows no redirect to another, and refuses a name that has come to lead to an inner address.
 * Throws `tool/denied`.
 */
export function serverFetch(
  web: ServerWeb,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init = {}) => {
    const target = new URL(url);
    if (target.origin !== web.origin) {
      throw new MassGenError(
        'tool/denied',
        `The server leads to ${target.origin}, which is another one.`,
        {
          hint: 'Write that address as its url, if it is meant.',
        },
      );
    }
    if (!web.isLocalAllowed) {
      await web.openAddresses(target.hostname, init.signal ?? new AbortController().signal);
    }
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(web.headers)) {
      if (!headers.has(name)) {
        setHeader(headers, name, value);
      }
    }
    const response = await globalThis.fetch(target, { ...init, headers, redirect: 'manual' });
    const elsewhere = leadsElsewhere(response, target);
    if (elsewhere !== undefined) {
      await response.body?.cancel();
      throw new MassGenError('tool/denied', `The server sends its callers on to ${elsewhere}.`, {
        hint: 'Write that address as its url, if it is meant.',
      });
    }
    return bounded(response);
  };
}

/** The platform's own words would show the value, which can be a key with a line break in it. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new MassGenError('config/invalid', `The header ${name} cannot be sent as it is.`, {
      hint: 'A header is one line of Latin characters; look for line breaks in the key.',
    });
  }
}

/** The origin that a redirect leads to, when that is another one. */
function leadsElsewhere({ status, headers }: Response, from: URL): string | undefined {
  const place = headers.get('location');
  if (status < 300 || status >= 400 || place === null) {
    return undefined;
  }
  const origin = URL.canParse(place, from.href) ? new URL(place, from.href).origin : 'nowhere';
  return origin === from.origin ? undefined : origin;
}

/** The same answer, whose body breaks off when it becomes longer than any that is meant to be read. */
function bounded(response: Response): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) {
    return response;
  }
  const isStream = headers.get('content-type')?.includes('text/event-stream') === true;
  let length = 0;
  let last = '';
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        length += chunk.length;
        if (length > longestAnswer) {
          const words = `The server sent more than ${longestAnswer} bytes at once.`;
          controller.error(new MassGenError('tool/failed', words));
          return;
        }
        if (isStream) {
          const text = `${last}${Buffer.from(chunk).toString('latin1')}`;
          const end = Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\n\r\n'));
          length = end < 0 ? length : text.length - end;
          last = text.slice(-3);
        }
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(counted, { status, statusText, headers });
}
