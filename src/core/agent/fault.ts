import type { BackendFault } from '../coordination/inputs';
import { type ErrorCode, type MassGenError, toErrorInfo } from '../errors';

/** The service asks for patience: waiting for it does not use up the retries. */
const waits: ReadonlySet<ErrorCode> = new Set(['backend/rate-limited', 'backend/overloaded']);

/**
 * How a failed model call counts. One that was too long for the model can be made again when the conversation could be
 * shortened.
 */
export function toFault(
  error: MassGenError,
  redact: (text: string) => string,
  shorten: () => boolean,
): BackendFault {
  const isShortened = error.code === 'backend/context-overflow' && shorten();
  return {
    error: toErrorInfo(error, redact),
    kind: waits.has(error.code) ? 'wait' : error.retryable || isShortened ? 'transient' : 'fatal',
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
  };
}
