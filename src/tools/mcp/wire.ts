// What a server and we say to one another, apart from the package that knows the protocol.
import { MassGenError } from '../../core/errors';

/** What is told of a call or a greeting during which the server ended. */
export const serverEnded = 'The server has ended.';

/** What is told of a call whose answer will not come any more although its server may go on. */
export const brokenAnswer =
  'The server broke off before its answer was whole. It may have been carried out or not; ask again where that does no harm.';

export function brokenOff(cause: unknown): MassGenError {
  return new MassGenError('tool/failed', brokenAnswer, { cause });
}

/** Nothing at the server's address answers; `cause`: what the connection failed with. */
export function notReached(url: URL, cause: unknown): MassGenError {
  const why = reasonOf(cause);
  return new MassGenError(
    'tool/failed',
    `${url.origin} cannot be reached${why === '' ? '' : ` (${why})`}.`,
    { cause, hint: 'Look whether the server runs, and whether its url and the network are right.' },
  );
}

/** The platform's `fetch` says nothing itself: the reason is what caused its error. */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.message === 'fetch failed' ? error.cause : error;
  if (!(inner instanceof Error)) {
    return '';
  }
  return 'code' in inner && typeof inner.code === 'string' ? inner.code : inner.message;
}

/** Messages to and from one server; each is parsed JSON. */
export interface MessagePipe {
  /** Reads from now on. Called once. */
  open(on: PipeListeners): void;
  /** Resolves when the message is on its way; rejects when nobody reads any more. */
  send(message: unknown): Promise<void>;
  /** Resolves when nothing of the server runs any more. Idempotent. */
  close(): Promise<void>;
}

export interface PipeListeners {
  readonly onMessage: (message: unknown) => void;
  /** The other end is gone; called once. */
  readonly onClosed: () => void;
}

/** How a server is reached. */
export type ServerWay =
  | { readonly type: 'pipe'; readonly pipe: MessagePipe }
  | {
      readonly type: 'http' | 'sse';
      readonly url: URL;
      /** Adds headers and checks addresses. */
      readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
    };

export interface ConnectionListeners {
  /** The connection ended, by whomever. Called once at most. */
  readonly onClosed: () => void;
  readonly onToolsChanged: () => void;
}

/** A server that has been greeted. */
export interface Connection {
  readonly hasTools: boolean;
  readonly hasResources: boolean;
  readonly hasPrompts: boolean;
  /**
   * Members of the answer, unchecked. Throws `tool/failed` with the server's own sentence, or when the connection is gone.
   * An abort tells the server.
   */
  request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    onProgress: () => void,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>>;
  /** Resolves when nothing of the server runs any more, if it is ours. Idempotent. */
  close(): Promise<void>;
}
