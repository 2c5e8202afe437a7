import type { BackendFault } from '../coordination/inputs';
import { type ErrorCode, type MassGenError, toErrorInfo } from '../errors';

/** The service asks for patience: waiting for it does not use up the retries. */
const waits: ReadonlySet<ErrorCode> = new Set(['backend/rate-limited', 'backend/overloaded']);

/** How a failed model call counts. */
export function toFault(error: MassGenError, redact: (text: string) => string): BackendFault {
  return {
    error: toErrorInfo(error, redact),
    kind: waits.has(error.code) ? 'wait' : error.retryable ? 'transient' : 'fatal',
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
  };
}
