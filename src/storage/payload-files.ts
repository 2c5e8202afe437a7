import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MassGenError } from '../core/errors';
import type { PayloadStore } from '../core/ports/payload-store';
import type { PayloadRef } from '../run/facts';
import { writeFileAtomically } from './atomic-write';

/**
 * Keeps each text as a file of its own in `dir`, named by the sha256 of its bytes and private to the user. The folder is
 * made at the first text.
 */
export function createPayloadFiles(dir: string): PayloadStore {
  const stored = new Set<string>();
  return {
    put(text): PayloadRef {
      const bytes = Buffer.from(text, 'utf8');
      const sha256 = hashOf(bytes);
      if (!stored.has(sha256)) {
        keep(dir, sha256, text);
        stored.add(sha256);
      }
      return { sha256, bytes: bytes.length };
    },
    get({ sha256 }): string | undefined {
      const bytes = /^[0-9a-f]{64}$/.test(sha256) ? readIfThere(join(dir, sha256)) : undefined;
      return bytes === undefined || hashOf(bytes) !== sha256 ? undefined : bytes.toString('utf8');
    },
  };
}

function keep(dir: string, sha256: string, text: string): void {
  const path = join(dir, sha256);
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const there = existsSync(path) ? readIfThere(path) : undefined;
    if (there === undefined || hashOf(there) !== sha256) {
      writeFileAtomically(path, text);
    }
  } catch (error) {
    throw new MassGenError('storage/failed', 'A text of this run cannot be stored.', {
      cause: error,
      hint: 'Check that the disk has free space and that the storage folder can be written.',
    });
  }
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
