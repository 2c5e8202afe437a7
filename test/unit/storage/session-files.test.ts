import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionTurn, TurnFile } from '../../../src/core/ports/session-store';
import { createSessionFiles } from '../../../src/storage/session-files';
import {
  completeSession,
  forgetSessions,
  readSessionList,
  registerSession,
  type RegisteredSession,
} from '../../../src/storage/session-registry';
import { FakeClock } from '../../support/fake-clock';
import { realClock } from '../../support/real-clock';

let dir: string;
const store = (copyLimit?: number): ReturnType<typeof createSessionFiles> =>
  createSessionFiles({
    dir,
    clock: new FakeClock(),
    ...(copyLimit === undefined ? {} : { copyLimit }),
  });
const at = (...path: readonly string[]): string => join(dir, 'sessions', 's1', ...path);

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'massgen-session-files-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

const turn = (number: number): SessionTurn => ({
  turn: number,
  runId: `run-${number}`,
  task: `Task ${number}.`,
  answer: `Answer ${number}.`,
  winner: 'alpha',
  snapshotId: number % 2 === 0 ? null : 'a'.repeat(64),
  endedAt: 1_790_000_000_000 + number,
  costUsd: 0.25,
});

const file = (path: string, content: string, isExecutable = false): TurnFile => ({
  path,
  sizeBytes: content.length,
  isExecutable,
  read: () => new TextEncoder().encode(content),
});

async function commit(...numbers: readonly number[]): Promise<void> {
  const session = await store().open('s1');
  for (const number of numbers) {
    await session.commit(turn(number), []);
  }
  session.close();
}

describe('a stored session', () => {
  it('has its turns in the order of their numbers', async () => {
    await commit(10, 2, 1, 9);
    const { turns, costUsd } = await store().read('s1');
    expect(turns).toEqual([1, 2, 9, 10].map(turn));
    expect(costUsd).toBe(1);
  });

  it('is empty before the first turn', async () => {
    expect(await store().read('s1')).toEqual({
      ...{ sessionId: 's1', turns: [], notes: [], costUsd: 0 },
    });
    expect(existsSync(at())).toBe(false);
  });

  it.each([
    ['torn', '{"turn": 2, "timest'],
    ['of another turn', undefined],
    ['of another session', '"session_id": "s1"'],
  ])('leaves out a turn whose metadata is %s', async (name, change) => {
    await commit(1, 2);
    const path = at('turn_2', 'metadata.json');
    const text = readFileSync(path, 'utf8');
    if (name === 'torn') {
      writeFileSync(path, change ?? '');
    } else if (name === 'of another turn') {
      writeFileSync(path, text.replace('"turn": 2', '"turn": 7'));
    } else {
      writeFileSync(path, text.replace(change ?? '', '"session_id": "s2"'));
    }
    expect((await store().read('s1')).turns).toEqual([turn(1)]);
  });

  it('takes nothing else in its folder for a turn', async () => {
    await commit(1);
    for (const name of ['turn_0', 'turn_01', 'turn_x', 'turn_', 'other']) {
      mkdirSync(at(name));
      writeFileSync(at(name, 'metadata.json'), readFileSync(at('turn_1', 'metadata.json')));
    }
    expect((await store().read('s1')).turns).toEqual([turn(1)]);
  });

  it('copies the files of a turn as far as they fit', async () => {
    const session = await store(12).open('s1');
    const files = [
      file('a/b.txt', '12345'),
      file('large.bin', '1234567890'),
      file('run.sh', '1234567', true),
      { ...file('gone', ''), read: () => undefined },
    ];
    await session.commit(turn(1), files);
    session.close();
    expect(readdirSync(at('turn_1', 'workspace')).sort()).toEqual(['a', 'run.sh']);
    expect(readFileSync(at('turn_1', 'workspace', 'a', 'b.txt'), 'utf8')).toBe('12345');
  });

  it('is no turn when its files could not be written', async () => {
    const session = await store().open('s1');
    const broken: TurnFile = {
      ...file('x', '1'),
      read: () => {
        throw new Error('the store is gone');
      },
    };
    await expect(session.commit(turn(1), [broken])).rejects.toMatchObject({
      code: 'storage/failed',
    });
    session.close();
    expect(existsSync(at('turn_1', 'answer.txt'))).toBe(true);
    expect((await store().read('s1')).turns).toEqual([]);
  });

  it('notes what became of runs without a turn, each once', async () => {
    const session = await store().open('s1');
    const note = { runId: 'run-2', outcome: 'interrupted', endedAt: 1_000, costUsd: 0.5 } as const;
    await session.commit(turn(1), []);
    await session.note(note);
    await session.note({ ...note, outcome: 'cancelled', costUsd: 0.75 });
    expect(session.session).toMatchObject({
      ...{ costUsd: 1, notes: [{ ...note, outcome: 'cancelled', costUsd: 0.75 }] },
    });
    await session.commit(turn(2), []);
    session.close();
    expect(await store().read('s1')).toMatchObject({ notes: [], costUsd: 0.5 });
  });

  it('refuses an id that would leave its folder', async () => {
    for (const id of ['../x', 'a/b', '', '..']) {
      await expect(store().open(id)).rejects.toMatchObject({ code: 'storage/failed' });
    }
  });

  it('is open once at a time', async () => {
    const first = await store().open('s1');
    await expect(store().open('s1')).rejects.toMatchObject({
      code: 'storage/locked',
      message: expect.stringContaining('session') as string,
    });
    first.close();
    first.close();
    (await store().open('s1')).close();
    expect(existsSync(at('lock.json'))).toBe(false);
  });
});

