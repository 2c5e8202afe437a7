import type { IncomingMessage } from 'node:http';
import { MassGenError, isMassGenError } from '../../core/errors';
import type { OpenAddresses } from '../../core/ports/open-web';
import { decoded, pinnedRequest } from '../web/pinned-request';
import { bytesOf, tapped } from './tapped-body';
import { brokenOff, notReached } from './wire';

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
 * Goes to the origin of the server alone and follows no redirect to another. A server of the open internet is connected to
 * at the very addresses that were checked, so that its name cannot come to lead to an inner one; for one that may be inner
 * it is the platform's `fetch`, looked up at each call because the editor replaces it to follow its proxy settings. Throws
 * `tool/denied`, and `tool/failed` when the server cannot be reached.
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
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(web.headers)) {
      if (!headers.has(name)) {
        setHeader(headers, name, value);
      }
    }
    const response = await placeFetch(web)(target, { ...init, headers });
    const elsewhere = leadsElsewhere(response, target);
    if (elsewhere !== undefined) {
      await response.body?.cancel();
      throw new MassGenError('tool/denied', `The server sends its callers on to ${elsewhere}.`, {
        hint: 'Write that address as its url, if it is meant.',
      });
    }
    return response;
  };
}

/** The same for whatever place, without the headers of a server; follows no redirect. */
export function placeFetch({
  isLocalAllowed,
  openAddresses,
}: Pick<ServerWeb, 'isLocalAllowed' | 'openAddresses'>): (
  url: string | URL,
  init?: RequestInit,
) => Promise<Response> {
  return async (url, init = {}) => {
    const target = new URL(url);
    const response = isLocalAllowed
      ? await platformFetch(target, init)
      : await openFetch(target, init, openAddresses);
    return bounded(response, init.signal);
  };
}

async function platformFetch(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await globalThis.fetch(url, { ...init, redirect: 'manual' });
  } catch (error) {
    init.signal?.throwIfAborted();
    throw notReached(url, error);
  }
}

async function openFetch(
  url: URL,
  { method = 'GET', body, headers, signal }: RequestInit,
  openAddresses: OpenAddresses,
): Promise<Response> {
  const stop = signal ?? new AbortController().signal;
  const addresses = await openAddresses(url.hostname, stop);
  const asked = {
    ...{ method, addresses, headers: Object.fromEntries(new Headers(headers)) },
    ...(typeof body === 'string' || body instanceof URLSearchParams ? { body: String(body) } : {}),
  };
  try {
    return toResponse(await pinnedRequest(url, asked, stop), url);
  } catch (error) {
    stop.throwIfAborted();
    throw isMassGenError(error) ? error : notReached(url, error);
  }
}

/** Statuses with which there is no body, even if one is sent. */
const bodiless: readonly number[] = [204, 205, 304];

function toResponse(answer: IncomingMessage, url: URL): Response {
  const { statusCode: status = 0, statusMessage: statusText = '' } = answer;
  if (status < 200 || status > 599) {
    answer.destroy();
    throw new MassGenError('tool/failed', `The server answered with status ${status}.`);
  }
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    values.forEach((value) => headers.append(name, value));
  }
  headers.delete('content-encoding');
  headers.delete('content-length');
  if (bodiless.includes(status)) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  const body = decoded(answer, url);
  return new Response(bytesOf(body), { status, statusText, headers });
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
function bounded(response: Response, signal: AbortSignal | null | undefined): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) {
    return response;
  }
  const isStream = headers.get('content-type')?.includes('text/event-stream') === true;
  let length = 0;
  let last = '';
  const counted = tapped(body, {
    piece(bytes) {
      length += bytes.length;
      if (length > longestAnswer) {
        const words = `The server sent more than ${longestAnswer} bytes at once.`;
        throw new MassGenError('tool/failed', words);
      }
      if (isStream) {
        const text = `${last}${Buffer.from(bytes).toString('latin1')}`;
        const end = Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\n\r\n'));
        length = end < 0 ? length : text.length - end;
        last = text.slice(-3);
      }
    },
    broken: (error) => (signal?.aborted === true ? error : brokenOff(error)),
  });
  return new Response(counted, { status, statusText, headers });
}
