// The only module that loads the package of the protocol; it is reached through `import()` alone.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  JSONRPCMessageSchema,
  McpError,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { linkAbort } from '../../base/abort';
import { clip } from '../../base/text';
import { MassGenError, isMassGenError } from '../../core/errors';
import { mostResumptions, tellingEnd, tellingLost } from './lost-answers';
import {
  brokenAnswer,
  type Connection,
  type ConnectionListeners,
  type MessagePipe,
  serverEnded,
  type ServerWay,
} from './wire';

/** Longest delay a timer can have: time limits are ours, by our own clock. */
const noTimeoutMs = 2_147_483_647;

/** Whoever shows it makes it shorter, after secrets were taken out: half of one would not be found. */
const longestMessage = 20_000;

/** How long the package waits, in ms, before it goes on with a stream that has ended and can be gone on with. */
const reconnection = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
};

const closedCode: number = ErrorCode.ConnectionClosed;

/** Greets a server. Throws `tool/failed`; the way is closed then. An abort ends the attempt. */
export async function connect(
  way: ServerWay,
  version: string,
  listeners: ConnectionListeners,
  signal: AbortSignal,
): Promise<Connection> {
  const client = createClient(version);
  let isClosed = false;
  client.onclose = () => {
    isClosed = true;
    listeners.onClosed();
  };
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    listeners.onToolsChanged();
  });
  const told: { refusal?: MassGenError } = {};
  const transport = transportFor(way, (refusal) => {
    told.refusal = refusal;
  });
  try {
    await client.connect(transport, { signal, timeout: noTimeoutMs });
  } catch (error) {
    await transport.close().catch(() => undefined);
    throw told.refusal ?? failure(error, isClosed);
  }
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  return {
    hasTools: tools !== undefined,
    hasResources: resources !== undefined,
    hasPrompts: prompts !== undefined,
    async request(method, params, onProgress, stop) {
      // The package never lets go of a signal, so each request has its own.
      const own = linkAbort(stop);
      try {
        const options = { signal: own.signal, timeout: noTimeoutMs, onprogress: onProgress };
        return await client.request({ method, params: { ...params } }, ResultSchema, options);
      } catch (error) {
        throw failure(error, isClosed);
      } finally {
        own.dispose();
      }
    },
    async close(): Promise<void> {
      if (transport instanceof StreamableHTTPClientTransport && !isClosed) {
        await transport.terminateSession().catch(() => undefined);
      }
      await transport.close();
    },
  };
}

function createClient(version: string): Client {
  return new Client(
    { name: 'massgen', version },
    {
      // What a server asks of us (a model, a form, folders) is answered by the package: there is no such method here.
      capabilities: {},
      // Schemas of servers are never run: some take forever.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({
          valid: true,
          // The package wants the type that it was asked for; nothing here asks for one.
          data: input as never,
          errorMessage: undefined,
        }),
      },
    },
  );
}

function failure(error: unknown, isClosed: boolean): MassGenError {
  if (isMassGenError(error)) {
    return error;
  }
  const hasEnded = isClosed && error instanceof McpError && error.code === closedCode;
  const message = hasEnded ? serverEnded : clip(wordsOf(error), longestMessage);
  return new MassGenError('tool/failed', message, { cause: error });
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  // The package writes its own number before the sentence of a server.
  return error.message.replace(/^MCP error -?\d+: /, '');
}

type OnRefusal = (refusal: MassGenError) => void;

function transportFor(way: ServerWay, onRefusal: OnRefusal): Transport {
  switch (way.type) {
    case 'pipe':
      return new PipeTransport(way.pipe);
    case 'http':
      return postingTransport(way);
    case 'sse':
      return streamTransport(way, onRefusal);
  }
}

type Web = Exclude<ServerWay, { readonly type: 'pipe' }>;

function postingTransport(way: Web): Transport {
  const fetch = tellingLost(way.fetch, (id) => {
    const error = { code: closedCode, message: brokenAnswer };
    transport.onmessage?.({ jsonrpc: '2.0', id, error });
  });
  const reconnectionOptions = { ...reconnection, maxRetries: mostResumptions };
  const transport = new StreamableHTTPClientTransport(way.url, { fetch, reconnectionOptions });
  return transport;
}

/** What our own `fetch` throws would come back in words of the package, without what can be done. */
function streamTransport(way: Web, onRefusal: OnRefusal): Transport {
  const asked: Web['fetch'] = async (url, init) => {
    try {
      return await way.fetch(url, init);
    } catch (error) {
      if (isMassGenError(error)) {
        onRefusal(error);
      }
      throw error;
    }
  };
  const fetch = tellingEnd(asked, () => void transport.close());
  // Servers that have nothing else are still in use; the check of a team file advises against them.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- as above
  const transport = new SSEClientTransport(way.url, { fetch });
  return transport;
}

/** Drops what is no message of the protocol. */
class PipeTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #pipe: MessagePipe;

  constructor(pipe: MessagePipe) {
    this.#pipe = pipe;
  }

  async start(): Promise<void> {
    this.#pipe.open({
      onMessage: (message) => {
        const parsed = JSONRPCMessageSchema.safeParse(message);
        if (parsed.success) {
          this.onmessage?.(parsed.data);
        }
      },
      onClosed: () => this.onclose?.(),
    });
  }

  async send(message: unknown): Promise<void> {
    await this.#pipe.send(message);
  }

  async close(): Promise<void> {
    await this.#pipe.close();
  }
}
