import type { ModelCallEnded } from '../../../run/call-events';
import type { Usage } from '../../../run/facts';
import { isCancelled, MassGenError } from '../../errors';
import type {
  BackendPart,
  ModelBackend,
  ModelCapabilities,
  ModelRequest,
  Verbatim,
} from '../../ports/model-backend';
import type { PayloadStore } from '../../ports/payload-store';
import type { Gates } from './gates';
import { toRecordedError } from './recorded-error';

const unknownModel: ModelCapabilities = {
  hasTools: true,
  hasParallelToolCalls: true,
  // Whatever it was shown then is on record.
  media: ['image', 'audio', 'video', 'document'],
  contextWindowTokens: undefined,
  maxOutputTokens: undefined,
};

export function callKey(turnNo: number, call: number): string {
  return `call/${turnNo}/${call}`;
}

/** A model that says what it is on record with. What is not recorded is asked of the live one, if there is one. */
export class ReplayBackend implements ModelBackend {
  readonly #gates: Gates<ModelCallEnded>;
  readonly #live: ModelBackend | undefined;
  readonly #payloads: Pick<PayloadStore, 'get'>;
  #played: ModelCallEnded | undefined;

  constructor(
    gates: Gates<ModelCallEnded>,
    live: ModelBackend | undefined,
    payloads: Pick<PayloadStore, 'get'>,
  ) {
    this.#gates = gates;
    this.#live = live;
    this.#payloads = payloads;
  }

  get capabilities(): ModelCapabilities {
    return this.#live?.capabilities ?? unknownModel;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<BackendPart> {
    const { turnNo, call } = request.step;
    let ended: ModelCallEnded | undefined;
    try {
      ended = await this.#gates.take(callKey(turnNo, call), turnNo);
    } catch (error) {
      yield { type: 'end', reason: 'cancelled', error: toCancelled(error) };
      return;
    }
    this.#played = ended;
    if (ended !== undefined) {
      yield* parts(ended, this.#payloads);
    } else if (this.#live === undefined || signal.aborted) {
      yield { type: 'end', reason: 'cancelled', error: toCancelled(signal.reason) };
    } else {
      yield* this.#live.stream(request, signal);
    }
  }

  /** What the call that was played last had cost, or what `price` says of a live one. */
  costOf(usage: Usage, price: (usage: Usage) => number | null): number | null {
    return this.#played === undefined ? price(usage) : this.#played.costUsd;
  }

  async close(): Promise<void> {
    await this.#live?.close();
  }
}

function* parts(
  ended: ModelCallEnded,
  payloads: Pick<PayloadStore, 'get'>,
): Generator<BackendPart> {
  if (ended.text !== '') {
    yield { type: 'text-delta', text: ended.text };
  }
  for (const call of ended.toolCalls) {
    yield { type: 'tool-call', call };
  }
  for (const citation of ended.citations ?? []) {
    yield { type: 'citation', citation };
  }
  const verbatim = ended.verbatim && verbatimIn(payloads.get(ended.verbatim));
  if (verbatim !== undefined) {
    yield { type: 'verbatim', verbatim };
  }
  yield { type: 'usage', usage: ended.usage, hasFees: ended.hasFees === true };
  if (ended.error === undefined) {
    const whole = ended.toolCalls.length > 0 ? 'tool-calls' : 'stop';
    yield { type: 'end', reason: ended.isCut === true ? 'length' : whole };
    return;
  }
  const error = toRecordedError(ended.error, ended.retryAfterMs);
  yield { type: 'end', reason: isCancelled(error) ? 'cancelled' : 'error', error };
}

function toCancelled(reason: unknown): MassGenError {
  return reason instanceof MassGenError
    ? reason
    : new MassGenError('cancelled/shutdown', 'The call was not made.', { cause: reason });
}

function verbatimIn(stored: string | undefined): Verbatim | undefined {
  const value: unknown = stored === undefined ? undefined : JSON.parse(stored);
  return typeof value === 'object' &&
    value !== null &&
    'origin' in value &&
    typeof value.origin === 'string' &&
    'content' in value
    ? { origin: value.origin, content: value.content }
    : undefined;
}
