import { linkAbort } from '../../base/abort';
import { DisposableStore } from '../../base/disposable';
import { MassGenError, isCancelled, isMassGenError } from '../../core/errors';
import type { BackendServices } from '../../core/ports/backend-kind';
import type {
  BackendPart,
  ModelBackend,
  ModelCapabilities,
  ModelRequest,
} from '../../core/ports/model-backend';
import type { AnswerReader } from './answer-reader';
import type { Endpoint } from './endpoint';
import { toMassGenError } from './errors';
import type { LoadedKey } from './load-key';
import { withTruePictures } from './pictures';
import { isUnnamedRefusal, refusedParameterOf } from './refused-parameter';
import { type SilenceWatch, watchSilence } from './silence-watch';
import { WireError } from './wire-fault';

/** How one service is spoken to; everything else is the same for all. */
export interface WireProtocol<Body> {
  readonly capabilities: ModelCapabilities;
  /** Optional members of a body that may be left out when the service says that it does not take them. */
  readonly droppable: ReadonlySet<string>;
  /**
   * The member that asks for an answer in the form of a schema. As the words ask for it, too, it is left out whatever else a
   * service says against a request that has one. Absent: there is none.
   */
  readonly outputFormat?: string;
  /** `refused`: members that this service has refused before. */
  toBody(request: ModelRequest, refused: ReadonlySet<string>): Body;
  /** Told to people once per member. */
  readonly onRefused?: (name: string) => BackendPart | undefined;
  createReader(request: ModelRequest): AnswerReader;
  /**
   * Sends one request and yields the parsed chunks, those together that came at once, unchecked. Throws `WireError`; ends
   * early and without an error when `signal` aborts. Leaving the iteration closes the connection.
   */
  open(body: Body, onBytes: () => void, signal: AbortSignal): AsyncIterable<readonly unknown[]>;
}

export interface WireBackendParts<Body> {
  readonly protocol: WireProtocol<Body>;
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly key: LoadedKey | undefined;
  /** Longest silence of the service, ms. */
  readonly silenceMs: number;
  /** Longest time of one call, ms. */
  readonly totalMs: number;
  readonly services: Pick<BackendServices, 'clock' | 'logger'>;
}

/** So long after its end a stream may stay open, ms: counts may follow, but some services never close it. */
const longestFarewellMs = 10_000;

/** A service that pauses more often than this in one answer does not come to an end. */
const mostPauses = 20;

/** One agent's connection to a service: watchdogs, cancellation and typed errors around a protocol. */
export class WireBackend<Body> implements ModelBackend {
  readonly capabilities: ModelCapabilities;
  readonly #parts: WireBackendParts<Body>;
  /** Members that the service has refused once. */
  readonly #refused = new Set<string>();

