import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'massgen-lock-'));
const lockModule = resolve(import.meta.dirname, '../../../scripts/lock.mjs');

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A process that takes the lock and notes when it has it and when it gives it back. */
async function takeLock(lock: string, log: string, name: string): Promise<void> {
  const code = `
    import { appendFileSync } from 'node:fs';
    import { withLock } from ${JSON.stringify(lockModule)};
    withLock(${JSON.stringify(lock)}, () => {
      appendFileSync(${JSON.stringify(log)}, '${name} in\\n');
      for (const end = Date.now() + 50; Date.now() < end; );
      appendFileSync(${JSON.stringify(log)}, '${name} out\\n');
    });`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
}

describe('the lock between processes', () => {
  it('lets one process in at a time', async () => {
    const [lock, log] = [join(folder, 'busy'), join(folder, 'busy.log')];
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(names.map((name) => takeLock(lock, log, name)));
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    const entered = lines.filter((_, i) => i % 2 === 0).map((line) => line.split(' ')[0]);
    expect(lines).toEqual(entered.flatMap((name) => [`${name} in`, `${name} out`]));
    expect(entered.sort()).toEqual(names);
  });

  it('is taken over when its owner is dead', async () => {
    const [lock, log] = [join(folder, 'dead'), join(folder, 'dead.log')];
    mkdirSync(lock);
    // Linux gives out no pid as large as this one.
    writeFileSync(join(lock, 'pid'), '99999999');
    await takeLock(lock, log, 'heir');
    expect(readFileSync(log, 'utf8')).toBe('heir in\nheir out\n');
  });
});
