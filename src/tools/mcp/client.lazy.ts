// The only module that loads the package of the protocol; it is reached through `import()` alone.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  JSONRPCMessageSchema,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { MassGenError } from '../../core/errors';
import type { Connection, ConnectionListeners, MessagePipe, ServerWay } from './wire';

/** Longest delay a timer can have: time limits are ours, by our own clock. */
const noTimeoutMs = 2_147_483_647;

/** Greets a server. Throws `tool/failed`; the way is closed then. An abort ends the attempt. */
export async function connect(
  way: ServerWay,
  version: string,
  listeners: ConnectionListeners,
  signal: AbortSignal,
): Promise<Connection> {
  const client = new Client(
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
  let isClosed = false;
  client.onclose = () => {
    isClosed = true;
    listeners.onClosed();
  };
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    listeners.onToolsChanged();
  });
  const transport = transportFor(way);
  try {
    await client.connect(transport, { signal, timeout: noTimeoutMs });
  } catch (error) {
    await transport.close().catch(() => undefined);
    throw failure(error, isClosed);
  }
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  return {
    hasTools: tools !== undefined,
    hasResources: resources !== undefined,
    hasPrompts: prompts !== undefined,
    async request(method, params, onProgress, stop) {
      try {
        const options = { signal: stop, timeout: noTimeoutMs, onprogress: onProgress };
        return await client.request({ method, params: { ...params } }, ResultSchema, options);
      } catch (error) {
        throw failure(error, isClosed);
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

function failure(error: unknown, isClosed: boolean): MassGenError {
  const words = error instanceof Error ? error.message : String(error);
  const message = isClosed ? 'The server has ended.' : withoutCode(words);
  return new MassGenError('tool/failed', message, { cause: error });
}

/** The package writes its own number before the sentence of a server. */
function withoutCode(words: string): string {
  return words.replace(/^MCP error -?\d+: /, '');
}

function transportFor(way: ServerWay): Transport {
  switch (way.type) {
    case 'pipe':
      return new PipeTransport(way.pipe);
    case 'http':
      return new StreamableHTTPClientTransport(way.url, { fetch: way.fetch });
    case 'sse':
      // Servers that have nothing else are still in use; the check of a team file advises against them.
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- as above
      return new SSEClientTransport(way.url, { fetch: way.fetch });
  }
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