  constructor(parts: WireBackendParts<Body>) {
    this.#parts = parts;
    this.capabilities = parts.protocol.capabilities;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<BackendPart> {
    const { clock } = this.#parts.services;
    const { silenceMs, totalMs } = this.#parts;
    const branch = linkAbort(signal);
    const watch = watchSilence(clock, silenceMs, () => branch.abort(this.#silenceError()));
    const own = new DisposableStore();
    own.add(watch);
    own.add(clock.after(totalMs, () => branch.abort(this.#totalError())));
    try {
      for await (const parts of this.#attempt(withTruePictures(request), branch.signal, watch)) {
        for (const part of parts) {
          yield part;
        }
      }
    } catch (error) {
      yield toEnd(this.#toError(error, branch.signal));
    } finally {
      own.dispose();
      branch.dispose();
    }
  }

  async close(): Promise<void> {
    // Each stream closes its own connection.
  }

  /** Sends the request, and again without a member that the service does not take. */
  async *#attempt(
    request: ModelRequest,
    signal: AbortSignal,
    watch: SilenceWatch,
  ): AsyncGenerator<readonly BackendPart[]> {
    for (;;) {
      let hasBegun = false;
      try {
        for await (const parts of this.#answer(request, signal, watch)) {
          hasBegun = true;
          yield parts;
        }
        return;
      } catch (error) {
        const name = error instanceof WireError ? this.#droppable(error, request) : undefined;
        // An answer that has begun is not told a second time from its beginning.
        if (name === undefined || signal.aborted || hasBegun) {
          throw error;
        }
        this.#refused.add(name);
        const { logger } = this.#parts.services;
        logger.warn('backend', `${this.#parts.endpoint.host} does not take ${name}; left out`);
        const notice = this.#parts.protocol.onRefused?.(name);
        if (notice !== undefined) {
          yield [notice];
        }
      }
    }
  }

  /** One answer: a single stream, or several when the service pauses. */
  async *#answer(
    request: ModelRequest,
    signal: AbortSignal,
    watch: SilenceWatch,
  ): AsyncGenerator<readonly BackendPart[]> {
    const { protocol } = this.#parts;
    const reader = protocol.createReader(request);
    let next: ModelRequest | undefined = request;
    try {
      for (let pauses = 0; next !== undefined; pauses++) {
        if (pauses > mostPauses) {
          throw new WireError({ kind: 'malformed', detail: 'it has no end' });
        }
        yield* this.#stream(next, { reader, watch }, signal);
        next = reader.follow?.();
      }
      yield reader.finish();
    } catch (error) {
      const usage = reader.usage();
      if (usage !== undefined) {
        yield [usage];
      }
      throw error;
    }
  }

  async *#stream(
    request: ModelRequest,
    { reader, watch }: { readonly reader: AnswerReader; readonly watch: SilenceWatch },
    signal: AbortSignal,
  ): AsyncGenerator<readonly BackendPart[]> {
    signal.throwIfAborted();
    const { protocol } = this.#parts;
    const body = protocol.toBody(request, this.#refused);
    const own = new DisposableStore();
    const branch = own.add(linkAbort(signal));
    const leave = (): void => branch.abort(new MassGenError('cancelled/superseded', 'it is over'));
    let isLeaving = false;
    try {
      for await (const chunks of protocol.open(body, () => watch.touch(), branch.signal)) {
        const { parts, thrown } = readAll(reader, chunks);
        if (parts.length > 0) {
          yield parts;
        }
        if (thrown !== undefined) {
          throw thrown.error;
        }
        if (reader.isFinished && !isLeaving) {
          isLeaving = true;
          own.add(this.#parts.services.clock.after(longestFarewellMs, leave));
        }
      }
    } catch (error) {
      if (!reader.isFinished) {
        throw error;
      }
    } finally {
      own.dispose();
    }
    if (!reader.isFinished) {
      // On abort the loop of a client just ends.
      signal.throwIfAborted();
    }
  }

  #droppable({ fault }: WireError, { outputSchema }: ModelRequest): string | undefined {
    const { droppable, outputFormat } = this.#parts.protocol;
    const formats = outputSchema === undefined || outputFormat === undefined ? [] : [outputFormat];
    const [format] = formats.filter((name) => !this.#refused.has(name));
    const candidates = [...droppable, ...formats].filter((name) => !this.#refused.has(name));
    const named = refusedParameterOf(fault, new Set(candidates));
    return named ?? (isUnnamedRefusal(fault) ? format : undefined);
  }

  #silenceError(): MassGenError {
    const seconds = Math.round(this.#parts.silenceMs / 1000);
    return new MassGenError(
      'backend/network',
      `${this.#parts.endpoint.host} was silent for ${seconds} seconds.`,
      { retryable: true, hint: 'A model that thinks for long needs a larger timeout_seconds.' },
    );
  }

  #totalError(): MassGenError {
    const minutes = Math.round(this.#parts.totalMs / 60_000);
    return new MassGenError(
      'backend/network',
      `${this.#parts.endpoint.host} did not come to an end within ${minutes} minutes.`,
      { retryable: true },
    );
  }

  #toError(error: unknown, signal: AbortSignal): MassGenError {
    const cause: unknown = signal.aborted ? signal.reason : error;
    if (isMassGenError(cause)) {
      return cause;
    }
    if (signal.aborted) {
      return new MassGenError('cancelled/user', 'The request was cancelled.', { cause });
    }
    const { endpoint, model, key, services } = this.#parts;
    const fault = cause instanceof WireError ? cause.fault : { kind: 'connection' as const, cause };
    return toMassGenError(fault, {
      ...{ host: endpoint.host, baseUrl: endpoint.baseUrl, model },
      ...{ keyName: key?.name, apiKey: key?.value, now: services.clock.now() },
    });
  }
}

/** What comes before the fault of a chunk is passed on. */
function readAll(
  reader: AnswerReader,
  chunks: readonly unknown[],
): { readonly parts: readonly BackendPart[]; readonly thrown?: { readonly error: unknown } } {
  const parts: BackendPart[] = [];
  try {
    for (const chunk of chunks) {
      parts.push(...reader.read(chunk));
    }
    return { parts };
  } catch (error) {
    return { parts, thrown: { error } };
  }
}

function toEnd(error: MassGenError): BackendPart {
  return { type: 'end', reason: isCancelled(error) ? 'cancelled' : 'error', error };
}
