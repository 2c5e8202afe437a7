import { linkAbort, onAbort, raceAbort } from '../../base/abort';
import { DisposableStore } from '../../base/disposable';
import type { Slot, SnapshotId } from '../../base/ids';
import type { ObservedEvent } from '../../run/events';
import type { ModelCallEnded } from '../../run/call-events';
import type { Citation, Usage } from '../../run/facts';
import { isCancelled, isMassGenError, MassGenError, toErrorInfo } from '../errors';
import type { Clock } from '../ports/clock';
import type {
  BackendPart,
  ModelBackend,
  ModelRequest,
  ToolCall,
  Verbatim,
} from '../ports/model-backend';
import type { PayloadStore } from '../ports/payload-store';

/** What came of one request to a model. `error` is set when it failed; `text` is then what came before. */
export interface ModelResponse {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly verbatim?: Verbatim;
  /** The model came to its length limit; calls that were cut off are not among `toolCalls`. */
  readonly isCut?: boolean;
  readonly error: MassGenError | undefined;
}

export interface CallParts {
  readonly slot: Slot;
  readonly backend: ModelBackend;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  /** Where a response is kept as the service wrote it; absent: it is not needed again. */
  readonly payloads?: Pick<PayloadStore, 'put'>;
  /** State of the agent's files when the call has ended; absent: they have nothing to do with it. */
  readonly filesAfter?: (call: { turnNo: number; call: number }) => Promise<SnapshotId | undefined>;
  /** US dollars of one call, `null` when it cannot be known. */
  readonly costOf: (usage: Usage) => number | null;
}

/** An adapter has this long to end its stream after a cancellation; then it is left behind. */
const graceMs = 2_000;

interface Gathered {
  text: string;
  /** The model has begun to work: what it has thought or done is paid for, said or not. */
  hasBegun: boolean;
  readonly toolCalls: ToolCall[];
  usage: Usage | undefined;
  costUsd: number | undefined;
  hasFees: boolean;
  verbatim: Verbatim | undefined;
  readonly citations: Citation[];
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
  const gathered: Gathered = {
    ...{ text: '', hasBegun: false, toolCalls: [], citations: [] },
    ...{ usage: undefined, costUsd: undefined, verbatim: undefined, end: undefined },
    hasFees: false,
  };
  observe({ type: 'model-call-started', ...at });
  const thrown = await drain(parts, request, signal, (part) => {
    const event = eventOf(part, at);
    if (event !== undefined) {
      observe(event);
    }
    gather(gathered, part);
  });
  const error = thrown ?? errorOf(gathered);
  const { verbatim } = gathered;
  const filesAfter = await parts.filesAfter?.({ turnNo, call });
  observe({
    type: 'model-call-ended',
    ...at,
    text: gathered.text,
    toolCalls: gathered.toolCalls,
    usage: gathered.usage ?? {},
    ...costFacts(parts, gathered, error),
    ...errorFacts(parts, error),
    ...answerFacts(parts, gathered, error === undefined),
    ...(filesAfter === undefined ? {} : { filesAfter }),
  });
  signal.throwIfAborted();
  return {
    ...{ text: gathered.text, toolCalls: gathered.toolCalls, error },
    ...(verbatim === undefined ? {} : { verbatim }),
    ...(gathered.end?.reason === 'length' ? { isCut: true } : {}),
  };
}

function errorFacts(
  { redact }: CallParts,
  error: MassGenError | undefined,
): Pick<ModelCallEnded, 'error' | 'retryAfterMs'> {
  if (error === undefined) {
    return {};
  }
  const { retryAfterMs } = error;
  return {
    error: toErrorInfo(error, redact),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** A response that failed is not sent again, so that its form does not matter. */
function answerFacts(
  { payloads, redact }: CallParts,
  { verbatim, citations, end }: Gathered,
  isWhole: boolean,
): Pick<ModelCallEnded, 'verbatim' | 'citations' | 'isCut'> {
  const isKept = verbatim !== undefined && payloads !== undefined && isWhole;
  return {
    ...(isKept ? { verbatim: payloads.put(redact(JSON.stringify(verbatim))) } : {}),
    ...(citations.length === 0 ? {} : { citations }),
    ...(end?.reason === 'length' ? { isCut: true } : {}),
  };
}

const previewChars = 2_000;

/** What everybody may see of a part at once. */
function eventOf(
  part: BackendPart,
  at: { readonly slot: Slot; readonly turnNo: number; readonly call: number },
): ObservedEvent | undefined {
  const { slot, turnNo } = at;
  switch (part.type) {
    case 'text-delta':
      return { type: 'text-delta', ...at, text: part.text };
    case 'thinking-delta':
      return { type: 'text-delta', ...at, text: part.text, isThinking: true };
    case 'hosted-tool': {
      const { id, tool, subject, status, preview } = part;
      const cut = preview === undefined ? {} : { preview: preview.slice(0, previewChars) };
      return { type: 'hosted-tool-used', ...at, id, tool, subject, status, ...cut };
    }
    case 'notice':
      return { type: 'warning-raised', code: part.code, message: part.message };
    case 'waiting':
      return {
        ...{ type: 'agent-waiting', slot, turnNo, reason: part.reason, until: part.until },
        isShared: true,
      };
    default:
      return undefined;
  }
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
      gathered.hasBegun = true;
      return;
    case 'tool-call':
      gathered.toolCalls.push(part.call);
      gathered.hasBegun = true;
      return;
    case 'thinking-delta':
      gathered.hasBegun = true;
      return;
    case 'hosted-tool':
      gathered.hasBegun = true;
      gathered.hasFees ||= part.status === 'done';
      return;
    case 'usage':
      gathered.usage = part.usage;
      gathered.costUsd = part.costUsd;
      gathered.hasFees = part.hasFees ?? gathered.hasFees;
      return;
    case 'verbatim':
      gathered.verbatim = part.verbatim;
      return;
    case 'citation':
      if (!gathered.citations.some(({ url }) => url === part.citation.url)) {
        gathered.citations.push(part.citation);
      }
      return;
    case 'end':
      gathered.end = part;
      return;
    case 'notice':
    case 'waiting':
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

/** Services charge for searches and the like beside the tokens; tools of an agent program are no service's. */
function costFacts(
  parts: CallParts,
  gathered: Gathered,
  error: MassGenError | undefined,
): Pick<ModelCallEnded, 'costUsd' | 'hasFees'> {
  const costUsd = costOf(parts, gathered, error);
  const isByTokens = gathered.costUsd === undefined && costUsd !== null && costUsd > 0;
  const isAgent = parts.backend.capabilities.isAgent === true;
  return { costUsd, ...(gathered.hasFees && isByTokens && !isAgent ? { hasFees: true } : {}) };
}

/**
 * A call that the service failed before anything came cost nothing; one that broke off later, or that was given up while the
 * service worked at it, cost an unknown sum.
 */
function costOf(
  parts: CallParts,
  gathered: Gathered,
  error: MassGenError | undefined,
): number | null {
  if (gathered.costUsd !== undefined) {
    return gathered.costUsd;
  }
  const hasFailedAtOnce = error !== undefined && !isCancelled(error) && !gathered.hasBegun;
  if (gathered.usage === undefined && hasFailedAtOnce) {
    return parts.costOf({ inputTokens: 0, outputTokens: 0 });
  }
  return parts.costOf(gathered.usage ?? {});
}
