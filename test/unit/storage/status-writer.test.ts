import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createStatusWriter } from '../../../src/storage/status-writer';
import { FakeClock } from '../../support/fake-clock';
import { sampleRunEvents, stateAfter } from '../../support/sample-run';

let dir: string;
let clock: FakeClock;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'massgen-status-'));
  clock = new FakeClock();
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

const noTallies = new Map();
const running = stateAfter(sampleRunEvents.slice(0, 3));
const answered = stateAfter(sampleRunEvents.slice(0, 7));
const ended = stateAfter(sampleRunEvents);

function onDisk(): { updated: number; answers: number; isComplete: boolean } {
  const status: unknown = JSON.parse(readFileSync(join(dir, 'status.json'), 'utf8'));
  expect(status).toMatchObject({ schema_version: 2, meta: { log_dir: dir } });
  const { meta, agents, is_complete } = status as {
    meta: { last_updated: number };
    agents: { gpt: { answer_count: number } };
    is_complete: boolean;
  };
  return {
    updated: meta.last_updated,
    answers: agents.gpt.answer_count,
    isComplete: is_complete,
  };
}

it('writes the first state at once, and the next ones every 200 ms at most', () => {
  const writer = createStatusWriter({ dir, clock });
  writer.update(running, noTallies);
  expect(onDisk()).toEqual({ updated: 1000, answers: 0, isComplete: false });
  clock.advance(50);
  writer.update(answered, noTallies);
  writer.update(answered, noTallies);
  expect(onDisk().answers).toBe(0);
  clock.advance(150);
  expect(onDisk()).toEqual({ updated: 1000.2, answers: 1, isComplete: false });
  writer.dispose();
});

it('shows every two seconds that the run lives', () => {
  const writer = createStatusWriter({ dir, clock });
  writer.update(running, noTallies);
  clock.advance(2_000);
  expect(onDisk().updated).toBe(1002);
  clock.advance(2_000);
  expect(onDisk().updated).toBe(1004);
  writer.dispose();
  expect(clock.pending).toBe(0);
});

it('always writes the end, at once, and then rests', () => {
  const writer = createStatusWriter({ dir, clock });
  writer.update(running, noTallies);
  writer.update(ended, noTallies);
  expect(onDisk().isComplete).toBe(true);
  expect(clock.pending).toBe(0);
  writer.dispose();
});

it('writes what is outstanding when it is disposed, and nothing afterwards', () => {
  const writer = createStatusWriter({ dir, clock });
  writer.update(running, noTallies);
  writer.update(answered, noTallies);
  writer.dispose();
  expect(onDisk().answers).toBe(1);
  writer.update(ended, noTallies);
  expect(onDisk().isComplete).toBe(false);
  expect(clock.pending).toBe(0);
});

it('never gives a time before the last one, although the clock is set back', () => {
  let now = 20_000;
  const writer = createStatusWriter({
    dir,
    clock: { now: () => now, after: (delayMs, run) => clock.after(delayMs, run) },
  });
  writer.update(running, noTallies);
  now = 5_000;
  writer.update(ended, noTallies);
  expect(onDisk()).toEqual({ updated: 20, answers: 1, isComplete: true });
  writer.dispose();
});

it('leaves one private file and no partial ones', () => {
  const writer = createStatusWriter({ dir, clock });
  writer.update(ended, noTallies);
  writer.dispose();
  expect(readdirSync(dir)).toEqual(['status.json']);
  expect(statSync(join(dir, 'status.json')).mode & 0o777).toBe(0o600);
});

it('goes on when the file cannot be written', () => {
  const writer = createStatusWriter({ dir: join(dir, 'missing'), clock });
  writer.update(running, noTallies);
  clock.advance(2_000);
  writer.dispose();
  expect(readdirSync(dir)).toEqual([]);
});
