// Where the browser comes back to after a sign-in.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onAbort } from '../../../base/abort';
import type { Disposable } from '../../../base/disposable';
import { MassGenError } from '../../../core/errors';

/** What the browser brings back. */
export interface Redirect {
  readonly code: string;
  /** Who says so, where that is told. */
  readonly issuer: string | undefined;
}

export interface RedirectListener extends Disposable {
  /** On this machine's own loopback, with a port that was free. */
  readonly address: string;
  /** Rejects with `tool/denied` when the person or the service refused, and with `cancelled/*`. */
  redirect(signal: AbortSignal): Promise<Redirect>;
}

const path = '/signed-in';

/** Takes nothing but what carries `state`; whatever else comes is answered and changes nothing. */
export async function listenForRedirect(state: string): Promise<RedirectListener> {
  let settle: (found: Redirect | MassGenError) => void = () => undefined;
  const found = new Promise<Redirect | MassGenError>((resolve) => {
    settle = resolve;
  });
  const server = createServer((request, response) => {
    const outcome = outcomeOf(request, state);
    answer(response, outcome);
    if (outcome !== undefined) {
      settle(outcome);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const at = server.address();
  const port = typeof at === 'object' && at !== null ? at.port : 0;
  return {
    address: `http://127.0.0.1:${port}${path}`,
    async redirect(signal): Promise<Redirect> {
      const tie = onAbort(signal, () =>
        settle(new MassGenError('cancelled/shutdown', 'The agent has ended.')),
      );
      try {
        const outcome = await found;
        signal.throwIfAborted();
        if (outcome instanceof MassGenError) {
          throw outcome;
        }
        return outcome;
      } finally {
        tie.dispose();
      }
    },
    dispose(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

function outcomeOf(
  { method, url = '' }: IncomingMessage,
  state: string,
): Redirect | MassGenError | undefined {
  const base = 'http://127.0.0.1';
  const asked = URL.canParse(url, base) ? new URL(url, base) : undefined;
  if (method !== 'GET' || asked?.pathname !== path || asked.searchParams.get('state') !== state) {
    return undefined;
  }
  const code = asked.searchParams.get('code');
  return code === null || code === ''
    ? new MassGenError('tool/denied', 'The sign-in was refused in the browser.')
    : { code, issuer: asked.searchParams.get('iss') ?? undefined };
}

function answer(response: ServerResponse, outcome: Redirect | MassGenError | undefined): void {
  const [status, words] =
    outcome === undefined
      ? [404, 'There is nothing here.']
      : outcome instanceof MassGenError
        ? [200, 'You are not signed in. You can close this page.']
        : [200, 'Go back to MassGen; this page can be closed.'];
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(`${words}\n`);
}
