import { onAbort } from '../../src/base/abort';
import { isMassGenError, MassGenError } from '../../src/core/errors';
import type {
  BackendPart,
  ModelBackend,
  ModelRequest,
  ToolCall,
} from '../../src/core/ports/model-backend';
import type { Usage } from '../../src/run/facts';

/** One thing a scripted model does within a response. */
export type ScriptStep =
  | string
  | { readonly think: string }
  | { readonly call: string; readonly input: unknown }
  | { readonly rawCall: string; readonly argumentsJson: string }
  /** Waits for this before it goes on; an abort ends the stream meanwhile. */
  | { readonly until: Promise<void> }
  | { readonly fail: MassGenError }
  /** The response comes to the length limit of the model here. */
  | { readonly limit: true }
  /** The stream simply stops, against its contract. */
  | { readonly cut: true }
  | { readonly throws: Error }
  | { readonly usage: Usage };

/** A response: fixed, or made from what was asked. */
export type ScriptedResponse =
  readonly ScriptStep[] | ((request: ModelRequest) => readonly ScriptStep[]);

export const say = {
  answer: (content: string): ScriptStep => ({ call: 'new_answer', input: { content } }),
  vote: (agent: string, reason = 'It is right.'): ScriptStep => ({
    call: 'vote',
    input: { agent_id: agent, reason },
  }),
};

/** Plays one response per request, in order, and keeps the requests. Asked for more than it has, it fails the test by an error that names the request. */
export class ScriptedBackend implements ModelBackend {
  readonly capabilities = {
    hasTools: true,
    hasParallelToolCalls: true,
    contextWindowTokens: 100_000,
    maxOutputTokens: undefined,
  };
  readonly requests: ModelRequest[] = [];
  /** What could have stopped the calls. */
  readonly signals = new Set<AbortSignal>();
  isClosed = false;
  /** Streams that have begun and not ended. */
  open = 0;
  readonly #responses: ScriptedResponse[];

  constructor(...responses: readonly ScriptedResponse[]) {
    this.#responses = [...responses];
  }

  get left(): number {
    return this.#responses.length;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<BackendPart> {
    const { approve: _, ...plain } = request;
    this.requests.push(structuredClone(plain));
    this.signals.add(signal);
    this.open += 1;
    try {
      yield* this.#play(request, signal);
    } finally {
      this.open -= 1;
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  async *#play(request: ModelRequest, signal: AbortSignal): AsyncGenerator<BackendPart> {
    const response = this.#responses.shift();
    if (response === undefined) {
      const { slot, turnNo, call } = request.step;
      const message = `the script of agent${slot} has nothing for turn ${turnNo}, call ${call}`;
      yield { type: 'end', reason: 'error', error: new MassGenError('bug/invariant', message) };
      return;
    }
    const steps = typeof response === 'function' ? response(request) : response;
    let calls = 0;
    for (const step of steps) {
      if (signal.aborted) {
        yield cancelled(signal);
        return;
      }
      if (typeof step === 'string') {
        yield { type: 'text-delta', text: step };
      } else if ('limit' in step) {
        yield { type: 'end', reason: 'length' };
        return;
      } else if ('cut' in step) {
        return;
      } else if ('until' in step) {
        await ready(step.until, signal);
      } else if ('fail' in step) {
        yield { type: 'end', reason: 'error', error: step.fail };
        return;
      } else if ('throws' in step) {
        throw step.throws;
      } else if ('usage' in step) {
        yield { type: 'usage', usage: step.usage };
      } else if ('think' in step) {
        yield { type: 'thinking-delta', text: step.think };
      } else {
        yield { type: 'tool-call', call: toCall(step, request, calls++) };
      }
    }
    yield signal.aborted
      ? cancelled(signal)
      : { type: 'end', reason: calls > 0 ? 'tool-calls' : 'stop' };
  }
}

function toCall(
  step: Extract<ScriptStep, { call: string } | { rawCall: string }>,
  { step: { turnNo, call } }: ModelRequest,
  index: number,
): ToolCall {
  const id = `call-${turnNo}-${call}-${index}`;
  return 'call' in step
    ? { id, name: step.call, argumentsJson: JSON.stringify(step.input) }
    : { id, name: step.rawCall, argumentsJson: step.argumentsJson };
}

function cancelled(signal: AbortSignal): BackendPart {
  const error = isMassGenError(signal.reason)
    ? signal.reason
    : new MassGenError('cancelled/user', 'stopped');
  return { type: 'end', reason: 'cancelled', error };
}

async function ready(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stopped = onAbort(signal, () => resolve());
    promise.then(() => {
      stopped.dispose();
      resolve();
    }, reject);
  });
}
