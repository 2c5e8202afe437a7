// A signal that is aborted at any moment: the call always ends, in one of two ways, and the files tell the same.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RunError, type RunResult } from '../../../src/api/contract';
import type { Happening } from '../../../src/api/event-contract';
import { apiBench } from './api-bench';

const bench = apiBench();
const polite = 'good morning\n';

const moments: readonly Happening['type'][] = [
  ...(['started', 'tool-started', 'tool-ended', 'answer', 'vote'] as const),
  ...(['decided', 'final-answer', 'changes', 'ended'] as const),
];

describe('a run whose signal is aborted', () => {
  it.each(moments)('at "%s" has a result, or has changed nothing', async (moment) => {
    const stopping = new AbortController();
    const config = await bench.team();
    const run = bench.run('Make it polite.', { config, apply: true, signal: stopping.signal });
    const outcome: Promise<RunResult | RunError> = run.catch((error: unknown) => {
      if (error instanceof RunError) return error;
      throw error;
    });
    const seen: string[] = [];
    try {
      for await (const { type } of run) {
        seen.push(type);
        if (type === moment) stopping.abort();
      }
    } catch (error) {
      expect(error).toBe(await outcome);
    }
    expect(seen).toContain(moment);
    const end = await outcome;
    const text = await readFile(join(bench.project, 'greeting.txt'), 'utf8');
    if (end instanceof RunError) {
      expect(end.code).toBe('cancelled/user');
      expect(text).toBe('hello\n');
    } else {
      expect(end.outcome).toBe('completed');
      expect(text).toBe(polite);
    }
  });

  it('leaves nothing in the home of the user when nothing is kept', async () => {
    const stopping = new AbortController();
    const config = await bench.team();
    const { signal } = stopping;
    const run = bench.run('Make it polite.', { config, signal, enableLogging: false });
    const ended = run.catch((error: unknown) => error);
    for await (const { type } of run) {
      if (type === 'started') break;
    }
    stopping.abort();
    expect(await ended).toMatchObject({ code: 'cancelled/user' });
    expect((await readdir(bench.home)).toSorted()).toEqual(['project']);
  });

  it('does not keep other readers waiting when one has left', async () => {
    const config = await bench.team();
    const run = bench.run('Make it polite.', { config });
    const left = run[Symbol.asyncIterator]();
    await left.next();
    await left.return?.();
    const types: string[] = [];
    for await (const { type } of run) types.push(type);
    expect(types[0]).toBe('started');
    expect(types.at(-1)).toBe('ended');
    expect(await left.next()).toEqual({ done: true, value: undefined });
    expect((await run).outcome).toBe('completed');
  });
});
