import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtInBackends } from '../../src/backends/registry';
import { MassGenError } from '../../src/core/errors';
import type { Clock } from '../../src/core/ports/clock';
import type { BackendPart } from '../../src/core/ports/model-backend';
import { FakeClock } from '../support/fake-clock';
import {
  type BackendUnderTest,
  callsOf,
  collect,
  endOf,
  expected,
  nextRequest,
  requestFor,
  requestOf,
  systemClock,
  textOf,
  thinkingOf,
} from './backend-kit';
import { type Situation, isStatus, situations, statusOf, statuses } from './situations';
import { adapterOf, stages } from './stages';

/** Longer than any call may be silent or last. */
const aVeryLongTimeMs = 4 * 60 * 60 * 1000;

it('has a stage for every adapter', () => {
  const types = builtInBackends({ recordingsDir: '/nowhere' }).map((kind) => kind.type);
  expect(types.filter((type) => stages[adapterOf(type)] === undefined)).toEqual([]);
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

  async function open(
    situation: Situation,
    clock: Clock = systemClock,
  ): Promise<AsyncIterable<BackendPart>> {
    staged = await stage.open(situation, clock);
    return staged.backend.stream(requestFor(situation), abort.signal);
  }
  async function play(situation: Situation): Promise<BackendPart[]> {
    return collect(await open(situation));
  }
  /** A test of a situation, left out (and reported as skipped, with the reason) where the protocol cannot have it. */
  function when(situation: Situation, behaviour: string, test: () => Promise<void>): void {
    const reason = stage.cannot[situation];
    if (reason === undefined) {
      it(`${behaviour} (${situations[situation]})`, test);
    } else {
      it.skip(`${behaviour} (${situations[situation]}; not here: ${reason})`, test);
    }
  }

  when('text', 'streams text as it comes and stops', async () => {
    const parts = await play('text');
    expect(textOf(parts)).toBe(expected.text);
    expect(parts.filter((part) => part.type === 'text-delta').length).toBeGreaterThan(1);
    expect(endOf(parts)).toEqual({ type: 'end', reason: 'stop' });
  });

  when('thinking', 'keeps thinking apart from the answer', async () => {
    const parts = await play('thinking');
    expect([thinkingOf(parts), textOf(parts)]).toEqual([expected.thinking, expected.text]);
  });

  when('tool-call', 'sends a tool call whole', async () => {
    const parts = await play('tool-call');
    expect(callsOf(parts)).toMatchObject([expected.call]);
    expect(endOf(parts).reason).toBe('tool-calls');
  });

  when('parallel-tool-calls', 'sends parallel calls in order and under different ids', async () => {
    const calls = callsOf(await play('parallel-tool-calls'));
    expect(calls).toMatchObject([expected.call, expected.secondCall]);
    expect(new Set(calls.map((call) => call.id)).size).toBe(2);
  });

  when('thinking-kept', 'gives the service its own thinking back', async () => {
    const first = await play('thinking-kept');
    expect(callsOf(first)).toMatchObject([expected.call]);
    const next = nextRequest(requestFor('thinking-kept'), first);
    const second = await collect(restream(next));
    expect(endOf(second)).toEqual({ type: 'end', reason: 'stop' });
    expect(textOf(second)).toBe(expected.text);
  });
  function restream(request: Parameters<typeof nextRequest>[0]): AsyncIterable<BackendPart> {
    if (staged === undefined) {
      throw new Error('nothing is staged');
    }
    return staged.backend.stream(request, abort.signal);
  }

  when('empty', 'ends an empty answer like any other', async () => {
    const parts = await play('empty');
    expect(textOf(parts)).toBe('');
    expect(endOf(parts).reason).toBe('stop');
  });

  when('unicode', 'keeps characters whole that the wire has split', async () => {
    expect(textOf(await play('unicode'))).toBe(expected.unicode);
  });

  when('split-arguments', 'puts arguments together', async () => {
    expect(callsOf(await play('split-arguments'))).toMatchObject([expected.unicodeCall]);
  });

  when('text', 'reports usage once, just before the end', async () => {
    const parts = await play('text');
    const at = parts.findIndex((part) => part.type === 'usage');
    expect(parts.filter((part) => part.type === 'usage')).toHaveLength(1);
    expect(at).toBe(parts.length - 2);
    const part = parts[at];
    const usage = part?.type === 'usage' ? part.usage : {};
    expect(usage.inputTokens).toBeGreaterThan(0);
    expect(usage.outputTokens).toBeGreaterThan(0);
  });

  when('usage', 'counts every token once, cached ones included', async () => {
    const usage = (await play('usage')).find((part) => part.type === 'usage');
    expect(usage?.usage).toMatchObject(expected.usage);
  });

  describe('cancelled', () => {
    when('text', 'says nothing when it was cancelled before', async () => {
      const reason = new MassGenError('cancelled/superseded', 'A newer answer arrived.');
      abort.abort(reason);
      expect(await play('text')).toEqual([{ type: 'end', reason: 'cancelled', error: reason }]);
    });

    when('hang-first', 'ends at once while it waits, and the service sees it', async () => {
      const reason = new MassGenError('cancelled/user', 'Stopped.');
      const stream = await open('hang-first');
      const parts = collect(stream);
      setImmediate(() => abort.abort(reason));
      expect(await parts).toEqual([{ type: 'end', reason: 'cancelled', error: reason }]);
      await staged?.left?.();
    });

    for (const situation of ['hang-middle', 'hang-call'] as const) {
      when(situation, 'keeps what was said, and the service sees it go', async () => {
        const reason = new MassGenError('cancelled/timeout', 'Too late.');
        const parts: BackendPart[] = [];
        for await (const part of await open(situation)) {
          parts.push(part);
          if (textOf(parts) === expected.firstWords) {
            abort.abort(reason);
          }
        }
        expect(textOf(parts)).toBe(expected.firstWords);
        expect(callsOf(parts)).toEqual([]);
        expect(endOf(parts)).toEqual({ type: 'end', reason: 'cancelled', error: reason });
        await staged?.left?.();
      });
    }

    when('hang-middle', 'closes the connection when its reader leaves', async () => {
      for await (const part of await open('hang-middle')) {
        expect(part.type).toBe('text-delta');
        break;
      }
      await staged?.left?.();
    });
  });

  when('stall', 'gives a stalled stream up', async () => {
    const clock = new FakeClock();
    const parts: BackendPart[] = [];
    for await (const part of await open('stall', clock)) {
      parts.push(part);
      if (textOf(parts) === expected.firstWords) {
        clock.advance(aVeryLongTimeMs);
      }
    }
    expect(endOf(parts)).toMatchObject({
      reason: 'error',
      error: { code: 'backend/network', retryable: true },
    });
  });

  for (const situation of Object.keys(situations).filter(isSituation).filter(isStatus)) {
    const { code, retryable } = statuses[situation];
    const mayCome = retryable ? 'may' : 'must not';
    when(situation, `tells a ${statusOf(situation)}, which ${mayCome} be retried`, async () => {
      const parts = await play(situation);
      const end = endOf(parts);
      expect(end).toMatchObject({ reason: 'error', error: { code, retryable } });
      expect('error' in end ? end.error.message : '').toContain(expected.said);
    });
  }

  when('retry-after', 'tells how long the service wants to be left alone', async () => {
    expect(endOf(await play('retry-after'))).toMatchObject({
      error: { retryAfterMs: expected.retryAfterMs },
    });
  });

  when('error-in-stream', 'tells an error that comes after the first words', async () => {
    const parts = await play('error-in-stream');
    expect(textOf(parts)).toBe(expected.firstWords);
    const end = endOf(parts);
    expect(end.reason).toBe('error');
    expect('error' in end ? end.error.message : '').toContain(expected.said);
  });

  for (const [situation, code] of [
    ['disconnect', 'backend/network'],
    ['early-end', 'backend/network'],
    ['broken-stream', 'backend/bad-response'],
  ] as const) {
    when(situation, 'never passes half an answer off as a whole one', async () => {
      const parts = await play(situation);
      expect(textOf(parts)).toBe(expected.firstWords);
      expect(endOf(parts)).toMatchObject({ reason: 'error', error: { code, retryable: true } });
    });
  }

  when('truncation', 'says that an answer was cut', async () => {
    const parts = await play('truncation');
    expect(textOf(parts)).toBe(expected.firstWords);
    expect(endOf(parts).reason).toBe('length');
  });

  when('truncated-call', 'never makes a call that was cut', async () => {
    const parts = await play('truncated-call');
    expect(callsOf(parts).filter(({ name }) => name !== expected.call.name)).toEqual([]);
    expect(endOf(parts).reason).toBe('length');
  });

  when('refusal', 'passes on that the model declines', async () => {
    const parts = await play('refusal');
    const end = endOf(parts);
    const isSaid = end.reason === 'stop' && textOf(parts) === expected.firstWords;
    const code = 'error' in end ? end.error.code : undefined;
    const isTyped = code === 'backend/refused' || code === 'backend/content-filtered';
    expect([isSaid, isTyped]).toContain(true);
  });

  when('content-filter', 'tells a filter from any other end', async () => {
    expect(endOf(await play('content-filter'))).toMatchObject({
      reason: 'error',
      error: { code: 'backend/content-filtered', retryable: false },
    });
  });

  when(
    'context-overflow',
    'tells a conversation that is too long from a wrong request',
    async () => {
      expect(endOf(await play('context-overflow'))).toMatchObject({
        reason: 'error',
        error: { code: 'backend/context-overflow', retryable: false },
      });
    },
  );

  when('malformed-arguments', 'hands malformed arguments on as they were written', async () => {
    const parts = await play('malformed-arguments');
    const wanted = { name: expected.call.name, argumentsJson: expected.malformedArguments };
    expect(callsOf(parts)).toMatchObject([wanted]);
    expect(endOf(parts).reason).toBe('tool-calls');
  });

  when('unknown-fields', 'passes over what it does not know', async () => {
    const parts = await play('unknown-fields');
    expect(textOf(parts)).toBe(expected.text);
    expect(endOf(parts).reason).toBe('stop');
  });

  when('images', 'sends pictures of people and of tools', async () => {
    const parts = await play('images');
    expect(endOf(parts)).toEqual({ type: 'end', reason: 'stop' });
    const sent = JSON.stringify(staged?.requests?.().at(-1) ?? [expected.image, expected.image]);
    expect(sent.split(expected.image)).toHaveLength(3);
  });

  when('long-tool-name', 'knows a long tool name again', async () => {
    expect(callsOf(await play('long-tool-name'))).toMatchObject([{ name: expected.longName }]);
  });

  when('schemas', 'makes every schema fit for the service', async () => {
    expect(endOf(await play('schemas'))).toEqual({ type: 'end', reason: 'stop' });
  });

  when('hang-middle', 'plays two streams at the same time', async () => {
    const first = await open('hang-middle');
    const second = staged?.backend.stream(
      requestOf(),
      AbortSignal.abort(new MassGenError('cancelled/user', 'Stopped.')),
    );
    const iterator = first[Symbol.asyncIterator]();
    const begun = await iterator.next();
    expect(second === undefined ? [] : await collect(second)).toHaveLength(1);
    expect(begun.value).toMatchObject({ type: 'text-delta' });
    await iterator.return?.();
  });

  it('closes twice without harm', async () => {
    staged = await stage.open('text', systemClock);
    await staged.backend.close();
    await expect(staged.backend.close()).resolves.toBeUndefined();
  });
});

function isSituation(name: string): name is Situation {
  return name in situations;
}
