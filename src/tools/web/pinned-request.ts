import { request as plainRequest } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { MassGenError } from '../../core/errors';

export interface PinnedRequest {
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string;
  /** Where the host of the address is: what was checked is what is connected to, whatever its name leads to by then. */
  readonly addresses: readonly string[];
}

/** One request on a connection of its own. Follows no redirect. Rejects with the error of the connection or of an abort. */
export async function pinnedRequest(
  url: URL,
  { method, headers, body, addresses }: PinnedRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const options = { method, headers, signal, agent: false, lookup: pinned(addresses) };
  const request = url.protocol === 'https:' ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    request(url, options, resolve).once('error', reject).end(body);
  });
}

function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all: isAll }, answer) => {
    const [first] = all;
    if (isAll === true) {
      answer(null, all);
    } else {
      answer(null, first?.address ?? '', first?.family ?? 4);
    }
  };
}

/** The body of an answer without its encoding. Throws `tool/failed` for one that is not known. */
export function decoded(answer: IncomingMessage, url: URL): Readable {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const decoders: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
    gzip: createGunzip,
    'x-gzip': createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  };
  if (encoding === 'identity' || encoding === '') {
    return answer;
  }
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined;
  if (decoder === undefined) {
    throw new MassGenError('tool/failed', `${url.href} has the unknown encoding ${encoding}.`);
  }
  answer.once('error', (error) => decoder.destroy(error));
  answer.once('aborted', () => decoder.destroy(new Error('aborted')));
  return answer.pipe(decoder);
}
