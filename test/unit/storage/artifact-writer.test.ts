import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectArtifacts } from '../../../src/protocol/artifacts/project-artifacts';
import type { RecordedEvent } from '../../../src/run/events';
import { apply } from '../../../src/run/reducer';
import type { RunState } from '../../../src/run/state';
import type { SnapshotFile } from '../../../src/storage/artifact-files-on-disk';
import {
  type ArtifactWriter,
  type ArtifactWriterParts,
  createArtifactWriter,
  toYaml,
} from '../../../src/storage/artifact-writer';
import { createStatusWriter } from '../../../src/storage/status-writer';
import { FakeClock } from '../../support/fake-clock';
import { noPayloads } from '../../support/project';
import { restartedRunEvents } from '../../support/restarted-run';
import { record, sampleRunEvents, stateAfter } from '../../support/sample-run';

let root: string;
let clock: FakeClock;
let failures: unknown[];
const turn = (): string => join(root, 'massgen_logs', 'log_19700101_001640_000000', 'turn_1');

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'massgen-artifacts-'));
  clock = new FakeClock();
  failures = [];
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function writerWith(parts: Partial<ArtifactWriterParts> = {}): ArtifactWriter {
  return createArtifactWriter({
    ...{ root, clock, payloads: noPayloads, host: null, copyLimit: 1_000 },
    snapshotFiles: () => undefined,
    earlier: () => Promise.reject(new Error('nobody asks for earlier events of a new run')),
    onFailure: (error) => failures.push(error),
    ...parts,
  });
}

const sample = record(sampleRunEvents);
const restarted = record(restartedRunEvents);

/** Gives events to a writer as a run does, `size` at a time, with time passing between. */
async function feed(
  writer: ArtifactWriter,
  events: readonly RecordedEvent[],
  { size = 1, from = 0 } = {},
): Promise<void> {
  let state: RunState | undefined;
  for (let at = 0; at < events.length; at += size) {
    const batch = events.slice(at, at + size);
    for (const recorded of batch) {
      state = apply(state, recorded);
    }
    if (state !== undefined && at >= from) {
      writer.take(batch, state);
      clock.advance(700);
      await writer.settled();
    }
  }
}

function onDisk(dir = turn()): ReadonlyMap<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [relative(dir, file), readFileSync(file, 'utf8')]));
}

/** What the same events are projected to at once; the live status has another time in it. */
function projected(events: readonly RecordedEvent[]): ReadonlyMap<string, string> {
  return projectArtifacts(events, noPayloads, { toYaml, logDir: turn() });
}

const withoutStatus = (files: ReadonlyMap<string, string>): unknown =>
  Object.fromEntries([...files].filter(([path]) => path !== 'status.json').toSorted());

