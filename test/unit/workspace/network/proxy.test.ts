// The proxy on its own, in front of servers on this machine's loopback.
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import type { Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HostList } from '../../../../src/workspace/network/host-list';
import type { ProxyOptions } from '../../../../src/workspace/network/proxy';
import { startProxy } from '../../../../src/workspace/network/proxy';
import { tempFolder } from '../temp-project';

interface TestProxy {
  readonly path: string;
  readonly refusals: readonly string[];
  readonly asked: readonly string[];
  readonly reports: readonly string[];
  readonly close: () => Promise<void>;
}

async function proxy(
  hosts: readonly string[],
  names: Readonly<Record<string, readonly string[]>> = {},
  limits?: ProxyOptions['limits'],
): Promise<TestProxy> {
  const folder = join(tempFolder(), 'way-out');
  const [refusals, asked, reports]: [string[], string[], string[]] = [[], [], []];
  const started = await startProxy({
    ...{ folder, hosts: new HostList(hosts) },
    resolve: async (host) => {
      asked.push(host);
      const found = names[host];
      if (found === undefined) {
        throw new Error(`${host} is not known`);
      }
      return found;
    },
    onRefusal: (words) => refusals.push(words),
    onReport: (path) => reports.push(path),
    ...(limits === undefined ? {} : { limits }),
  });
  const close = async (): Promise<void> => started.close();
  onTestFinished(close);
  return { path: join(folder, 'proxy'), refusals, asked, reports, close };
}

