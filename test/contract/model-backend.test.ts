import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtInBackends } from '../../src/backends/registry';
import { MassGenError } from '../../src/core/errors';
import type { BackendPart } from '../../src/core/ports/model-backend';
import {
  type BackendStage,
  type BackendUnderTest,
  type Situation,
  collect,
  endOf,
  expected,
  requestOf,
  textOf,
} from './backend-kit';
import { stageChatCompletion } from './chatcompletion-stage';
import { stageOffline } from './offline-stage';

/** A new adapter adds its stage here. */
const stages: Readonly<Record<string, BackendStage>> = {
  chatcompletion: stageChatCompletion,
  offline: stageOffline,
};

it('has a stage for every registered backend', () => {
  const types = builtInBackends({ recordingsDir: '/nowhere' }).map((kind) => kind.type);
  expect(types.toSorted()).toEqual(Object.keys(stages).toSorted());
});

describe.each(Object.entries(stages))('a model behind %s', (_type, stage) => {
  let staged: BackendUnderTest | undefined;
  let abort: AbortController;

  beforeEach(() => {
    abort = new AbortController();
  });
  afterEach(async () => {
    await staged?.close();
    staged = undefined;
  });

  async function open(situation: Situation): Promise<AsyncIterable<BackendPart>> {
    staged = await stage(situation);
    return staged.backend.stream(requestOf(), abort.signal);
  }
  async function play(situation: Situation): Promise<BackendPart[]> {
    return collect(await open(situation));
  }

  it('streams text as it comes and stops', async () => {
    const parts = await play('text');
    expect(textOf(parts)).toBe(expected.text);
    expect(parts.filter((part) => part.type === 'text-delta').length).toBeGreaterThan(1);
    expect(endOf(parts)).toEqual({ type: 'end', reason: 'stop' });
  });

  it('sends a tool call whole', async () => {
    const parts = await play('tool-call');
    const calls = parts.filter((part) => part.type === 'tool-call').map((part) => part.call);
    expect(calls).toMatchObject([expected.call]);
    expect(endOf(parts).reason).toBe('tool-calls');
  });

  it('sends parallel tool calls in order and under different ids', async () => {
    const parts = await play('parallel-tool-calls');
    const calls = parts.filter((part) => part.type === 'tool-call').map((part) => part.call);
    expect(calls).toMatchObject([expected.call, expected.secondCall]);
    expect(new Set(calls.map((call) => call.id)).size).toBe(2);
  });

  it('ends an empty answer like any other', async () => {
    const parts = await play('empty');
    expect(textOf(parts)).toBe('');
    expect(endOf(parts).reason).toBe('stop');
  });

  it('keeps characters whole that the wire has split', async () => {
    expect(textOf(await play('unicode'))).toBe(expected.unicode);
  });

  it('reports usage once, just before the end', async () => {
    const parts = await play('text');
    const at = parts.findIndex((part) => part.type === 'usage');
    expect(parts.filter((part) => part.type === 'usage')).toHaveLength(1);
    expect(at).toBe(parts.length - 2);
    const part = parts[at];
    const usage = part?.type === 'usage' ? part.usage : {};
    expect(usage.inputTokens).toBeGreaterThan(0);
    expect(usage.outputTokens).toBeGreaterThan(0);
  });

  it('is cancelled before it was called, without a word', async () => {
    const reason = new MassGenError('cancelled/superseded', 'A newer answer arrived.');
    abort.abort(reason);
    expect(await play('text')).toEqual([{ type: 'end', reason: 'cancelled', error: reason }]);
  });

  it('is cancelled while it waits for the first part', async () => {
    const reason = new MassGenError('cancelled/user', 'Stopped.');
    const stream = await open('hang-first');
    const parts = collect(stream);
    setImmediate(() => abort.abort(reason));
    expect(await parts).toEqual([{ type: 'end', reason: 'cancelled', error: reason }]);
  });

  it('is cancelled in the middle and keeps what was said', async () => {
    const reason = new MassGenError('cancelled/timeout', 'Too late.');
    const parts: BackendPart[] = [];
    for await (const part of await open('hang-middle')) {
      parts.push(part);
      if (textOf(parts) === expected.firstWords) {
        abort.abort(reason);
      }
    }
    expect(textOf(parts)).toBe(expected.firstWords);
    expect(endOf(parts)).toEqual({ type: 'end', reason: 'cancelled', error: reason });
  });

  it.each([
    ['rate-limit', 'backend/rate-limited', 'Slow down.'],
    ['overload', 'backend/overloaded', 'Too busy.'],
  ] as const)('ends a %s as an error that may be retried', async (situation, code, said) => {
    const end = endOf(await play(situation));
    expect(end).toMatchObject({ reason: 'error', error: { code, retryable: true } });
    expect('error' in end ? end.error.message : '').toContain(said);
  });

  it('never passes a broken stream off as an answer', async () => {
    const parts = await play('broken-stream');
    expect(textOf(parts)).toBe(expected.firstWords);
    expect(endOf(parts)).toMatchObject({
      reason: 'error',
      error: { code: 'backend/bad-response', retryable: true },
    });
  });

  it('plays two streams at the same time', async () => {
    const first = await open('hang-middle');
    const backend = staged?.backend;
    const second = backend?.stream(
      requestOf({ step: { attempt: 1, slot: 1, turnNo: 1, call: 1 } }),
      AbortSignal.abort(new MassGenError('cancelled/user', 'Stopped.')),
    );
    const iterator = first[Symbol.asyncIterator]();
    const begun = await iterator.next();
    expect(second === undefined ? [] : await collect(second)).toHaveLength(1);
    expect(begun.value).toMatchObject({ type: 'text-delta' });
    await iterator.return?.();
  });

  it('closes twice without harm', async () => {
    staged = await stage('text');
    await staged.backend.close();
    await expect(staged.backend.close()).resolves.toBeUndefined();
  });
});
