import { linkAbort, onAbort, raceAbort } from '../../base/abort';
import { DisposableStore } from '../../base/disposable';
import type { Slot } from '../../base/ids';
import type { ObservedEvent } from '../../run/events';
import type { Usage } from '../../run/facts';
import { isMassGenError, MassGenError, toErrorInfo } from '../errors';
import type { Clock } from '../ports/clock';
import type { BackendPart, ModelBackend, ModelRequest, ToolCall } from '../ports/model-backend';

/** What came of one request to a model. `error` is set when it failed; `text` is then what came before. */
export interface ModelResponse {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly error: MassGenError | undefined;
}

export interface CallParts {
  readonly slot: Slot;
  readonly backend: ModelBackend;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  /** US dollars of one call, `null` when it cannot be known. */
  readonly costOf: (usage: Usage) => number | null;
}

/** An adapter has this long to end its stream after a cancellation; then it is left behind. */
const graceMs = 2_000;

interface Gathered {
  text: string;
  readonly toolCalls: ToolCall[];
  usage: Usage | undefined;
  end: Extract<BackendPart, { type: 'end' }> | undefined;
}

/** One request, observed from start to end. Rejects only with `cancelled/*`, after the end of the call was observed. */
export async function callModel(
  parts: CallParts,
  request: ModelRequest,
  observe: (event: ObservedEvent) => void,
  signal: AbortSignal,
): Promise<ModelResponse> {
  const { turnNo, call } = request.step;
  const at = { slot: parts.slot, turnNo, call };
  const gathered: Gathered = { text: '', toolCalls: [], usage: undefined, end: undefined };
  observe({ type: 'model-call-started', ...at });
  const thrown = await drain(parts, request, signal, (part) => {
    if (part.type === 'text-delta') {
      observe({ type: 'text-delta', ...at, text: part.text });
    } else if (part.type === 'thinking-delta') {
      observe({ type: 'text-delta', ...at, text: part.text, isThinking: true });
    }
    gather(gathered, part);
  });
  const error = thrown ?? errorOf(gathered);
  observe({
    type: 'model-call-ended',
    ...at,
    text: gathered.text,
    toolCalls: gathered.toolCalls,
    usage: gathered.usage ?? {},
    costUsd: costOf(parts, gathered, error),
    ...(error === undefined ? {} : { error: toErrorInfo(error, parts.redact) }),
    ...(error?.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
  });
  signal.throwIfAborted();
  return { text: gathered.text, toolCalls: gathered.toolCalls, error };
}

/** Takes parts until the stream ends. An adapter that throws breaks its contract; that is reported like a failed call. */
async function drain(
  parts: CallParts,
  request: ModelRequest,
  signal: AbortSignal,
  take: (part: BackendPart) => void,
): Promise<MassGenError | undefined> {
  const own = new DisposableStore();
  const late = own.add(linkAbort(new AbortController().signal));
  own.add(
    onAbort(signal, (reason) => own.add(parts.clock.after(graceMs, () => late.abort(reason)))),
  );
  try {
    const stream = parts.backend.stream(request, signal)[Symbol.asyncIterator]();
    for (;;) {
      const next = await raceAbort(stream.next(), late.signal);
      if (next.done === true) {
        return undefined;
      }
      take(next.value);
      if (next.value.type === 'end') {
        // Lets the adapter clean up behind its last part.
        await raceAbort(Promise.resolve(stream.return?.()), late.signal);
        return undefined;
      }
    }
  } catch (error) {
    if (isMassGenError(error)) {
      return error;
    }
    const detail = error instanceof Error ? error.message : String(error);
    return new MassGenError('bug/invariant', `the model's adapter failed: ${detail}`, {
      cause: error,
    });
  } finally {
    own.dispose();
  }
}

function gather(gathered: Gathered, part: BackendPart): void {
  switch (part.type) {
    case 'text-delta':
      gathered.text += part.text;
      return;
    case 'tool-call':
      gathered.toolCalls.push(part.call);
      return;
    case 'usage':
      gathered.usage = part.usage;
      return;
    case 'end':
      gathered.end = part;
      return;
    case 'thinking-delta':
      return;
  }
}

function errorOf({ end }: Gathered): MassGenError | undefined {
  if (end === undefined) {
    return new MassGenError('backend/bad-response', 'The stream of the model ended early.', {
      retryable: true,
    });
  }
  return end.reason === 'cancelled' || end.reason === 'error' ? end.error : undefined;
}

/** A call that failed before anything came cost nothing; one that broke off later cost an unknown sum. */
function costOf(
  parts: CallParts,
  gathered: Gathered,
  error: MassGenError | undefined,
): number | null {
  const isEmpty = gathered.text === '' && gathered.toolCalls.length === 0;
  if (gathered.usage === undefined && error !== undefined && isEmpty) {
    return parts.costOf({ inputTokens: 0, outputTokens: 0 });
  }
  return parts.costOf(gathered.usage ?? {});
}
