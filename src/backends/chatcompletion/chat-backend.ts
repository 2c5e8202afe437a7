import { linkAbort } from '../../base/abort';
import { MassGenError, isCancelled, isMassGenError } from '../../core/errors';
import type { BackendServices, BackendSettings } from '../../core/ports/backend-kind';
import type {
  BackendPart,
  ModelBackend,
  ModelCapabilities,
  ModelRequest,
} from '../../core/ports/model-backend';
import type { streamChat } from './client.lazy';
import type { Endpoint } from './endpoint';
import { refusedParameterOf, toMassGenError } from '../wire/errors';
import { knownModel } from './prices';
import { droppableParameters, toChatBody } from './request';
import { type SilenceWatch, watchSilence } from '../wire/silence-watch';
import { ChunkReader } from './stream';
import { WireError } from '../wire/wire-fault';

const defaultSilenceMs = 300_000;
/** Far more calls than one turn makes. */
const keptReasonings = 500;

export interface ChatBackendParts {
  readonly settings: BackendSettings;
  readonly endpoint: Endpoint;
  readonly keyName: string | undefined;
  readonly apiKey: string | undefined;
  readonly services: Pick<BackendServices, 'clock' | 'logger'>;
  readonly streamChat: typeof streamChat;
}

/** One agent's connection to a service that speaks chat completions. */
export class ChatBackend implements ModelBackend {
  readonly capabilities: ModelCapabilities;
  readonly #parts: ChatBackendParts;
  /** Parameters that the service has refused once. */
  readonly #refused = new Set<string>();
  /** By the id of the first call that followed; only while a conversation can still hold that call. */
  readonly #reasoning = new Map<string, string>();

  constructor(parts: ChatBackendParts) {
    this.#parts = parts;
    const limit = parts.settings.options['max_tokens'];
    this.capabilities = {
      hasTools: true,
      hasParallelToolCalls: true,
      contextWindowTokens: knownModel(parts.settings.model)?.contextWindowTokens,
      // Only what the user set: services count an announced limit against their rate limits.
      maxOutputTokens: typeof limit === 'number' ? limit : undefined,
    };
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<BackendPart> {
    const branch = linkAbort(signal);
    const watch = watchSilence(this.#parts.services.clock, this.#silenceMs(), () =>
      branch.abort(this.#silenceError()),
    );
    try {
      yield* this.#attempt(request, branch.signal, watch);
    } catch (error) {
      yield toEnd(this.#toError(error, branch.signal));
    } finally {
      watch.dispose();
      // Closes the connection when the reader left early; nothing else is left to stop by then.
      branch.abort(new MassGenError('cancelled/superseded', 'the stream is over'));
      branch.dispose();
    }
  }

  async close(): Promise<void> {
    // Each stream closes its own connection.
  }

  /** Sends the request, and again without a parameter that the service does not take. */
  async *#attempt(
    request: ModelRequest,
    signal: AbortSignal,
    watch: SilenceWatch,
  ): AsyncGenerator<BackendPart> {
    for (;;) {
      try {
        yield* this.#once(request, signal, watch);
        return;
      } catch (error) {
        const name = error instanceof WireError ? this.#droppable(error) : undefined;
        if (name === undefined || signal.aborted) {
          throw error;
        }
        this.#refused.add(name);
        const { logger } = this.#parts.services;
        logger.warn('backend', `${this.#parts.endpoint.host} does not take ${name}; left out`);
      }
    }
  }

  async *#once(
    request: ModelRequest,
    signal: AbortSignal,
    watch: SilenceWatch,
  ): AsyncGenerator<BackendPart> {
    signal.throwIfAborted();
    const { settings, endpoint, apiKey } = this.#parts;
    const learned = { refused: this.#refused, reasoning: this.#reasoning };
    const body = toChatBody(request, settings, endpoint, learned);
    const reader = new ChunkReader(endpoint.host);
    const connection = { endpoint, apiKey, onBytes: () => watch.touch() };
    try {
      for await (const chunk of this.#parts.streamChat(connection, body, signal)) {
        yield* reader.read(chunk);
      }
    } catch (error) {
      if (!reader.isFinished) {
        throw error;
      }
    }
    if (!reader.isFinished) {
      // On abort the client's loop just ends.
      signal.throwIfAborted();
    }
    for (const part of reader.finish(request)) {
      if (part.type === 'tool-call') {
        this.#keepReasoning(part.call.id, reader.reasoning);
      }
      yield part;
    }
  }

  #keepReasoning(callId: string, text: string): void {
    if (text === '') {
      return;
    }
    this.#reasoning.set(callId, text);
    const [oldest] = this.#reasoning.keys();
    if (this.#reasoning.size > keptReasonings && oldest !== undefined) {
      this.#reasoning.delete(oldest);
    }
  }

  #droppable(error: WireError): string | undefined {
    const candidates = [...droppableParameters].filter((name) => !this.#refused.has(name));
    return refusedParameterOf(error.fault, new Set(candidates));
  }

  #silenceMs(): number {
    const seconds = this.#parts.settings.options['timeout_seconds'];
    return typeof seconds === 'number' ? seconds * 1000 : defaultSilenceMs;
  }

  #silenceError(): MassGenError {
    const seconds = Math.round(this.#silenceMs() / 1000);
    const { host } = this.#parts.endpoint;
    return new MassGenError('backend/network', `${host} was silent for ${seconds} seconds.`, {
      retryable: true,
      hint: 'A model that thinks for long needs a larger timeout_seconds.',
    });
  }

  #toError(error: unknown, signal: AbortSignal): MassGenError {
    const cause: unknown = signal.aborted ? signal.reason : error;
    if (isMassGenError(cause)) {
      return cause;
    }
    if (signal.aborted) {
      return new MassGenError('cancelled/user', 'The request was cancelled.', { cause });
    }
    const { endpoint, settings, keyName, apiKey, services } = this.#parts;
    const fault = cause instanceof WireError ? cause.fault : { kind: 'connection' as const, cause };
    return toMassGenError(fault, {
      host: endpoint.host,
      baseUrl: endpoint.baseUrl,
      model: settings.model,
      keyName,
      apiKey,
      now: services.clock.now(),
    });
  }
}

function toEnd(error: MassGenError): BackendPart {
  return { type: 'end', reason: isCancelled(error) ? 'cancelled' : 'error', error };
}
