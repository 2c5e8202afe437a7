import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { ToolServerConfig } from '../../../../src/core/ports/backend-kind';
import { type McpBench, mcpBench } from './mcp-bench';
import { answer, answerTo, serve } from './web-server';

/** How a server deals with the call of its tool. */
type Deal = (response: ServerResponse, id: number) => void;

const events = { 'content-type': 'text/event-stream' };

const result = (id: number): string =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'late' }] } })}\n\n`;

/** A place to go on from, at once. */
const place = 'id: 1\nretry: 1\ndata:\n\n';

/** A server whose calls are dealt with so, and whose streams go on so; a call in it has no time limit that could end it. */
async function open(deal: Deal, goOn?: Deal): Promise<McpBench> {
  let called = 0;
  const server = await serve((request, response, body) => {
    const message = JSON.parse(body === '' ? '{}' : body) as { id?: number; method?: string };
    if (message.method === 'tools/call') {
      called = message.id ?? 0;
      deal(response, called);
    } else if (isGoingOn(request) && goOn !== undefined) {
      goOn(response, called);
    } else {
      answer(request, response, body);
    }
  });
  return mcpBench([{ ...atUrl(server.url, 'http'), callTimeoutMs: 3_600_000 }]);
}

const isGoingOn = ({ headers }: IncomingMessage): boolean => headers['last-event-id'] === '1';

function atUrl(url: string, type: 'http' | 'sse'): ToolServerConfig {
  return {
    name: 'web',
    transport: { type, url, headers: {} },
    ...{ excludedTools: [], isLocalAllowed: true },
  };
}

const lost = {
  isError: true,
  text: 'The server broke off before its answer was whole. It may have been carried out or not; ask again where that does no harm.',
};

describe('a call whose answer cannot come any more', () => {
  const begin = (response: ServerResponse, text: string): void => {
    response.writeHead(200, events).write(text);
  };
  const cut = (response: ServerResponse, type: string, text: string): void => {
    response.writeHead(200, { 'content-type': type, 'content-length': '1000' });
    response.write(text, () => response.destroy());
  };

  it.each<[string, Deal, Deal?]>([
    ['its stream ends', (response) => response.writeHead(200, events).end(': nothing\n\n')],
    ['its stream breaks off', (response) => cut(response, 'text/event-stream', 'data: {"jso')],
    [
      'its stream breaks off after the answer of another request',
      (response, id) => cut(response, 'text/event-stream', result(id + 1000)),
    ],
    ['its answer breaks off', (response) => cut(response, 'application/json', '{"jsonrpc":')],
    [
      'its stream cannot be gone on with',
      (response) => response.writeHead(200, events).end(place),
      (response) => response.writeHead(405).end(),
    ],
    [
      'the server is gone when its stream is gone on with',
      (response) => response.writeHead(200, events).end(place),
      (response) => response.destroy(),
    ],
    [
      'its stream ends again, without a place to go on from',
      (response) => response.writeHead(200, events).end(place),
      (response) => response.writeHead(200, events).end(': nothing\n\n'),
    ],
  ])('is told as one that may be made again: %s', async (_case, deal, goOn) => {
    const bench = await open(deal, goOn);
    expect(await bench.call('mcp__web__echo')).toEqual(lost);
  });

  it('is waited for where the stream can be gone on with, and where others end', async () => {
    const bench = await open(
      (response) => response.writeHead(200, events).end(place),
      (response, id) => {
        begin(response, ': wait\n\n');
        response.end(result(id));
      },
    );
    expect(await bench.call('mcp__web__echo')).toEqual({ text: 'late', isError: false });
    const plain = await open((response, id) => {
      begin(response, 'event: mess');
      response.end(`age\r\n${result(id)}`);
    });
    expect(await plain.call('mcp__web__echo')).toEqual({ text: 'late', isError: false });
  });

  it('ends with the one stream of a server of the old form, which is reached anew for the next', async () => {
    let stream: ServerResponse | undefined;
    let calls = 0;
    const server = await serve((request, response, body) => {
      if (request.method === 'GET') {
        stream = response.writeHead(200, events);
        stream.write('event: endpoint\ndata: /messages\n\n');
        return;
      }
      response.writeHead(202).end();
      const message = JSON.parse(body) as { id?: number; method?: string };
      calls += message.method === 'tools/call' ? 1 : 0;
      if (message.method === 'tools/call' && calls === 1) {
        stream?.destroy();
      } else if (message.id !== undefined) {
        stream?.write(`data: ${answerTo(message.id, message.method ?? '')}\n\n`);
      }
    });
    const bench = await mcpBench([{ ...atUrl(server.url, 'sse'), callTimeoutMs: 3_600_000 }]);
    const first = await bench.call('mcp__web__echo');
    expect(first.isError).toBe(true);
    expect(first.text).toContain('The server has ended.');
    expect(await bench.call('mcp__web__echo')).toEqual({ text: 'from the web', isError: false });
  });
});
