// The only module that imports the SDK of the Agent Client Protocol.
import {
  type AnyMessage,
  type ClientConnection,
  client,
  methods,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import { asObject } from '../../wire/json-reading';
import type { LineProgram } from '../line-program';

export interface AcpHandlers {
  /** `params` of an update, unchecked. */
  onUpdate(params: unknown): void;
  onPermission(request: RequestPermissionRequest): Promise<RequestPermissionResponse>;
}

export interface AcpWire {
  /** Result unchecked. Rejects with what the agent says, and when the connection is closed. */
  request(method: string, params: unknown): Promise<unknown>;
  notify(method: string, params: unknown): Promise<void>;
  /** Takes what the program said. */
  receive(message: unknown): void;
  close(): void;
}

/** Speaks over the lines of a program; its lines are to be handed to `receive`. */
export function connectAcp(program: LineProgram, handlers: AcpHandlers): AcpWire {
  let incoming: ReadableStreamDefaultController<AnyMessage> | undefined;
  const readable = new ReadableStream<AnyMessage>({
    start(controller) {
      incoming = controller;
    },
  });
  const writable = new WritableStream<AnyMessage>({
    write: async (message) => program.send(message),
  });
  const connection: ClientConnection = client({ name: 'massgen' })
    .onRequest(methods.client.session.requestPermission, async ({ params }) =>
      handlers.onPermission(params),
    )
    .connect({ readable, writable });
  connection.closed.catch(() => undefined);
  return {
    request: async (method, params) => connection.agent.request(method, params),
    notify: async (method, params) => connection.agent.notify(method, params),
    receive(message) {
      const { method, params } = asObject(message) ?? {};
      if (method === methods.client.session.update) {
        // Past the SDK, which knows a closed list of updates: an agent may be newer.
        handlers.onUpdate(params);
      } else if (isMessage(message) && !connection.signal.aborted) {
        incoming?.enqueue(message);
      }
    },
    close: () => connection.close(),
  };
}

function isMessage(value: unknown): value is AnyMessage {
  return asObject(value)?.['jsonrpc'] === '2.0';
}
