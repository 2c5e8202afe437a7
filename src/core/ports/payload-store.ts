import type { PayloadRef } from '../../run/facts';

/** Texts of one run that are too large for its log, each stored once under the hash of its bytes. */
export interface PayloadStore {
  /** On disk when this returns. Secrets must have been removed. Throws `storage/failed`. */
  put(text: string): PayloadRef;
  /** `undefined` when it is not there or its bytes are not those of the hash. */
  get(ref: PayloadRef): string | undefined;
}