describe('the files of a run', () => {
  it.each([
    ['a run', sample, 1],
    ['a run whose events come in lots', sample, 7],
    ['a run of two attempts', restarted, 3],
  ])('of %s are those that its log gives', async (_name, events, size) => {
    const writer = writerWith();
    await feed(writer, events, { size });
    await writer.close();
    expect(withoutStatus(onDisk())).toEqual(withoutStatus(projected(events)));
    expect(JSON.parse(onDisk().get('status.json') ?? '')).toMatchObject({ is_complete: true });
    expect(failures).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('begin with a status that is there before anything else happens', () => {
    const [first] = sample;
    const writer = writerWith();
    writer.take(first === undefined ? [] : [first], stateAfter(sampleRunEvents.slice(0, 1)));
    expect(writer.dir).toBe(turn());
    expect(JSON.parse(readFileSync(join(turn(), 'status.json'), 'utf8'))).toMatchObject({
      meta: { log_dir: turn() },
      is_complete: false,
    });
  });

  it('of attempts stand in a folder each, and the last final answer also above', async () => {
    const writer = writerWith();
    await feed(writer, restarted);
    await writer.close();
    const files = onDisk();
    expect(files.get('attempt_1/final/claude/answer.txt')).toBe('# Done\n\nAll units.');
    expect(files.get('attempt_2/final/claude/answer.txt')).toBe('Done, with days.');
    expect(files.get('final/claude/answer.txt')).toBe('Done, with days.');
    expect(JSON.parse(files.get('attempts.json') ?? '')).toMatchObject([
      { attempt: 1, winner: 'claude', evaluation: 'restart', reason: 'Days are missing.' },
      { attempt: 2, winner: 'claude', evaluation: null },
    ]);
  });

  it('are private, and are not committed where they are generated', async () => {
    const writer = writerWith();
    await feed(writer, sample);
    await writer.close();
    expect(readFileSync(join(root, 'massgen_logs', '.gitignore'), 'utf8')).toBe('*\n');
    expect(statSync(join(turn(), 'gpt')).mode & 0o777).toBe(0o700);
    for (const path of onDisk().keys()) {
      expect(statSync(join(turn(), path)).mode & 0o777).toBe(0o600);
    }
  });

  it('leave an ignore file of the user as it is', async () => {
    mkdirSync(join(root, 'massgen_logs'));
    writeFileSync(join(root, 'massgen_logs', '.gitignore'), '!keep\n');
    const writer = writerWith();
    await feed(writer, sample);
    await writer.close();
    expect(readFileSync(join(root, 'massgen_logs', '.gitignore'), 'utf8')).toBe('!keep\n');
  });

  it('are made anew, with the same bytes, when another process goes on', async () => {
    const first = writerWith();
    await feed(first, restarted.slice(0, 20));
    await first.close();
    const second = writerWith({ earlier: async () => restarted });
    await feed(second, restarted, { from: 20 });
    await second.close();
    expect(withoutStatus(onDisk())).toEqual(withoutStatus(projected(restarted)));
    const rounds = { total_rounds: restarted.filter(isTurnEnd).length };
    expect(JSON.parse(onDisk().get('status.json') ?? '')).toMatchObject({ rounds });
  });

  it('are not followed about by what killed processes had begun to write', async () => {
    const first = writerWith();
    await feed(first, sample.slice(0, 5));
    await first.close();
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    const begun = ['execution_metadata.yaml', 'agent_outputs/claude.txt'].map((path) =>
      join(turn(), path),
    );
    for (const path of begun) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(`${path}.${gone}.partial`, 'ha');
    }
    writeFileSync(`${begun[0] ?? ''}.${process.ppid}.partial`, 'another process writes this now');
    const second = writerWith({ earlier: async () => sample });
    await feed(second, sample, { from: 5 });
    await second.close();
    expect([...onDisk().keys()].filter((path) => path.endsWith('.partial'))).toEqual([
      `execution_metadata.yaml.${process.ppid}.partial`,
    ]);
  });
});

function isTurnEnd({ event }: RecordedEvent): boolean {
  return event.type === 'agent-turn-ended';
}

describe('copies of the files of an answer', () => {
  const file = (path: string, text: string, changed: Partial<SnapshotFile> = {}): SnapshotFile => ({
    ...{ root: 'workspace', path, kind: 'file', isExecutable: false },
    sizeBytes: Buffer.byteLength(text),
    read: () => Buffer.from(text),
    ...changed,
  });
  const copied = async (files: readonly SnapshotFile[]): Promise<string> => {
    const writer = writerWith({
      snapshotFiles: (id) => (id === 'snapshot-2' ? files : undefined),
    });
    await feed(writer, sample);
    await writer.close();
    expect(failures).toEqual([]);
    return join(turn(), 'final', 'claude');
  };

  it('hold what the agent made, apart from what it changed for the user', async () => {
    const dir = await copied([
      file('notes/plan.txt', 'plan'),
      file('run.sh', 'echo', { isExecutable: true }),
      file('src/a.js', 'a', { root: 'sample' }),
    ]);
    expect(readFileSync(join(dir, 'workspace/notes/plan.txt'), 'utf8')).toBe('plan');
    expect(readFileSync(join(dir, 'changes/sample/src/a.js'), 'utf8')).toBe('a');
    expect(statSync(join(dir, 'workspace/run.sh')).mode & 0o777).toBe(0o700);
    const answer = readdirSync(join(turn(), 'claude')).find((name) =>
      existsSync(join(turn(), 'claude', name, 'answer.txt')),
    );
    const ofAnswer = join(turn(), 'claude', answer ?? '', 'workspace/notes/plan.txt');
    expect(readFileSync(ofAnswer, 'utf8')).toBe('plan');
    expect(existsSync(join(dir, 'left_out.json'))).toBe(false);
  });

  it('are made whole when another process was killed over them', async () => {
    const kept = file('notes/plan.txt', 'plan');
    const changed = file('src/a.js', 'a', { root: 'sample' });
    const dir = join(turn(), 'final', 'claude');
    for (const path of ['workspace.partial/notes/plan.txt', 'changes/sample/src/a.js']) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), 'ha');
    }
    expect(await copied([kept, changed])).toBe(dir);
    expect(readFileSync(join(dir, 'workspace/notes/plan.txt'), 'utf8')).toBe('plan');
    expect(readFileSync(join(dir, 'changes/sample/src/a.js'), 'utf8')).toBe('a');
    expect(readdirSync(dir).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('follow no link, and list what they leave out', async () => {
    const dir = await copied([
      file('link', '/etc/passwd', { kind: 'link' }),
      file('old.txt', '', { kind: 'deleted', root: 'sample' }),
      file('lost.txt', 'x', { read: () => undefined }),
      file('small.txt', 'x'.repeat(600)),
      file('big.txt', 'x'.repeat(500)),
      file('fits.txt', 'x'.repeat(400)),
    ]);
    expect(readdirSync(join(dir, 'workspace')).sort()).toEqual(['fits.txt', 'small.txt']);
    expect(JSON.parse(readFileSync(join(dir, 'left_out.json'), 'utf8'))).toEqual([
      { path: 'workspace/link', what: 'link' },
      { path: 'changes/sample/old.txt', what: 'deleted' },
      { path: 'workspace/lost.txt', what: 'not stored' },
      { path: 'workspace/big.txt', what: 'over the size limit' },
    ]);
  });

  it('stay inside their folder whatever a root is called', async () => {
    const dir = await copied([
      file('a.txt', 'a', { root: '..' }),
      file('b', 'b', { root: 'x/../y' }),
    ]);
    expect(readFileSync(join(dir, 'changes/_/a.txt'), 'utf8')).toBe('a');
    expect(readFileSync(join(dir, 'changes/x_.._y/b'), 'utf8')).toBe('b');
  });
});

describe('what cannot be written', () => {
  it('is said once, and the other files are written all the same', async () => {
    mkdirSync(join(turn(), 'coordination_table.txt'), { recursive: true });
    mkdirSync(join(turn(), 'vote.json'));
    const writer = writerWith();
    await feed(writer, sample);
    await writer.close();
    expect(failures).toHaveLength(1);
    expect(readFileSync(join(turn(), 'events.jsonl'), 'utf8').split('\n')).toHaveLength(
      sample.length + 1,
    );
  });

  it('stops nothing, not even when there is no folder at all', async () => {
    writeFileSync(join(root, 'massgen_logs'), 'a file in the way');
    const writer = writerWith();
    await feed(writer, sample);
    await writer.close();
    expect(failures).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('does not lead out of the folder by a link that somebody put there', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'massgen-outside-'));
    mkdirSync(turn(), { recursive: true });
    writeFileSync(join(outside, 'mine.txt'), 'mine');
    symlinkSync(join(outside, 'mine.txt'), join(turn(), 'status.json'));
    symlinkSync(join(outside, 'mine.txt'), join(turn(), 'attempts.json'));
    const writer = writerWith();
    await feed(writer, sample);
    await writer.close();
    expect(readFileSync(join(outside, 'mine.txt'), 'utf8')).toBe('mine');
    rmSync(outside, { recursive: true });
  });
});

it('X8 a reader that polls status.json never sees broken JSON, nor time that runs backwards', async () => {
  const script = join(root, 'status-reading-process.cjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'status-reading-process.ts')],
    ...{ bundle: true, platform: 'node', format: 'cjs', outfile: script, logLevel: 'error' },
  });
  const writer = createStatusWriter({ dir: root, clock });
  const running = sampleRunEvents.slice(0, -1).map((_event, i) => sampleRunEvents.slice(0, i + 1));
  const states = running.map(stateAfter);
  const write = (i: number): void => {
    const state = states[i % states.length];
    if (state !== undefined) {
      writer.update(state, new Map());
      clock.advance(200);
    }
  };
  write(0);
  const child = spawn(process.execPath, [script, join(root, 'status.json')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = once(child, 'close');
  for (let i = 1; output.length < 100 && child.exitCode === null; i++) {
    write(i);
    await new Promise((resolve) => setImmediate(resolve));
  }
  writer.update(stateAfter(sampleRunEvents), new Map());
  writer.dispose();
  await closed;
  const said = JSON.parse(output.split('\n').at(-1) ?? '') as { versions: number };
  expect(said).toMatchObject({ faults: [] });
  expect(said.versions).toBeGreaterThanOrEqual(100);
});
