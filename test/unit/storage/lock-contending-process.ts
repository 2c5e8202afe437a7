// Runs as a process of its own: counts in a file, each time under the lock.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Disposable } from '../../../src/base/disposable';
import { isMassGenError } from '../../../src/core/errors';
import { acquireLock } from '../../../src/storage/lock-file';

const [file = '', times = '0'] = process.argv.slice(2);
const parent = process.ppid;
const path = `${file}.lock`;

function lock(): Disposable {
  for (;;) {
    try {
      return acquireLock({ path, proofOfLife: path, now: 0 });
    } catch (error) {
      // Whoever asked for this may be gone, and its folder with it: then nobody gives the lock back.
      if (!isMassGenError(error, 'storage/locked') || process.ppid !== parent) {
        throw error;
      }
    }
  }
}

for (let i = 0; i < Number(times); i++) {
  const held = lock();
  writeFileSync(file, String(Number(readFileSync(file, 'utf8')) + 1));
  held.dispose();
}
