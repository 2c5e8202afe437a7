// The only way out of a sandbox: an HTTP proxy on a socket in a private folder, which reaches what is listed and nothing else.
// Inside an encrypted connection it does not look: which of the sites behind one address a program speaks to is not its
// business, only where the bytes go.
import { constants } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer, request as requestHttp } from 'node:http';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import type { Resolve } from './dial';
import { checkTarget, dialFirst } from './dial';
import type { HostList, Target } from './host-list';
import { parseTarget, targetText } from './host-list';
import { joinStreams } from './join-streams';

export interface ProxyLimits {
  readonly connections: number;
  readonly headerBytes: number;
  /** A connection on which nothing moves this long is ended. */
  readonly idleMs: number;
}

export interface ProxyOptions {
  /** Absolute path of a folder to be made, for this proxy alone; the socket in it is named `proxy`. */
  readonly folder: string;
  readonly hosts: HostList;
  readonly resolve: Resolve;
  /** Told each time something was refused; `words` go on after the name of the program. */
  readonly onRefusal: (words: string) => void;
  /** Told what the other end says about itself: the path of a request that is meant for the proxy. */
  readonly onReport: (path: string) => void;
  readonly limits?: ProxyLimits;
}

export interface Proxy {
  /** Ends all connections and removes the folder. Idempotent. */
  close(): Promise<void>;
}

export const socketName = 'proxy';

const defaultLimits: ProxyLimits = {
  connections: 128,
  headerBytes: 16 * 1024,
  // A model may think for minutes before its next word.
  idleMs: 15 * 60_000,
};

const plainPort = 80;

/** Linux only: the path of a socket may be short at most, so it goes over the descriptor of the folder. */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const { folder, limits = defaultLimits } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    // What is asked may take as long to send as it likes; the address alone tells where it goes.
    ...{ requestTimeout: 0, requireHostHeader: false },
  });
  const streams = new Set<Duplex>();
  const keep = (stream: Duplex): void => {
    streams.add(stream);
    stream.once('close', () => streams.delete(stream));
  };
  server.maxConnections = limits.connections;
  server.on('connection', (socket) => {
    keep(socket);
    socket.setTimeout(limits.idleMs, () => socket.destroy());
  });
  serve(server, options, keep);
  const path = `/proc/self/fd/${handle.fd}/${socketName}`;
  try {
    await once(server.listen(path), 'listening');
  } catch (error) {
    await handle.close();
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const ended = new Promise((resolve) => server.close(resolve));
    streams.forEach((stream) => stream.destroy());
    await ended;
    await handle.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { close: async () => (closed ??= close()) };
}

function serve(server: Server, options: ProxyOptions, keep: (stream: Duplex) => void): void {
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy());
    tunnel(request, client, head, { options, keep }).catch((error: unknown) =>
      answerRaw(client, 502, wordsOf(error)),
    );
  });
  server.on('request', (request, response) => {
    response.on('error', () => response.destroy());
    if (request.url?.startsWith('/') === true) {
      options.onReport(request.url);
      response.end();
      return;
    }
    forward(request, response, { options, keep }).catch((error: unknown) =>
      answer(response, 502, wordsOf(error)),
    );
  });
  server.on('clientError', (_error, client) => {
    answerRaw(client, 400, 'The request cannot be read.');
  });
}

interface Serving {
  readonly options: ProxyOptions;
  readonly keep: (stream: Duplex) => void;
}

async function tunnel(
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
  { options, keep }: Serving,
): Promise<void> {
  const target = parseTarget(request.url ?? '', undefined);
  const found = await check(target, options);
  if (target === undefined || !found.isAllowed) {
    answerRaw(client, 403, found.isAllowed ? '' : found.words);
    return;
  }
  const outer = await dialFirst(found.addresses, target.port);
  keep(outer);
  if (client.destroyed) {
    outer.destroy();
    return;
  }
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  if (head.length > 0) {
    outer.write(head);
  }
  joinStreams(client, outer);
}

/** Belongs to the connection between two programs and not to what is asked. */
const ownHeaders = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'host'],
]);

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { options, keep }: Serving,
): Promise<void> {
  const { target, path } = readUrl(request.url ?? '');
  const found = await check(target, options);
  if (target === undefined || !found.isAllowed) {
    answer(response, 403, found.isAllowed ? '' : found.words);
    return;
  }
  const socket = await dialFirst(found.addresses, target.port);
  keep(socket);
  const kept = Object.entries(request.headers).filter(([name]) => !ownHeaders.has(name));
  const outer = requestHttp({
    createConnection: () => socket,
    ...{ method: request.method ?? 'GET', path, setHost: false },
    // The address decides where the request goes, and what it says about that must be the same.
    headers: { ...Object.fromEntries(kept), host: hostHeader(target), connection: 'close' },
  });
  pipeline(request, outer, (error) => {
    if (error) {
      outer.destroy();
    }
  });
  outer.once('error', (error) => answer(response, 502, error.message));
  outer.once('response', (inner) => {
    const headers = Object.entries(inner.headers).filter(
      ([name, value]) => !ownHeaders.has(name) && value !== undefined,
    );
    response.writeHead(inner.statusCode ?? 502, Object.fromEntries(headers));
    pipeline(inner, response, () => socket.destroy());
  });
}

function readUrl(text: string): {
  readonly target: Target | undefined;
  readonly path: string;
} {
  const [, authority = '', rest = ''] = /^http:\/\/([^/?#]*)([^#]*)/i.exec(text) ?? [];
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  return { target: parseTarget(authority, plainPort), path };
}

function hostHeader(target: Target): string {
  return targetText(target).replace(/:80$/, '');
}

async function check(
  target: Target | undefined,
  { hosts, resolve, onRefusal }: ProxyOptions,
): Promise<Awaited<ReturnType<typeof checkTarget>>> {
  const found =
    target === undefined
      ? ({ isAllowed: false, words: 'wanted to reach an address that cannot be read' } as const)
      : await checkTarget(target, hosts, resolve);
  if (!found.isAllowed) {
    onRefusal(found.words);
  }
  return found;
}

function answer(response: ServerResponse, status: number, words: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(`This program ${words}.\n`);
}

function answerRaw(client: Duplex, status: number, words: string): void {
  const text = `This program ${words}.\n`;
  const name = status === 403 ? 'Forbidden' : status === 400 ? 'Bad Request' : 'Bad Gateway';
  client.end(
    `HTTP/1.1 ${status} ${name}\r\ncontent-type: text/plain; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
}

function wordsOf(error: unknown): string {
  return `got no connection: ${error instanceof Error ? error.message : String(error)}`;
}
