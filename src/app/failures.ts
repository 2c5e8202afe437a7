// What shells need of the taxonomy of errors, since they do not look into the core.
import { isMassGenError, MassGenError } from '../core/errors';
import type { ErrorCode } from '../core/errors';

export interface FailureFacts {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
}

/** `undefined` for errors that are not the product's own. */
export function failureFacts(error: unknown): FailureFacts | undefined {
  return isMassGenError(error) ? { code: error.code, hint: error.hint } : undefined;
}

/** Reason of a signal that the user pressed stop. */
export function stoppedByUser(): MassGenError {
  return new MassGenError('cancelled/user', 'Stopped by the user.');
}
