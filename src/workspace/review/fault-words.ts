import { isMassGenError } from '../../core/errors';

const words: Readonly<Record<string, string>> = {
  EACCES: 'the system does not allow it',
  EPERM: 'the system does not allow it',
  EROFS: 'the disk can only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the space that is allowed to you is used up',
  ENAMETOOLONG: 'the name is too long for this disk',
  EINVAL: 'the name or content does not fit this disk',
  EBUSY: 'another program is using it',
  EIO: 'the disk reports an error',
};

/** Why a file was left as it was, in one or two sentences. */
export function faultWords(error: unknown): string {
  if (isMassGenError(error)) {
    return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
  }
  const message = error instanceof Error ? error.message : String(error);
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = words[code];
  return known === undefined
    ? `The file was not changed: ${message}`
    : `The file was not changed: ${known} (${code}).`;
}
