import { raceAbort } from '../../base/abort';
import type { Disposable } from '../../base/disposable';
import { type ErrorCode, MassGenError, isMassGenError } from '../../core/errors';
import type { Clock } from '../../core/ports/clock';
import type {
  BackendPart,
  ModelBackend,
  ModelCapabilities,
  ModelRequest,
} from '../../core/ports/model-backend';
import type { ErrorInfo } from '../../run/facts';
import { chooseCall } from './call-choice';
import type { RecordedCall, Recording } from './recording';

export interface OfflineBackendParts {
  readonly recording: Recording;
  /** Pauses are divided by it. */
  readonly speed: number;
  readonly clock: Clock;
}

/** Plays one agent of a recording. Which agent is told by the slot of the step. */
export class OfflineBackend implements ModelBackend {
  readonly capabilities: ModelCapabilities = {
    hasTools: true,
    hasParallelToolCalls: true,
    contextWindowTokens: undefined,
    maxOutputTokens: undefined,
  };
  readonly #parts: OfflineBackendParts;

  constructor(parts: OfflineBackendParts) {
    this.#parts = parts;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<BackendPart> {
    try {
      signal.throwIfAborted();
      yield* this.#play(chooseCall(this.#parts.recording, request), signal);
    } catch (cause) {
      const error = isMassGenError(cause)
        ? cause
        : new MassGenError('cancelled/user', 'The playback was cancelled.', { cause });
      yield { type: 'end', reason: 'cancelled', error };
    }
  }

  async close(): Promise<void> {
    // Nothing is held between streams.
  }

  async *#play(call: RecordedCall, signal: AbortSignal): AsyncGenerator<BackendPart> {
    for (const delta of call.deltas) {
      await this.#pause(delta.pauseMs, signal);
      yield { type: delta.isThinking ? 'thinking-delta' : 'text-delta', text: delta.text };
    }
    await this.#pause(call.endPauseMs, signal);
    for (const toolCall of call.toolCalls) {
      yield { type: 'tool-call', call: toolCall };
    }
    yield { type: 'usage', usage: call.usage };
    yield call.error === undefined
      ? { type: 'end', reason: call.toolCalls.length > 0 ? 'tool-calls' : 'stop' }
      : { type: 'end', reason: 'error', error: toMassGenError(call.error) };
  }

  async #pause(recordedMs: number, signal: AbortSignal): Promise<void> {
    const delayMs = Math.round(recordedMs / this.#parts.speed);
    if (delayMs > 0) {
      let timer: Disposable | undefined;
      const elapsed = new Promise<void>((resolve) => {
        timer = this.#parts.clock.after(delayMs, resolve);
      });
      try {
        await raceAbort(elapsed, signal);
      } finally {
        timer?.dispose();
      }
    }
    signal.throwIfAborted();
  }
}

const replayedCodes: readonly ErrorCode[] = [
  'backend/auth',
  'backend/bad-request',
  'backend/not-found',
  'backend/rate-limited',
  'backend/overloaded',
  'backend/context-overflow',
  'backend/content-filtered',
  'backend/network',
  'backend/no-permission',
  'backend/unavailable',
];

function toMassGenError(info: ErrorInfo): MassGenError {
  const code = replayedCodes.find((known) => known === info.code) ?? 'backend/bad-response';
  return new MassGenError(code, info.message, {
    retryable: info.retryable,
    ...(info.hint === undefined ? {} : { hint: info.hint }),
  });
}
