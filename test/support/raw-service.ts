import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';

export interface RawService {
  /** Without a path. */
  readonly origin: string;
  /** What every request from now on gets, in these pieces; `isBroken`: the connection breaks after the last one. */
  answer(pieces: readonly Uint8Array[], isBroken?: boolean): void;
  close(): Promise<void>;
}

/** A service that answers with any bytes at all. */
export async function startRawService(): Promise<RawService> {
  let planned: { readonly pieces: readonly Uint8Array[]; readonly isBroken: boolean };
  planned = { pieces: [], isBroken: false };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { pieces, isBroken } = planned;
    request.resume();
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      send(response, pieces, isBroken);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    answer(pieces, isBroken = false) {
      planned = { pieces, isBroken };
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

/** One piece after the other has left, so that most of them arrive alone. */
function send(response: ServerResponse, pieces: readonly Uint8Array[], isBroken: boolean): void {
  const [piece, ...rest] = pieces;
  if (response.destroyed) {
    return;
  }
  if (piece === undefined) {
    if (isBroken) {
      response.destroy();
    } else {
      response.end();
    }
    return;
  }
  response.write(piece, () => setImmediate(() => send(response, rest, isBroken)));
}
