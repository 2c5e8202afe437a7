import * as fc from 'fast-check';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileEventStore } from '../../../src/storage/file-event-store';
import { encodeOffsets } from '../../../src/storage/offset-table';
import type { RecordedEvent, RunEvent } from '../../../src/run/events';
import { applyAll } from '../../../src/run/reducer';
import { FakeClock } from '../../support/fake-clock';
import { sampleRunEvents } from '../../support/sample-run';
import { delta, ended, recorded, started, warning } from './sample-events';

let dir: string;
const at = (name: string, runId = 'r1'): string => join(dir, 'runs', runId, name);
const log = (): string => at('run.jsonl');
const store = (productVersion = '1.0.0'): ReturnType<typeof createFileEventStore> =>
  createFileEventStore({ dir, clock: new FakeClock(), productVersion });

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'massgen-sidecar-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

/** A run of two agents, then pieces of text and notes of different lengths, some beyond ASCII. */
function eventsOf(count: number): readonly RecordedEvent[] {
  const opening = sampleRunEvents
    .slice(0, 3)
    .map((event): RunEvent => (event.type === 'run-started' ? { ...event, runId: 'r1' } : event));
  return Array.from({ length: count }, (_unused, seq) => {
    const event = opening[seq];
    if (event !== undefined) {
      return recorded(seq, event);
    }
    return seq % 7 === 0 ? warning(seq, 'é'.repeat(seq % 90)) : delta(seq, `piece ${seq} 🙂`);
  });
}

async function write(events: readonly RecordedEvent[], batch = 64): Promise<void> {
  const writer = existsSync(log()) ? store().reopen('r1') : store().create('r1');
  for (let i = 0; i < events.length; i += batch) {
    writer.append(events.slice(i, i + batch));
  }
  await writer.close();
}

/** Makes what is left of the log unreadable, so that only a reader that does not need it succeeds. */
function spoilBeginning(bytes: number): void {
  const text = readFileSync(log());
  text.fill(0x20, 0, bytes);
  writeFileSync(log(), text);
}

/** Changes the stored state as if it had been written so, to tell it from one that comes from the log. */
function markCheckpoint(): void {
  const [head = '', state = ''] = readFileSync(at('run.checkpoint'), 'utf8').split('\n');
  const marked = state.replace('"teamName":"', '"teamName":"Marked ');
  const stateHash = createHash('sha256').update(marked).digest('hex');
  const newHead = JSON.stringify({ ...(JSON.parse(head) as object), stateHash });
  writeFileSync(at('run.checkpoint'), `${newHead}\n${marked}`);
}

describe('the checkpoint', () => {
  it('is written every 2,000 events, with the table of offsets', () => {
    const events = eventsOf(5_000);
    const writer = store().create('r1');
    writer.append(events.slice(0, 1_999));
    expect(existsSync(at('run.checkpoint'))).toBe(false);
    writer.append([warning(1_999, 'now')]);
    expect(statSync(at('run.checkpoint')).mode & 0o777).toBe(0o600);
    expect(statSync(at('run.offsets')).size).toBe(5 * 2_000);
    writer.append(events.slice(2_000, 4_100));
    expect(statSync(at('run.offsets')).size).toBe(5 * 4_100);
  });

  it('makes the same state as the whole log', async () => {
    const events = eventsOf(4_321);
    await write(events.slice(0, 4_150));
    await write(events.slice(4_150));
    const opened = await store().open('r1');
    expect(opened).toStrictEqual({ state: applyAll(undefined, events), skippedLines: 0 });
  });

  it('is what an opened run is read from', async () => {
    await write(eventsOf(2_000));
    markCheckpoint();
    expect((await store().open('r1')).state?.teamName).toMatch(/^Marked /);
  });

  it('of another release is not used', async () => {
    await write(eventsOf(2_000));
    markCheckpoint();
    expect((await store('2.0.0').open('r1')).state?.teamName).not.toMatch(/^Marked /);
  });

  it('is not used when the log was changed anywhere', async () => {
    await write(eventsOf(2_500));
    const before = await store().open('r1');
    const text = readFileSync(log(), 'utf8');
    writeFileSync(log(), text.replace(/("seq":1001,.*)éé/, '$1ÉÉ'));
    const { events } = await store().read('r1');
    const after = await store().open('r1');
    expect(after.state).toStrictEqual(applyAll(undefined, events));
    expect(after.state).not.toEqual(before.state);
  });

  it('is not used when it was changed itself', async () => {
    await write(eventsOf(2_500));
    const { state } = await store().open('r1');
    const text = readFileSync(at('run.checkpoint'), 'utf8');
    writeFileSync(at('run.checkpoint'), text.replace('"teamName":"', '"teamName":"X'));
    expect((await store().open('r1')).state).toStrictEqual(state);
  });

  it('is not used when the log is shorter than it was', async () => {
    await write(eventsOf(2_500));
    truncateSync(log(), 50_000);
    const { events } = await store().read('r1');
    expect((await store().open('r1')).state).toStrictEqual(applyAll(undefined, events));
    expect(events.length).toBeGreaterThan(100);
  });

  it('of another run is not used', async () => {
    await write(eventsOf(2_500));
    const other = store().create('r2');
    other.append([started('r2', 'Other task.'), ended(1)]);
    await other.close();
    copyFileSync(at('run.checkpoint'), at('run.checkpoint', 'r2'));
    expect((await store().open('r2')).state).toMatchObject({ task: 'Other task.', seq: 1 });
  });

  it('is written again by a writer that found none', async () => {
    await write(eventsOf(2_500));
    rmSync(at('run.checkpoint'));
    writeFileSync(at('run.offsets'), 'rubbish');
    await write([ended(2_500)]);
    expect(existsSync(at('run.checkpoint'))).toBe(true);
    expect(statSync(at('run.offsets')).size).toBe(5 * 2_501);
    expect(await store().readRange('r1', 2_400, 2_402)).toEqual(eventsOf(2_402).slice(2_400));
  });

  it('counts the lines that were left out before it', async () => {
    await write(eventsOf(100));
    appendFileSync(log(), 'garbage\n');
    await write(eventsOf(2_500).slice(100));
    expect((await store().open('r1')).skippedLines).toBe(1);
  });

  it('does not stop the log when it cannot be written', async () => {
    mkdirSync(at('run.checkpoint'), { recursive: true });
    await write(eventsOf(2_500));
    expect((await store().open('r1')).state?.seq).toBe(2_499);
  });
});