const entry = (id: string, more: Partial<RegisteredSession> = {}): RegisteredSession => ({
  session_id: id,
  start_time: '2026-03-14T15:09:26.000Z',
  end_time: null,
  status: 'active',
  config_path: null,
  model: null,
  description: null,
  log_directory: null,
  data_path: '/storage',
  origin: 'cli',
  ...more,
});

describe('the list of sessions', () => {
  const signal = new AbortController().signal;
  const list = (): string => join(dir, 'home', 'sessions.json');
  const stored = (): unknown => JSON.parse(readFileSync(list(), 'utf8'));

  it('gets an entry, which a later one of the same session brings up to date', async () => {
    await registerSession({ file: list(), clock: realClock }, entry('s1'), signal);
    await registerSession({ file: list(), clock: realClock }, entry('s2'), signal);
    await registerSession(
      { file: list(), clock: realClock },
      entry('s1', { status: 'completed' }),
      signal,
    );
    expect(stored()).toEqual({ sessions: [entry('s2'), entry('s1', { status: 'completed' })] });
    expect(readdirSync(join(dir, 'home'))).toEqual(['sessions.json']);
  });

  it('keeps when and where a session began, and what was asked first, when it goes on', async () => {
    const place = { file: list(), clock: realClock };
    await registerSession(place, entry('s1', { description: 'First', origin: 'vscode' }), signal);
    const more = { description: 'Second', start_time: '2026-03-15T00:00:00.000Z', model: 'm2' };
    await registerSession(place, entry('s1', more), signal);
    expect(readSessionList(list())).toEqual([
      entry('s1', { description: 'First', origin: 'vscode', model: 'm2' }),
    ]);
  });

  it('says when a session is over, and nothing about one that it does not know', async () => {
    const place = { file: list(), clock: new FakeClock() };
    await registerSession(place, entry('s1'), signal);
    await completeSession(place, 's1', signal);
    await completeSession(place, 's2', signal);
    const end = new Date(place.clock.now()).toISOString();
    expect(stored()).toEqual({
      sessions: [entry('s1', { status: 'completed', end_time: end })],
    });
  });

  it('forgets what is gone, and never what it cannot read', async () => {
    mkdirSync(join(dir, 'home'));
    const foreign = { session_id: 'old', start_time: 7 };
    writeFileSync(list(), JSON.stringify({ sessions: [foreign, entry('s1'), entry('s2')] }));
    const place = { file: list(), clock: realClock };
    await forgetSessions(
      place,
      ({ data_path, session_id }) => data_path !== null && session_id === 's1',
      signal,
    );
    expect(stored()).toEqual({ sessions: [foreign, entry('s2')] });
  });

  it('is empty where there is no list, or none that can be read', () => {
    expect(readSessionList(list())).toEqual([]);
    mkdirSync(join(dir, 'home'));
    writeFileSync(list(), '[1]');
    expect(readSessionList(list())).toEqual([]);
  });

  it('keeps what others have written into it', async () => {
    mkdirSync(join(dir, 'home'));
    const foreign = { version: 3, sessions: [{ session_id: 'old', note: 'x' }] };
    writeFileSync(list(), JSON.stringify(foreign));
    await registerSession({ file: list(), clock: realClock }, entry('s1'), signal);
    expect(stored()).toEqual({
      version: 3,
      sessions: [{ session_id: 'old', note: 'x' }, entry('s1')],
    });
  });

  it('sets a list aside that cannot be read', async () => {
    mkdirSync(join(dir, 'home'));
    writeFileSync(list(), '{"sessions": [');
    await registerSession({ file: list(), clock: realClock }, entry('s1'), signal);
    expect(stored()).toEqual({ sessions: [entry('s1')] });
    expect(readFileSync(`${list()}.unreadable`, 'utf8')).toBe('{"sessions": [');
  });

  it('keeps entries of any shape as they are', async () => {
    mkdirSync(join(dir, 'home'));
    const strange = [{ id: 'other' }, 7, null, 'text', [1], { session_id: 8 }];
    writeFileSync(list(), JSON.stringify({ sessions: [...strange, entry('s1')] }));
    const place = { file: list(), clock: realClock };
    expect(readSessionList(list())).toEqual([entry('s1')]);
    await registerSession(place, entry('s2'), signal);
    await completeSession(place, 's2', signal);
    await forgetSessions(place, ({ session_id }) => session_id === 's1', signal);
    expect(stored()).toMatchObject({ sessions: [...strange, { session_id: 's2' }] });
    expect(existsSync(`${list()}.unreadable`)).toBe(false);
  });

  it('stays where a link leads to', async () => {
    mkdirSync(join(dir, 'home'));
    const real = join(dir, 'kept elsewhere.json');
    writeFileSync(real, '{"sessions": []}');
    symlinkSync(real, list());
    await registerSession({ file: list(), clock: realClock }, entry('s1'), signal);
    expect(lstatSync(list()).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(real, 'utf8'))).toEqual({ sessions: [entry('s1')] });
  });

  it.skipIf(process.platform === 'win32').each(['pipe', 'folder', 'huge'])(
    'is neither waited for nor replaced when it is no file of a list: %s',
    async (kind) => {
      mkdirSync(join(dir, 'home'));
      if (kind === 'pipe') {
        execFileSync('mkfifo', [list()]);
      } else if (kind === 'folder') {
        mkdirSync(list());
      } else {
        writeFileSync(list(), '');
        truncateSync(list(), 65 * 1024 * 1024);
      }
      expect(readSessionList(list())).toEqual([]);
      const registering = registerSession({ file: list(), clock: realClock }, entry('s1'), signal);
      await expect(registering).rejects.toMatchObject({ code: 'storage/failed' });
      const { size } = statSync(list());
      expect(size === 65 * 1024 * 1024 || !lstatSync(list()).isFile()).toBe(true);
    },
  );

  it.skipIf(process.platform === 'win32')(
    'is not waited for behind a lock that is a pipe',
    async () => {
      mkdirSync(join(dir, 'home'));
      execFileSync('mkfifo', [`${list()}.lock`]);
      const clock = new FakeClock();
      const stop = new AbortController();
      const waiting = registerSession({ file: list(), clock }, entry('s1'), stop.signal);
      stop.abort(new Error('no more'));
      clock.advance(20);
      await expect(waiting).rejects.toThrow('no more');
    },
  );

  it('loses no entry when several processes write at once', async () => {
    const script = join(dir, 'session-registering-process.cjs');
    await build({
      entryPoints: [join(import.meta.dirname, 'session-registering-process.ts')],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      outfile: script,
      logLevel: 'error',
    });
    const children = ['a', 'b', 'c'].map((name) =>
      spawn(process.execPath, [script, list(), name, '8'], { stdio: 'inherit' }),
    );
    const codes = await Promise.all(children.map(async (child) => once(child, 'close')));
    expect(codes.map(([code]: unknown[]) => code)).toEqual([0, 0, 0]);
    const { sessions } = stored() as { readonly sessions: readonly unknown[] };
    expect(sessions).toHaveLength(24);
  });

  it('gives up waiting when it is told to', async () => {
    mkdirSync(join(dir, 'home'));
    const held = await heldBySomebody();
    const stop = new AbortController();
    const clock = new FakeClock();
    const waiting = registerSession({ file: list(), clock }, entry('s1'), stop.signal);
    stop.abort(new Error('no more'));
    clock.advance(20);
    await expect(waiting).rejects.toThrow('no more');
    expect(existsSync(list())).toBe(false);
    held();
  });

  /** Holds the lock of the list from this process. */
  async function heldBySomebody(): Promise<() => void> {
    const { acquireLock } = await import('../../../src/storage/lock-file');
    const path = `${list()}.lock`;
    const lock = acquireLock({ path, proofOfLife: path, now: 0 });
    return () => lock.dispose();
  }
});
