import { type ErrorCode, MassGenError } from '../../errors';
import type { ErrorInfo } from '../../../run/facts';

const codes: Readonly<Record<ErrorCode, true>> = {
  'config/invalid': true,
  'config/unknown-backend': true,
  'config/missing-secret': true,
  'config/untrusted': true,
  'backend/auth': true,
  'backend/bad-request': true,
  'backend/not-found': true,
  'backend/rate-limited': true,
  'backend/overloaded': true,
  'backend/context-overflow': true,
  'backend/content-filtered': true,
  'backend/refused': true,
  'backend/bad-response': true,
  'backend/network': true,
  'backend/no-permission': true,
  'backend/unavailable': true,
  'tool/denied': true,
  'tool/invalid-input': true,
  'tool/failed': true,
  'tool/timed-out': true,
  'tool/unknown': true,
  'tool/unconfined': true,
  'workspace/path-escape': true,
  'workspace/not-found': true,
  'workspace/read-only': true,
  'workspace/not-text': true,
  'workspace/too-large': true,
  'workspace/snapshot-failed': true,
  'workspace/conflict': true,
  'storage/locked': true,
  'storage/corrupt': true,
  'storage/failed': true,
  'protocol/bad-message': true,
  'protocol/attempts-exhausted': true,
  'cancelled/user': true,
  'cancelled/superseded': true,
  'cancelled/timeout': true,
  'cancelled/shutdown': true,
  'bug/invariant': true,
};

/** The error that was recorded, as it was thrown; a code that this version does not know counts as a bug. */
export function toRecordedError(info: ErrorInfo, retryAfterMs: number | undefined): MassGenError {
  return new MassGenError(isKnown(info.code) ? info.code : 'bug/invariant', info.message, {
    retryable: info.retryable,
    ...(info.hint === undefined ? {} : { hint: info.hint }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function isKnown(code: string): code is ErrorCode {
  return Object.hasOwn(codes, code);
}