async function listening(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Answers everything it got, turned around, once the other side has ended. */
async function backwards(): Promise<number> {
  return listening(
    createServer({ allowHalfOpen: true }, (socket) => {
      let said = '';
      socket.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')));
      socket.on('end', () => socket.end(Buffer.from(said, 'latin1').reverse()));
    }),
  );
}

function dial(path: string): Socket {
  const socket = connect({ path, allowHalfOpen: true });
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Sends a text and answers all that comes back until the other side ends. */
async function ask(path: string, text: string): Promise<string> {
  const socket = dial(path);
  let said = '';
  socket.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')));
  socket.once('end', () => socket.end());
  socket.write(text);
  await new Promise((resolve) => socket.once('close', resolve));
  return said;
}

/** The same through a tunnel; the client says all at once and ends its side. */
async function tunnel(path: string, place: string, text: string): Promise<string> {
  const socket = dial(path);
  let said = '';
  socket.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')));
  socket.end(`CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n\r\n${text}`);
  await new Promise((resolve) => socket.once('close', resolve));
  return said;
}

describe('a tunnel', () => {
  test('leads to a listed address, also when the client has said all first', async () => {
    const port = await backwards();
    const { path, refusals } = await proxy([`127.0.0.1:${port}`]);
    const said = await tunnel(path, `127.0.0.1:${port}`, 'abc');
    expect(said).toBe('HTTP/1.1 200 Connection Established\r\n\r\ncba');
    expect(refusals).toEqual([]);
  });

  test('brings everything of a long answer, although the server has long ended', async () => {
    const port = await listening(
      createServer((socket) => socket.end(Buffer.alloc(5_000_000, 'x'))),
    );
    const { path } = await proxy([`127.0.0.1:${port}`]);
    const said = await tunnel(path, `127.0.0.1:${port}`, '');
    expect(said.length - 'HTTP/1.1 200 Connection Established\r\n\r\n'.length).toBe(5_000_000);
  });

  test('leads to no other port, host or spelling of one, and no name is asked for then', async () => {
    const port = await backwards();
    const { path, refusals, asked } = await proxy([`127.0.0.1:${port}`, 'a.example'], {
      'b.example': ['127.0.0.1'],
    });
    const places = ['127.0.0.1:1', 'b.example:443', 'a.example:444', 'x.a.example:443', '[::1]:5'];
    for (const place of places) {
      expect(await tunnel(path, place, 'abc')).toContain('HTTP/1.1 403 Forbidden');
    }
    expect(refusals).toEqual(
      places.map((place) => `wanted to reach ${place}; it is not on its list`),
    );
    expect(asked).toEqual([]);
  });

  test.each(['a.example', 'user@a.example:443', 'a.example%00:443', 'a.example:443:1', '/:443'])(
    'to %s is refused as an address that cannot be read',
    async (place) => {
      const { path, refusals } = await proxy(['a.example']);
      const said = await tunnel(path, place, '');
      expect(said).toMatch(/^HTTP\/1\.1 40[03] /);
      expect(refusals.filter((words) => !words.includes('cannot be read'))).toEqual([]);
    },
  );

  test('to a listed name that leads inside is refused, and nothing is dialed', async () => {
    let count = 0;
    const port = await listening(createServer(() => (count += 1)));
    const { path, refusals } = await proxy([`rebound.example:${port}`], {
      'rebound.example': ['::ffff:127.0.0.1', '10.0.0.1'],
    });
    expect(await tunnel(path, `rebound.example:${port}`, '')).toContain('403 Forbidden');
    expect(refusals).toEqual([
      `wanted to reach rebound.example:${port}; that leads to 127.0.0.1, which is not on its list and not on the open internet`,
    ]);
    expect(count).toBe(0);
  });

  test('to a listed name is dialed at the very address that was checked, after asking once', async () => {
    const port = await backwards();
    const addresses = ['10.255.255.1', '127.0.0.1'];
    const { path, asked } = await proxy([`own.example:${port}`, `127.0.0.1:${port}`], {
      'own.example': addresses,
    });
    expect(await tunnel(path, `OWN.example.:${port}`, 'abc')).toContain('\r\n\r\ncba');
    expect(asked).toEqual(['own.example']);
  });

  test('to a name without an address, or where nobody listens, says so and is no refusal', async () => {
    const server = createServer();
    const port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    const { path, refusals } = await proxy(['gone.example', `127.0.0.1:${port}`]);
    expect(await tunnel(path, 'gone.example:443', '')).toContain('502 Bad Gateway');
    expect(await tunnel(path, `127.0.0.1:${port}`, '')).toContain('ECONNREFUSED');
    expect(refusals).toEqual([]);
  });
});

describe('a plain request', () => {
  async function mirror(): Promise<number> {
    return listening(
      createHttpServer((request: IncomingMessage, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')));
        request.on('end', () => {
          const { method, url, headers } = request;
          response.writeHead(201, { 'x-answer': 'yes' });
          response.end(JSON.stringify({ method, url, headers, body }));
        });
      }),
    );
  }

  test('goes to the address it names, whatever its Host says, without the headers for the proxy', async () => {
    const port = await mirror();
    const { path } = await proxy([`127.0.0.1:${port}`]);
    const said = await ask(
      path,
      `POST http://127.1:${port}/a?b=c HTTP/1.1\r\nHost: evil.example\r\nProxy-Authorization: Basic eA==\r\n` +
        'X-Own: 1\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody',
    );
    expect(said).toContain('HTTP/1.1 201 Created');
    expect(said).toContain('x-answer: yes');
    const json = /\{.*\}/.exec(said)?.[0] ?? '';
    expect(JSON.parse(json)).toEqual({
      ...{ method: 'POST', url: '/a?b=c', body: 'body' },
      headers: {
        ...{ 'x-own': '1', 'content-length': '4', host: `127.0.0.1:${port}` },
        connection: 'close',
      },
    });
  });

  test.each([
    'http://b.example/',
    'https://a.example/',
    'http://user:key@a.example/',
    'ftp://a.example/',
    'http:///a.example',
  ])('to %s is refused', async (url) => {
    const { path, refusals } = await proxy(['a.example:80', 'a.example']);
    const request = `GET ${url} HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n`;
    expect(await ask(path, request)).toContain('HTTP/1.1 403 Forbidden');
    expect(refusals.length).toBe(1);
  });

  test('that is meant for the proxy itself is a report', async () => {
    const { path, reports } = await proxy([]);
    await ask(path, 'GET /begun HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(reports).toEqual(['/begun']);
  });
});

describe('a proxy', () => {
  const limits = { connections: 100, headerBytes: 16_384, idleMs: 60_000 };

  test('lies in a folder for its user alone, which is gone with it and all its connections', async () => {
    const held: Socket[] = [];
    const port = await listening(createServer((socket) => held.push(socket.resume())));
    const { path, close } = await proxy([`127.0.0.1:${port}`]);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
    const client = dial(path);
    client.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`);
    await once(client, 'data');
    await close();
    client.end();
    await expect
      .poll(() => held.map((socket) => socket.destroyed || socket.readableEnded))
      .toEqual([true]);
    held.forEach((socket) => socket.destroy());
    expect(existsSync(join(path, '..'))).toBe(false);
  });

  test('reads no endless headers', async () => {
    const { path } = await proxy([], {}, { ...limits, headerBytes: 1000 });
    const said = await ask(path, `GET /begun HTTP/1.1\r\nX: ${'x'.repeat(5000)}\r\n\r\n`);
    expect(said).toContain('400 Bad Request');
  });

  test('ends a connection on which nothing moves', async () => {
    const { path } = await proxy([], {}, { ...limits, idleMs: 50 });
    expect(await ask(path, 'GET /begun HTTP/1.1\r\nX: ')).toBe('');
  });

  test('takes no more connections than it may', async () => {
    const { path } = await proxy([], {}, { ...limits, connections: 1 });
    const first = dial(path);
    first.write('GET /begun HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(first, 'data');
    expect(await ask(path, 'GET /begun HTTP/1.1\r\nHost: x\r\n\r\n')).toBe('');
  });
});
