import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { probeServers } from '../../../../src/backends/chatcompletion/local-servers';
import { closeAll, serve } from './service-fixture';

const never = new AbortController().signal;

afterEach(closeAll);

async function withServer(status: number, body: string): Promise<readonly unknown[]> {
  const server = createServer((_request, response) => {
    response.writeHead(status);
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    return await probeServers([{ name: 'Odd', port }], never);
  } finally {
    server.close();
  }
}

describe('looking for local servers', () => {
  it('finds a server with its models and passes over a closed port', async () => {
    const gone = await serve([]);
    const closedPort = Number(new URL(gone.baseUrl).port);
    await gone.close();
    const service = await serve([]);
    const port = Number(new URL(service.baseUrl).port);
    const found = await probeServers(
      [
        { name: 'Gone', port: closedPort },
        { name: 'Ollama', port },
      ],
      never,
    );
    expect(found).toEqual([{ name: 'Ollama', baseUrl: service.baseUrl, models: ['model-x'] }]);
    expect(service.journal[0]?.headers['authorization']).toBeUndefined();
  });

  it.each([
    [404, '{"data":[]}'],
    [200, 'hello'],
    [200, '{"models":[]}'],
    [200, 'x'.repeat(1_100_000)],
  ])('does not take a server that answers %i %.20s for a model server', async (status, body) => {
    expect(await withServer(status, body)).toEqual([]);
  });

  it('gives up when it is told to', async () => {
    const service = await serve([]);
    const port = Number(new URL(service.baseUrl).port);
    expect(await probeServers([{ name: 'X', port }], AbortSignal.abort())).toEqual([]);
  });
});
