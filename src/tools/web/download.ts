import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { linkAbort } from '../../base/abort';
import { MassGenError } from '../../core/errors';
import type { OpenAddresses } from '../../core/ports/open-web';
import { decoded, pinnedRequest } from './pinned-request';

export interface DownloadLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

export interface Download {
  /** Where it was in the end. */
  readonly url: URL;
  readonly bytes: Uint8Array;
  /** Without parameters, in lower case; empty when the server does not say. */
  readonly mediaType: string;
  /** As the server names it; empty when it does not. */
  readonly charset: string;
}

export interface DownloadParts {
  readonly addressesOf: OpenAddresses;
  /** Asked before each request, also of a redirect; throws to refuse it. */
  readonly allow: (url: URL, signal: AbortSignal) => Promise<void>;
  readonly limits: DownloadLimits;
}

const mostRedirects = 5;

const redirects: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Gets one address, over at most five redirects, each checked like the first. Sends no cookie and no credentials. Throws
 * `tool/invalid-input`, `tool/denied`, `tool/failed`, `tool/timed-out`, `workspace/too-large` and `cancelled/*`.
 */
export async function download(
  address: string,
  { addressesOf, allow, limits }: DownloadParts,
  signal: AbortSignal,
): Promise<Download> {
  let url = parseAddress(address);
  for (let n = 0; n <= mostRedirects; n++) {
    const at = url;
    await allow(at, signal);
    // A person who is asked takes time that is not the server's.
    const got = await within(limits.timeoutMs, at, signal, async (stop) => {
      const answer = await send(at, await addressesOf(at.hostname, stop), stop);
      try {
        return await take(at, answer, limits.maxBytes);
      } finally {
        answer.destroy();
      }
    });
    if (!(got instanceof URL)) {
      return got;
    }
    url = got;
  }
  throw new MassGenError('tool/failed', `${address} redirects more than ${mostRedirects} times.`);
}

/** Throws `tool/invalid-input`. The address comes back without fragment. */
function parseAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new MassGenError('tool/invalid-input', `${address} is not an http or https address.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new MassGenError('tool/invalid-input', 'An address must not hold a name or password.');
  }
  url.hash = '';
  return url;
}

async function within<T>(
  timeoutMs: number,
  url: URL,
  signal: AbortSignal,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const branch = linkAbort(signal);
  const words = `${url.host} did not answer in full within ${timeoutMs / 1000} s.`;
  const timer = setTimeout(
    () => branch.abort(new MassGenError('tool/timed-out', words)),
    timeoutMs,
  );
  try {
    return await work(branch.signal);
  } catch (error) {
    // Whatever the connection says about its end: this is why it ended.
    branch.signal.throwIfAborted();
    throw error instanceof MassGenError ? error : unreachable(url, error);
  } finally {
    clearTimeout(timer);
    branch.dispose();
  }
}

function unreachable(url: URL, cause: unknown): MassGenError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  return new MassGenError('tool/failed', `${url.host} could not be read: ${code}.`, { cause });
}

async function send(
  url: URL,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const headers = {
    'user-agent': 'MassGen',
    accept: 'text/html,text/*;q=0.9,application/json;q=0.9,*/*;q=0.5',
    'accept-encoding': 'gzip, deflate, br',
  };
  return pinnedRequest(url, { method: 'GET', headers, addresses }, signal);
}

async function take(url: URL, answer: IncomingMessage, maxBytes: number): Promise<Download | URL> {
  const { statusCode: status = 0, headers } = answer;
  const next = headers.location;
  if (redirects.includes(status) && next !== undefined) {
    return parseAddress(URL.canParse(next, url.href) ? new URL(next, url).href : next);
  }
  if (status < 200 || status > 299) {
    throw new MassGenError('tool/failed', `${url.href} answered with status ${status}.`);
  }
  const [mediaType = '', ...parameters] = (headers['content-type'] ?? '').split(';');
  const charset = parameters
    .map((each) => /^\s*charset="?([^"\s]+)/i.exec(each)?.[1])
    .find(Boolean);
  return {
    url,
    bytes: await readAll(decoded(answer, url), url, maxBytes),
    mediaType: mediaType.trim().toLowerCase(),
    charset: charset ?? '',
  };
}

async function readAll(stream: Readable, url: URL, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const bytes: unknown = chunk;
    if (bytes instanceof Uint8Array) {
      chunks.push(bytes);
      length += bytes.length;
    }
    if (length > maxBytes) {
      throw new MassGenError(
        'workspace/too-large',
        `${url.href} has more than ${maxBytes} bytes, which is the limit.`,
      );
    }
  }
  return Buffer.concat(chunks);
}
