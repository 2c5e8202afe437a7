import { describe, expect, it } from 'vitest';
import type { ToolServerConfig } from '../../../../src/core/ports/backend-kind';
import { openAddresses } from '../../../../src/workspace/network/open-addresses';
import { type McpBench, mcpBench } from './mcp-bench';
import { answer, serve } from './web-server';

function web(url: string, more: Partial<ToolServerConfig> = {}): ToolServerConfig {
  const headers = { Authorization: 'Bearer ${WEB_TOKEN}' };
  return {
    name: 'web',
    transport: { type: 'http', url, headers },
    ...{ excludedTools: [], isLocalAllowed: true, ...more },
  };
}

async function open(server: ToolServerConfig): Promise<McpBench> {
  return mcpBench([server], {
    secrets: { get: async () => 'token-of-the-user' },
    openAddresses: openAddresses(),
  });
}

const failureOf = (bench: McpBench): string | undefined =>
  bench.changes.find(({ status }) => status === 'failed')?.message;

describe('a server that is reached over the network', () => {
  it('gets its key with each request, and its calls are asked about as not confined', async () => {
    const server = await serve();
    const bench = await open(web(server.url));
    expect(await bench.call('mcp__web__echo')).toEqual({ text: 'from the web', isError: false });
    expect(bench.asked).toEqual([{ command: 'mcp__web__echo {}', isConfined: false }]);
    expect(server.seen.length).toBeGreaterThan(3);
    expect(new Set(server.seen.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer token-of-the-user']),
    );
  });

  it.each([
    [true, 'http', 'http://127.0.0.1:2', 'ECONNREFUSED'],
    [true, 'sse', 'http://127.0.0.1:2', 'ECONNREFUSED'],
    [false, 'http', 'http://127.0.0.1:2', 'ECONNREFUSED'],
    [true, 'http', 'http://127.0.0.1:6000', 'bad port'],
  ] as const)(
    'that cannot be reached (inner ones allowed: %s, %s, %s) is told with its address and what to do',
    async (isLocalAllowed, type, origin, reason) => {
      const transport = { type, url: `${origin}/mcp`, headers: {} };
      const bench = await mcpBench([web('', { transport, isLocalAllowed })], {
        // The address is let through as one of the open internet is.
        openAddresses: async () => ['127.0.0.1'],
      });
      await bench.tools();
      expect(failureOf(bench)).toContain(
        `${origin} cannot be reached (${reason}). Look whether the server runs, and whether its url and the network are right.`,
      );
    },
  );

  it('on this machine gets nothing unless that is permitted', async () => {
    const server = await serve();
    const bench = await open(web(server.url, { isLocalAllowed: false }));
    expect(await bench.tools()).toEqual([]);
    expect(failureOf(bench)).toContain(
      '127.0.0.1 leads to 127.0.0.1, which is not on the open internet',
    );
    expect(server.seen).toEqual([]);
  });

  it('whose name leads to this machine gets nothing either', async () => {
    const server = await serve();
    const url = server.url.replace('127.0.0.1', 'localhost');
    const bench = await open(web(url, { isLocalAllowed: false }));
    expect(await bench.tools()).toEqual([]);
    expect(failureOf(bench)).toContain('not on the open internet');
    expect(server.seen).toEqual([]);
  });

  it('cannot send us and our key on to another place', async () => {
    const sink = await serve();
    const server = await serve((_request, response) => {
      response.writeHead(307, { location: sink.url }).end();
    });
    const bench = await open(web(server.url));
    expect(await bench.tools()).toEqual([]);
    expect(failureOf(bench)).toContain(`sends its callers on to ${new URL(sink.url).origin}`);
    expect(sink.seen).toEqual([]);
  });

  it('of the old form cannot name another place for our messages', async () => {
    const sink = await serve();
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: ${sink.url}\n\n`);
    });
    const { transport } = web(server.url);
    const bench = await open(
      web(server.url, {
        transport: { ...transport, type: 'sse' } as ToolServerConfig['transport'],
      }),
    );
    expect(await bench.tools()).toEqual([]);
    expect(failureOf(bench)).toBeDefined();
    expect(sink.seen).toEqual([]);
  });

  it('that refuses us is told without our key', async () => {
    const server = await serve((request, response) => {
      response.writeHead(401).end(`bad key ${request.headers.authorization ?? ''}`);
    });
    const bench = await mcpBench([web(server.url)], {
      secrets: { get: async () => 'token-of-the-user' },
      redact: (text) => text.replaceAll('token-of-the-user', '[secret removed]'),
    });
    expect(await bench.tools()).toEqual([]);
    expect(failureOf(bench)).toBeDefined();
    expect(JSON.stringify(bench.changes)).not.toContain('token-of-the-user');
  });

  it.each(['application/json', 'text/event-stream'])(
    'cannot fill the memory with an answer that never ends: %s',
    async (type) => {
      let sent = 0;
      const server = await serve((request, response, body) => {
        if (!body.includes('tools/call')) {
          answer(request, response, body);
          return;
        }
        response.writeHead(200, { 'content-type': type });
        const piece = `data: ${'x'.repeat(793)}\n`.repeat(1_000);
        const flow = (): void => {
          while (!response.destroyed && response.write(piece)) {
            sent += piece.length;
          }
        };
        response.on('drain', flow);
        response.on('error', () => undefined);
        flow();
        response.on('close', () => (sent += 1_000_000_000));
      });
      const bench = await open({ ...web(server.url), callTimeoutMs: 5_000 });
      const { isError } = await bench.call('mcp__web__echo');
      expect(isError).toBe(true);
      while (sent < 1_000_000_000) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect(sent - 1_000_000_000).toBeLessThan(200_000_000);
    },
  );

  it('gets no key that is no header, and no part of it is told', async () => {
    const server = await serve();
    const bench = await mcpBench([web(server.url)], {
      secrets: { get: async () => 'first-half\nother-half' },
    });
    expect(await bench.tools()).toEqual([]);
    expect(failureOf(bench)).toContain('The header Authorization cannot be sent as it is.');
    expect(JSON.stringify(bench.changes)).not.toContain('half');
  });

  it('cannot be elsewhere by the value of a variable', async () => {
    const bench = await mcpBench([web('https://a.example/${PLACE}')], {
      secrets: { get: async () => '../..\\@evil.example/' },
      openAddresses: async () => [],
    });
    await bench.tools();
    expect(bench.changes.at(-1)?.status).toBe('failed');
  });

  it('of the open internet is connected to where it was checked, wherever its name leads by then', async () => {
    const server = await serve();
    const { port } = new URL(server.url);
    const checked: string[] = [];
    // No system resolves this name, so nothing but the checked address can be what was reached.
    const bench = await mcpBench(
      [web(`http://rebinds.invalid:${port}/mcp`, { isLocalAllowed: false })],
      {
        secrets: { get: async () => 'token-of-the-user' },
        openAddresses: async (host) => {
          checked.push(host);
          return ['127.0.0.1'];
        },
      },
    );
    expect(await bench.call('mcp__web__echo')).toEqual({ text: 'from the web', isError: false });
    expect(checked).toHaveLength(server.seen.length);
    expect(new Set(server.seen.map(({ headers }) => headers.host))).toEqual(
      new Set([`rebinds.invalid:${port}`]),
    );
  });

  it.each([
    [{ isLocalAllowed: false }, 'request'],
    [{ isLocalAllowed: true }, 'tool'],
  ] as const)('is asked about by whether a call may leave this machine: %j', async (more, as) => {
    const server = await serve();
    const bench = await mcpBench([web(server.url, more)], {
      secrets: { get: async () => 'token-of-the-user' },
      openAddresses: async () => ['127.0.0.1'],
    });
    await bench.call('mcp__web__echo');
    expect(bench.askedAs).toEqual([as]);
  });
});