it('makes the same state with and without what is beside the log, wherever that is cut or torn', async () => {
  await write(eventsOf(2_300));
  const files = ['run.jsonl', 'run.checkpoint', 'run.offsets'].map((name) => at(name));
  const whole = files.map((file) => readFileSync(file));
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  const flips = fc.array(fc.tuple(fc.nat(2), part), { maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(fc.tuple(part, part, part), flips, async (cuts, flipped) => {
      files.forEach((file, i) => {
        const bytes = Buffer.from(whole[i] ?? Buffer.alloc(0));
        for (const [, place] of flipped.filter(([which]) => which === i)) {
          const index = Math.min(bytes.length - 1, Math.floor(place * bytes.length));
          bytes[index] = (bytes[index] ?? 0) ^ 0x01;
        }
        const keep = 1 - (1 - (cuts[i] ?? 1)) ** 3;
        writeFileSync(file, bytes.subarray(0, Math.ceil(keep * bytes.length)));
      });
      const beside = await settled(store().open('r1'));
      const range = await settled(store().readRange('r1', 1_000, 1_010));
      rmSync(at('run.checkpoint'), { force: true });
      rmSync(at('run.offsets'), { force: true });
      expect(beside).toStrictEqual(await settled(store().open('r1')));
      expect(range).toStrictEqual(await settled(store().readRange('r1', 1_000, 1_010)));
    }),
    { numRuns: 60, seed: 11 },
  );
});

async function settled<T>(work: Promise<T>): Promise<T | string> {
  return work.catch((error: unknown) => String(error));
}

const far = Array.from({ length: 3_000 }, () => 10_000_000);

describe('a range of events', () => {
  it('is read by the table of offsets', async () => {
    const events = eventsOf(2_500);
    await write(events);
    for (const [from, to] of [
      [0, 3],
      [1, 2],
      [1_999, 2_001],
      [2_490, 9_999],
      [2_500, 2_600],
      [10, 10],
    ] as const) {
      expect(await store().readRange('r1', from, to)).toEqual(events.slice(from, to));
    }
  });

  it('does not need the log before it', async () => {
    const events = eventsOf(2_500);
    await write(events);
    spoilBeginning(60_000);
    expect(await store().readRange('r1', 2_000, 2_010)).toEqual(events.slice(2_000, 2_010));
  });

  it.each([
    ['missing', (path: string) => rmSync(path)],
    ['torn', (path: string) => truncateSync(path, 5_003)],
    ['pointing behind them', (path: string) => writeFileSync(path, encodeOffsets(far))],
    ['of another log', (path: string) => writeFileSync(path, encodeOffsets(Array(3_000).fill(77)))],
  ])('is found when the table is %s', async (_name, spoil) => {
    const events = eventsOf(2_500);
    await write(events);
    spoil(at('run.offsets'));
    expect(await store().readRange('r1', 2_000, 2_010)).toEqual(events.slice(2_000, 2_010));
  });
});

it('finds events beyond two gigabytes', async () => {
  await write([started('r1')]);
  const place = 2 ** 31 + 100;
  truncateSync(log(), place - 1);
  const tail = [warning(1, 'far away'), warning(2, 'farther'), ended(3)];
  const lines = tail.map((one) => `${JSON.stringify(one)}\n`);
  appendFileSync(log(), `\n${lines.join('')}`);
  writeFileSync(at('run.offsets'), encodeOffsets([0, place, place + (lines[0]?.length ?? 0)]));
  expect(await store().readRange('r1', 2, 4)).toEqual(tail.slice(1));
});

it('keeps offsets beyond 32 bits', () => {
  const offsets = [0, 255, 2 ** 31 + 7, 2 ** 33 + 1, 2 ** 40 - 1];
  const bytes = encodeOffsets(offsets);
  expect(bytes.length).toBe(25);
  expect(offsets.map((_offset, i) => bytes.readUIntLE(i * 5, 5))).toEqual(offsets);
});
