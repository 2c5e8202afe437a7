import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOfflineKind } from '../../../../src/backends/offline/index';
import type { BackendSettings } from '../../../../src/core/ports/backend-kind';
import { collect, requestOf, servicesWith, textOf } from '../../../contract/backend-kit';
import { FakeClock } from '../../../support/fake-clock';
import { settle } from '../../../support/run-harness';

const never = new AbortController().signal;
const shipped = createOfflineKind('media/offline');

function settings(options: BackendSettings['options'] = {}): BackendSettings {
  return { type: 'offline', model: 'scripted-1', apiKeyName: undefined, options };
}

describe('the offline kind', () => {
  it('needs no host and no key, and costs nothing', () => {
    const given = settings();
    expect(shipped.hostOf(given)).toBeUndefined();
    expect(shipped.keyNamesOf(given)).toEqual([]);
    expect(shipped.familyOf(given)).toBe('script');
    expect(shipped.priceOf(given)).toEqual({ inputUsd: 0, cachedInputUsd: 0, outputUsd: 0 });
  });

  it('takes the sample task, however it is wrapped', () => {
    const task =
      ' parseDuration("1h 30m") returns 3600 instead of 5400.\n Fix it and keep the public API. ';
    expect(shipped.refusalOf(settings(), task)).toBeUndefined();
  });

  it('refuses any other task and names the ways to a real model', () => {
    const refusal = shipped.refusalOf(settings(), 'Write a game.');
    expect(refusal?.code).toBe('backend/unavailable');
    expect(refusal?.message).toContain(
      'script made by hand that knows only the task of the sample',
    );
    for (const way of ['editor', 'API key', 'Ollama', 'LM Studio']) {
      expect(refusal?.hint).toContain(way);
    }
  });

  it.each([
    ['../demo.jsonl', 'bare name'],
    ['/etc/passwd', 'bare name'],
    ['demo.json', 'bare name'],
    ['absent.jsonl', 'cannot be read'],
  ])('refuses the recording %s before a run', (name, said) => {
    const refusal = shipped.refusalOf(settings({ recording: name }), 'any');
    expect(refusal?.code).toBe('config/invalid');
    expect(refusal?.message).toContain(said);
  });
});

describe('playing', () => {
  let dir = '';
  const place = { slot: 1, turnNo: 1, call: 1 };
  const lines = [
    { v: 1, task: 'T' },
    { at: 1000, event: { type: 'model-call-started', ...place } },
    { at: 1400, event: { type: 'text-delta', ...place, text: 'One' } },
    { at: 1500, event: { type: 'text-delta', ...place, text: ' two', isThinking: true } },
    { at: 1600, event: { type: 'unheard-of', ...place } },
    { at: 2500, event: { type: 'model-call-ended', ...place, toolCalls: [], usage: {} } },
  ];

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'massgen-recording-'));
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    await writeFile(join(dir, 'one.jsonl'), `${text}\n{"at":1,"ev`);
    await writeFile(join(dir, 'empty.jsonl'), '{"v":1}\n');
  });
  afterAll(async () => {
    await rm(dir, { recursive: true });
  });

  it('keeps the recorded pauses, divided by the speed', async () => {
    const clock = new FakeClock();
    const given = settings({ recording: 'one.jsonl', speed: 2 });
    const backend = await createOfflineKind(dir).create(given, servicesWith({}, clock), never);
    const parts = collect(backend.stream(requestOf(), never));
    const times: number[] = [];
    await settle();
    for (let before = clock.now(); clock.advanceToNext(); before = clock.now()) {
      times.push(clock.now() - before);
      await settle();
    }
    expect(times).toEqual([200, 50, 500]);
    expect(await parts).toEqual([
      { type: 'text-delta', text: 'One' },
      { type: 'thinking-delta', text: ' two' },
      { type: 'usage', usage: {} },
      { type: 'end', reason: 'stop' },
    ]);
  });

  it('leaves no timer behind when it is stopped', async () => {
    const clock = new FakeClock();
    const abort = new AbortController();
    const given = settings({ recording: 'one.jsonl' });
    const backend = await createOfflineKind(dir).create(given, servicesWith({}, clock), never);
    const parts = collect(backend.stream(requestOf(), abort.signal));
    await settle();
    expect(clock.pending).toBe(1);
    abort.abort(new Error('stop'));
    expect(textOf(await parts)).toBe('');
    expect(clock.pending).toBe(0);
  });

  it('plays the log of a stored run, by its id', async () => {
    const id = '20260314-150926-535-8f3a2c';
    await mkdir(join(dir, id), { recursive: true });
    const resumed = { at: 2000, event: { type: 'run-resumed' } };
    const again = { at: 2100, event: { type: 'text-delta', ...place, text: 'Two' } };
    const [, started, half, ...rest] = lines;
    const log = [lines[0], started, half, resumed, again, rest.at(-1)];
    await writeFile(join(dir, id, 'run.jsonl'), log.map((line) => JSON.stringify(line)).join('\n'));
    const given = settings({ recording: id, speed: 100_000 });
    const kind = createOfflineKind('/nowhere', dir);
    const backend = await kind.create(given, servicesWith({}, new FakeClock()), never);
    expect(textOf(await collect(backend.stream(requestOf(), never)))).toBe('Two');
    const elsewhere = createOfflineKind('/nowhere');
    await expect(elsewhere.create(given, servicesWith({}), never)).rejects.toMatchObject({
      code: 'config/invalid',
    });
  });

  it('refuses a file in which no model speaks', async () => {
    const given = settings({ recording: 'empty.jsonl' });
    const kind = createOfflineKind(dir);
    await expect(kind.create(given, servicesWith({}), never)).rejects.toMatchObject({
      code: 'config/invalid',
    });
  });
});
