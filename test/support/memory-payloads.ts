import { sha256Hex } from '../../src/base/sha256';
import type { PayloadStore } from '../../src/core/ports/payload-store';
import type { PayloadRef } from '../../src/run/facts';

/** Payloads of one run in memory. */
export class MemoryPayloads implements PayloadStore {
  readonly texts = new Map<string, string>();

  put(text: string): PayloadRef {
    const sha256 = sha256Hex(text);
    this.texts.set(sha256, text);
    return { sha256, bytes: new TextEncoder().encode(text).byteLength };
  }

  get({ sha256 }: PayloadRef): string | undefined {
    return this.texts.get(sha256);
  }
}
