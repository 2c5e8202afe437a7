// What a log survives: a killed writer, a full disk, a folder that cannot be written.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applyAll } from '../../../src/run/reducer';
import type { LogFile } from '../../../src/storage/event-log-writer';
import { createFileEventStore } from '../../../src/storage/file-event-store';
import { FakeClock } from '../../support/fake-clock';
import { delta, ended, started, warning } from './sample-events';

let scripts: string;
let dir: string;
let clock: FakeClock;
const log = (): string => join(dir, 'runs', 'r1', 'run.jsonl');
const store = (write?: LogFile['write']): ReturnType<typeof createFileEventStore> =>
  createFileEventStore({ dir, clock, ...(write === undefined ? {} : { write }) });

beforeAll(async () => {
  scripts = mkdtempSync(join(tmpdir(), 'massgen-scripts-'));
  chmodSync(scripts, 0o755);
  for (const name of ['log-writing-process', 'log-opening-process', 'lock-contending-process']) {
    await build({
      entryPoints: [join(import.meta.dirname, `${name}.ts`)],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      outfile: join(scripts, `${name}.cjs`),
      logLevel: 'error',
    });
  }
});
afterAll(() => {
  rmSync(scripts, { recursive: true, force: true });
});
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'massgen-storage-'));
  clock = new FakeClock();
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

/** Ends the writer without a warning once it has acknowledged that much; answers the last number it did. */
async function killed(child: ChildProcess, outputBytes: number): Promise<number> {
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output.length > outputBytes) {
      child.kill('SIGKILL');
    }
  });
  await once(child, 'close');
  return Number(output.split('\n').at(-2));
}

const trials = Array.from({ length: 20 }, (_unused, i) => i);

it.each(trials)(
  'loses nothing that was acknowledged when the writing process is killed (%i)',
  async (trial) => {
    const child = spawn(process.execPath, [join(scripts, 'log-writing-process.cjs'), dir, 'r1'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const acknowledged = await killed(child, 10 + trial * 750);
    expect(acknowledged).toBeGreaterThan(0);

    const { events, skippedLines } = await store().read('r1');
    expect(skippedLines).toBe(0);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index));
    expect(events.length).toBeGreaterThan(acknowledged);
    expect((await store().open('r1')).state).toStrictEqual(applyAll(undefined, events));
    expect((await store().list())[0]).toMatchObject({ outcome: null, isRunning: false });

    const writer = store().reopen('r1');
    writer.append([ended(events.length)]);
    await writer.close();
    expect((await store().list())[0]).toMatchObject({ outcome: 'completed', isRunning: false });
  },
);

it('is written by one process at a time', async () => {
  const child = spawn(process.execPath, [join(scripts, 'log-writing-process.cjs'), dir, 'r1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect(() => store().reopen('r1')).toThrow(expect.objectContaining({ code: 'storage/locked' }));
  expect((await store().list())[0]).toMatchObject({ isRunning: true });
  expect((await store().open('r1')).state?.runId).toBe('r1');
  child.kill('SIGKILL');
  await once(child, 'close');
  await store().reopen('r1').close();
});

it('is never locked by two processes at once', async () => {
  const counter = join(dir, 'counter');
  writeFileSync(counter, '0');
  const script = join(scripts, 'lock-contending-process.cjs');
  const children = [1, 2, 3].map(() =>
    spawn(process.execPath, [script, counter, '150'], { stdio: 'inherit' }),
  );
  await Promise.all(children.map(async (child) => once(child, 'close')));
  expect(readFileSync(counter, 'utf8')).toBe('450');
});

describe('a full disk', () => {
  /** Writes `room` bytes in all and then fails like the file system does. */
  function disk(room: number): { left: number; write: LogFile['write'] } {
    const made = {
      left: room,
      write: (fd: number, bytes: Uint8Array, offset: number): number => {
        if (made.left === 0) {
          throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
            code: 'ENOSPC',
          });
        }
        const count = writeSync(fd, bytes, offset, Math.min(made.left, bytes.length - offset));
        made.left -= count;
        return count;
      },
    };
    return made;
  }

  it('takes nothing back that was acknowledged, and leaves whole lines', async () => {
    const small = disk(1_000_000);
    const writer = store(small.write).create('r1');
    writer.append([started('r1'), warning(1, 'kept')]);
    small.left = 20;
    expect(() => writer.append([warning(2, 'too much')])).toThrow(
      expect.objectContaining({
        code: 'storage/failed',
        hint: expect.stringContaining('free space') as string,
      }),
    );
    expect(await store().read('r1')).toEqual({
      events: [started('r1'), warning(1, 'kept')],
      skippedLines: 0,
    });
    small.left = 1_000_000;
    writer.append([ended(2)]);
    await writer.close();
    expect((await store().read('r1')).events.at(-1)).toEqual(ended(2));
  });

  it('keeps the text that was gathered until it can be written', async () => {
    const small = disk(1_000_000);
    const writer = store(small.write).create('r1');
    writer.append([started('r1')]);
    writer.append([delta(1, 'gathered')]);
    small.left = 0;
    clock.advance(50);
    expect(() => writer.append([warning(2, 'after')])).toThrow(
      expect.objectContaining({ code: 'storage/failed' }),
    );
    small.left = 1_000_000;
    writer.append([warning(2, 'after')]);
    await writer.close();
    expect((await store().read('r1')).events).toEqual([
      started('r1'),
      delta(1, 'gathered'),
      warning(2, 'after'),
    ]);
  });

  it.runIf(existsSync('/dev/full'))('is told as the system tells it', async () => {
    const writer = store((_fd, bytes, offset) =>
      writeSync(openSync('/dev/full', 'w'), bytes, offset),
    ).create('r1');
    expect(() => writer.append([started('r1')])).toThrow(
      expect.objectContaining({
        code: 'storage/failed',
        cause: expect.objectContaining({ code: 'ENOSPC' }) as unknown,
      }),
    );
    await expect(writer.close()).resolves.toBeUndefined();
  });
});

it.runIf(process.platform === 'linux')(
  'opens a run in a folder that cannot be written, and says what cannot be done there',
  async () => {
    const writer = store().create('r1');
    writer.append([started('r1'), warning(1, 'one')]);
    await writer.close();
    const before = readFileSync(log());
    for (const folder of [dir, join(dir, 'runs'), join(dir, 'runs', 'r1')]) {
      chmodSync(folder, 0o555);
    }
    chmodSync(log(), 0o444);
    const script = join(scripts, 'log-opening-process.cjs');
    const child = spawn(process.execPath, [script, dir], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await once(child, 'close');
    for (const folder of [dir, join(dir, 'runs'), join(dir, 'runs', 'r1')]) {
      chmodSync(folder, 0o700);
    }
    expect(JSON.parse(output)).toEqual({
      ...{ seq: 1, listed: 1 },
      ...{ reopen: 'storage/failed', create: 'storage/failed' },
    });
    expect(readFileSync(log())).toEqual(before);
  },
);
