import type { ModelCallEnded } from '../../../run/call-events';
import type { Usage } from '../../../run/facts';
import { isCancelled, MassGenError } from '../../errors';
import type {
  BackendPart,
  ModelBackend,
  ModelCapabilities,
  ModelRequest,
} from '../../ports/model-backend';
import type { Gates } from './gates';
import { toRecordedError } from './recorded-error';

const unknownModel: ModelCapabilities = {
  hasTools: true,
  hasParallelToolCalls: true,
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
  #played: ModelCallEnded | undefined;

  constructor(gates: Gates<ModelCallEnded>, live: ModelBackend | undefined) {
    this.#gates = gates;
    this.#live = live;
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
      yield* parts(ended);
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

function* parts(ended: ModelCallEnded): Generator<BackendPart> {
  if (ended.text !== '') {
    yield { type: 'text-delta', text: ended.text };
  }
  for (const call of ended.toolCalls) {
    yield { type: 'tool-call', call };
  }
  yield { type: 'usage', usage: ended.usage };
  if (ended.error === undefined) {
    yield { type: 'end', reason: ended.toolCalls.length > 0 ? 'tool-calls' : 'stop' };
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
