// The fake model service as a process of its own: `node main.mjs SCRIPT.json`. Writes one line with its address to
// standard output, serves `GET /journal` on a second loopback port, and ends when standard input closes.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { startFakeModelService } from './fake-model-service';
import { isObject } from './request-check';
import type { ServiceScript } from './script';

async function main(scriptFile: string): Promise<void> {
  const script: unknown = JSON.parse(readFileSync(scriptFile, 'utf8'));
  if (!isServiceScript(script)) {
    throw new Error(`${scriptFile} is not a script of the fake model service`);
  }
  const service = await startFakeModelService(script);
  const control = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(service.journal));
  });
  await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve));
  const address = control.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const addresses = { baseUrl: service.baseUrl, journalUrl: `http://127.0.0.1:${port}/journal` };
  process.stdout.write(`${JSON.stringify(addresses)}\n`);
  process.stdin.on('end', () => {
    control.close();
    control.closeAllConnections();
    void service.close();
  });
  process.stdin.resume();
}

function isServiceScript(value: unknown): value is ServiceScript {
  return isObject(value) && isObject(value['models']);
}

await main(process.argv[2] ?? '');
