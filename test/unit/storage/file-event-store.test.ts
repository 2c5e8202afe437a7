import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logVersion } from '../../../src/run/events';
import { createFileEventStore } from '../../../src/storage/file-event-store';
import { FakeClock } from '../../support/fake-clock';
import { delta, ended, recorded, started, warning } from './sample-events';

let dir: string;
let clock: FakeClock;
const log = (runId: string): string => join(dir, 'runs', runId, 'run.jsonl');
const lock = (runId: string): string => join(dir, 'runs', runId, 'lock.json');
const store = (): ReturnType<typeof createFileEventStore> => createFileEventStore({ dir, clock });

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'massgen-storage-'));
  clock = new FakeClock();
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

describe('writing a log', () => {
  it('writes a header line and one line per event, private to the user', async () => {
    const writer = store().create('r1');
    writer.append([started('r1'), warning(1, 'é\n')]);
    await writer.close();
    const lines = readFileSync(log('r1'), 'utf8').split('\n');
    expect(lines.map((line): unknown => (line === '' ? '' : JSON.parse(line)))).toEqual([
      { v: logVersion, runId: 'r1' },
      started('r1'),
      warning(1, 'é\n'),
      '',
    ]);
    expect(statSync(log('r1')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dir, 'runs', 'r1')).mode & 0o777).toBe(0o700);
  });

  it('has a decisive event on disk when append returns, after the text that came before it', () => {
    const writer = store().create('r1');
    writer.append([started('r1')]);
    writer.append([delta(1, 'Hel')]);
    writer.append([delta(2, 'lo')]);
    expect(readFileSync(log('r1'), 'utf8')).not.toContain('Hel');
    writer.append([warning(3, 'now')]);
    expect(readFileSync(log('r1'), 'utf8').trimEnd().split('\n').slice(2)).toEqual(
      [delta(1, 'Hel'), delta(2, 'lo'), warning(3, 'now')].map((event) => JSON.stringify(event)),
    );
  });

  it('holds text back for 50 ms at most', () => {
    const writer = store().create('r1');
    writer.append([started('r1')]);
    writer.append([delta(1, 'slow words')]);
    clock.advance(49);
    expect(readFileSync(log('r1'), 'utf8')).not.toContain('slow words');
    clock.advance(1);
    expect(readFileSync(log('r1'), 'utf8')).toContain('slow words');
    expect(clock.pending).toBe(0);
  });

  it('writes text that is still held back when it is closed, and closes twice without harm', async () => {
    const writer = store().create('r1');
    writer.append([started('r1')]);
    writer.append([delta(1, 'last words')]);
    await writer.close();
    await writer.close();
    expect((await store().read('r1')).events.at(-1)).toEqual(delta(1, 'last words'));
    expect(existsSync(lock('r1'))).toBe(false);
    expect(clock.pending).toBe(0);
    expect(() => writer.append([ended(2)])).toThrow(
      expect.objectContaining({ code: 'storage/failed' }),
    );
  });

  it('refuses an id that would leave the storage folder', () => {
    for (const id of ['../x', 'a/b', '', '.', '..', 'a\0b', 'x'.repeat(101)]) {
      expect(() => store().create(id)).toThrow(expect.objectContaining({ code: 'storage/failed' }));
    }
    expect(existsSync(join(dir, 'x'))).toBe(false);
  });

  it('never starts a second log under the same id', async () => {
    const writer = store().create('r1');
    writer.append([started('r1')]);
    await writer.close();
    expect(() => store().create('r1')).toThrow(expect.objectContaining({ code: 'storage/failed' }));
    expect((await store().read('r1')).events).toEqual([started('r1')]);
  });
});

