// A lock between processes: a folder, because making one either succeeds or fails, never both.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An owner that has not written its pid after this time (ms) died while it took the lock. */
const GRACE = 5_000;

/** Runs `work` while no other process holds `folder`; waits as long as the holder lives. */
export function withLock(folder, work) {
  mkdirSync(dirname(folder), { recursive: true });
  while (!tryTake(folder)) {
    if (isAbandoned(folder)) {
      rmSync(folder, { recursive: true, force: true });
    } else {
      pause(100);
    }
  }
  try {
    writeFileSync(join(folder, 'pid'), String(process.pid));
    return work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tryTake(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

function isAbandoned(folder) {
  try {
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH' || (error.code === 'ENOENT' && isOld(folder));
  }
}

function isOld(folder) {
  try {
    return Date.now() - statSync(folder).mtimeMs > GRACE;
  } catch {
    return false; // it was given back meanwhile
  }
}

/** Blocks the thread: the bootstrap has nothing else to do while it waits. */
function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
