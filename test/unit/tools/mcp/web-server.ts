// A server of tools on this machine, over HTTP.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Handle = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Answers of a server by the method that it is asked for. */
const answers: Readonly<Record<string, unknown>> = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'web', version: '1' },
  },
  'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'from the web' }] },
};

export const answerTo = (id: number, method: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] });

export const answer: Handle = (_request, response, body) => {
  const message = JSON.parse(body === '' ? '{}' : body) as { id?: number; method?: string };
  if (message.id === undefined) {
    response.writeHead(body === '' ? 405 : 202).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(answerTo(message.id, message.method ?? ''));
};

export interface WebServer {
  readonly url: string;
  /** Requests that came, in order. */
  readonly seen: IncomingMessage[];
}

export async function serve(handle: Handle = answer): Promise<WebServer> {
  const seen: IncomingMessage[] = [];
  const server: Server = createServer((request, response) => {
    seen.push(request);
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => handle(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, seen };
}