describe('reading a log', () => {
  async function writeRun(): Promise<void> {
    const writer = store().create('r1');
    writer.append([started('r1'), warning(1, 'one'), warning(2, 'two')]);
    await writer.close();
  }

  it('drops a torn last line and cuts it off when the log is opened again', async () => {
    await writeRun();
    appendFileSync(log('r1'), '{"seq":3,"at":1,"event":{"type":"run-en');
    expect((await store().read('r1')).events.map(({ seq }) => seq)).toEqual([0, 1, 2]);
    const writer = store().reopen('r1');
    writer.append([ended(3)]);
    await writer.close();
    expect(await store().read('r1')).toEqual({
      events: [started('r1'), warning(1, 'one'), warning(2, 'two'), ended(3)],
      skippedLines: 0,
    });
  });

  it('skips and counts bad lines elsewhere', async () => {
    await writeRun();
    appendFileSync(
      log('r1'),
      'garbage\n{"seq":1,"at":1,"event":{"type":"run-ended"}}\n{"seq":9}\n',
    );
    appendFileSync(log('r1'), `${JSON.stringify(ended(3))}\n`);
    const { events, skippedLines } = await store().read('r1');
    expect(events.map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
    expect(skippedLines).toBe(3);
  });

  it('keeps events of a newer version', async () => {
    await writeRun();
    appendFileSync(log('r1'), '{"seq":3,"at":5,"event":{"type":"from-the-future","x":1}}\n');
    const { events } = await store().read('r1');
    expect(events.at(-1)).toEqual({ seq: 3, at: 5, event: { type: 'from-the-future', x: 1 } });
  });

  it('says so when there is no such run', async () => {
    await expect(store().read('r9')).rejects.toMatchObject({ code: 'storage/failed' });
    expect(() => store().reopen('r9')).toThrow(expect.objectContaining({ code: 'storage/failed' }));
  });

  it('opens a log whose very first line was torn', async () => {
    mkdirSync(join(dir, 'runs', 'r1'), { recursive: true });
    writeFileSync(log('r1'), '{"v":1,"ru');
    const writer = store().reopen('r1');
    writer.append([started('r1')]);
    await writer.close();
    expect(await store().read('r1')).toEqual({ events: [started('r1')], skippedLines: 0 });
  });
});

describe('the lock', () => {
  it('lets one writer in at a time', async () => {
    const first = store().create('r1');
    expect(() => store().reopen('r1')).toThrow(expect.objectContaining({ code: 'storage/locked' }));
    await first.close();
    await store().reopen('r1').close();
  });

  it('is taken over from a process that is gone', async () => {
    await store().create('r1').close();
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    writeFileSync(lock('r1'), JSON.stringify({ pid: gone, startTime: '1', host: hostname() }));
    await store().reopen('r1').close();
    expect(existsSync(lock('r1'))).toBe(false);
  });

  it.runIf(process.platform === 'linux')(
    'is taken over from an earlier process that had the same number',
    async () => {
      await store().create('r1').close();
      const earlier = { pid: process.pid, startTime: '1', host: hostname() };
      writeFileSync(lock('r1'), JSON.stringify(earlier));
      await store().reopen('r1').close();
      expect(existsSync(lock('r1'))).toBe(false);
    },
  );

  it('takes away what a writer that is gone has left half written, and nothing else', async () => {
    const writer = store().create('r1');
    writer.append([started('r1')]);
    await writer.close();
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    const folder = join(dir, 'runs', 'r1');
    const left = [`summary.json.${gone}.partial`, `lock.json.${gone}.new`];
    const kept = [
      `run.checkpoint.${process.ppid}.partial`,
      `0123456789abcdef/mine.${gone}.partial`,
    ];
    for (const name of [...left, ...kept, `payloads/${'a'.repeat(64)}.${gone}.partial`]) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), 'ha');
    }
    await store().reopen('r1').close();
    expect(left.map((name) => existsSync(join(folder, name)))).toEqual([false, false]);
    expect(kept.map((name) => existsSync(join(folder, name)))).toEqual([true, true]);
    expect(readdirSync(join(folder, 'payloads'))).toEqual([]);
  });

  it('respects a writer on another machine until it has been silent for long', async () => {
    await store().create('r1').close();
    clock.advance(statSync(log('r1')).mtimeMs - clock.now());
    writeFileSync(lock('r1'), JSON.stringify({ pid: 1, startTime: null, host: 'elsewhere' }));
    clock.advance(60_000);
    expect(() => store().reopen('r1')).toThrow(expect.objectContaining({ code: 'storage/locked' }));
    clock.advance(10 * 60_000);
    await store().reopen('r1').close();
    expect(existsSync(lock('r1'))).toBe(false);
  });
});

describe('listing runs', () => {
  const winner = recorded(1, {
    type: 'final-agent-selected',
    winner: { slot: 2, label: 'agent2.1' },
    agreement: {
      rule: 'plurality',
      threshold: null,
      quorum: 1,
      electorate: [1, 2],
      eligibleWeight: 2,
      ballots: 2,
      votes: {},
      votesFromOthers: {},
      needed: null,
      share: 1,
      isSatisfied: true,
      isTie: false,
      tied: [],
      runoffs: 0,
      extraRounds: 0,
      tieBreakUsed: null,
      decidedBy: 'rule',
      isUnanimous: true,
      uninformedBallots: 0,
      voidBallots: 0,
      result: 'decided',
      lead: 1,
      margin: 0,
      effectiveVoters: 3,
      ignoredSelfVotes: 0,
    },
  });

  it('shows newest first with outcome, winner and whether it runs', async () => {
    const done = store().create('a');
    done.append([started('a'), winner, ended(2)]);
    await done.close();
    const running = store().create('b');
    running.append([{ ...started('b', 'Other task.'), at: 2_000 }]);
    writeFileSync(join(dir, 'runs', 'stray-file'), '');
    mkdirSync(join(dir, 'runs', 'empty-folder'));
    expect(await store().list()).toEqual([
      {
        runId: 'b',
        task: 'Other task.',
        startedAt: 2_000,
        outcome: null,
        winner: null,
        folders: [],
        isRunning: true,
      },
      {
        runId: 'a',
        task: 'Fix the test.',
        startedAt: 1_000,
        outcome: 'completed',
        winner: 'agent2.1',
        folders: [],
        isRunning: false,
      },
    ]);
    await running.close();
  });

  it('reads the log when the summary beside it is missing or behind', async () => {
    const writer = store().create('a');
    writer.append([started('a')]);
    await writer.close();
    appendFileSync(log('a'), `${JSON.stringify(winner)}\n${JSON.stringify(ended(2))}\n`);
    expect((await store().list())[0]).toMatchObject({ outcome: 'completed', winner: 'agent2.1' });
    rmSync(join(dir, 'runs', 'a', 'summary.json'));
    expect((await store().list())[0]).toMatchObject({ outcome: 'completed', winner: 'agent2.1' });
  });

  it('is empty before the first run', async () => {
    expect(await store().list()).toEqual([]);
  });
});

describe('a log that is not this run’s own', () => {
  it.each([
    ['of a later version', { v: logVersion + 1, runId: 'r1' }],
    ['of another run', { v: 1, runId: 'r2' }],
  ])('(%s) is neither read nor written', async (_name, header) => {
    mkdirSync(join(dir, 'runs', 'r1'), { recursive: true });
    const text = `${JSON.stringify(header)}\n${JSON.stringify(started('r1'))}\n`;
    writeFileSync(log('r1'), text);
    await expect(store().read('r1')).rejects.toMatchObject({ code: 'storage/corrupt' });
    expect(() => store().reopen('r1')).toThrow('run');
    expect(readFileSync(log('r1'), 'utf8')).toBe(text);
    expect(existsSync(lock('r1'))).toBe(false);
  });
});
