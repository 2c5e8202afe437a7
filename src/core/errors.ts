import type { ErrorInfo } from '../run/facts';

/** Closed list of what can go wrong; the family before `/` says who handles it. */
export type ErrorCode =
  | 'config/invalid'
  | 'config/unknown-backend'
  | 'config/missing-secret'
  | 'config/untrusted'
  | 'backend/auth'
  | 'backend/bad-request'
  | 'backend/not-found'
  | 'backend/rate-limited'
  | 'backend/overloaded'
  | 'backend/context-overflow'
  | 'backend/content-filtered'
  /** The model itself declined. */
  | 'backend/refused'
  | 'backend/bad-response'
  | 'backend/network'
  | 'backend/no-permission'
  | 'backend/unavailable'
  | 'tool/denied'
  | 'tool/invalid-input'
  | 'tool/failed'
  | 'tool/timed-out'
  | 'tool/unknown'
  /** Nothing confines it here, and it does not run without. */
  | 'tool/unconfined'
  | 'workspace/path-escape'
  | 'workspace/not-found'
  | 'workspace/read-only'
  | 'workspace/not-text'
  | 'workspace/too-large'
  | 'workspace/snapshot-failed'
  | 'workspace/conflict'
  | 'storage/locked'
  | 'storage/corrupt'
  | 'storage/failed'
  | 'protocol/bad-message'
  | 'protocol/attempts-exhausted'
  | 'cancelled/user'
  | 'cancelled/superseded'
  | 'cancelled/timeout'
  | 'cancelled/shutdown'
  | 'bug/invariant';

export interface ErrorDetails {
  readonly cause?: unknown;
  /** May succeed when tried again without any change. */
  readonly retryable?: boolean;
  /** What the user can do, one sentence. */
  readonly hint?: string;
  /** Wait asked for by a service, ms. */
  readonly retryAfterMs?: number;
}

const brand = 'massgen-error';

export class MassGenError extends Error {
  readonly brand = brand;
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly hint: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'MassGenError';
    this.code = code;
    this.retryable = details.retryable ?? false;
    this.hint = details.hint;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** Checks a brand, not the class: several bundles carry their own copy of the class. */
export function isMassGenError(error: unknown, code?: ErrorCode): error is MassGenError {
  return (
    error instanceof Error &&
    'brand' in error &&
    error.brand === brand &&
    'code' in error &&
    (code === undefined || error.code === code)
  );
}

export function isCancelled(error: unknown): boolean {
  return isMassGenError(error) && error.code.startsWith('cancelled/');
}

/** The form of an error that goes into events. `redact` removes secrets from its texts. */
export function toErrorInfo(error: unknown, redact: (text: string) => string): ErrorInfo {
  if (isMassGenError(error)) {
    return {
      code: error.code,
      message: redact(error.message),
      retryable: error.retryable,
      ...(error.hint === undefined ? {} : { hint: redact(error.hint) }),
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'bug/invariant', message: redact(message), retryable: false };
}
