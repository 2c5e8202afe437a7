// Services differ from their own documentation. Whatever a stream holds and wherever it is cut: no adapter fails on it, and
// nothing that is not whole passes for an answer or a call.
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chatCompletionKind } from '../../src/backends/chatcompletion/index';
import { claudeKind } from '../../src/backends/claude/index';
import { geminiKind } from '../../src/backends/gemini/index';
import { openAiKind } from '../../src/backends/responses/index';
import type { ModelKind } from '../../src/core/ports/backend-kind';
import type { BackendPart, ModelBackend } from '../../src/core/ports/model-backend';
import { type RawService, startRawService } from '../support/raw-service';
import {
  callsOf,
  collect,
  endOf,
  nextRequest,
  requestOf,
  servicesWith,
  textOf,
  thinkingOf,
} from './backend-kit';
import { chatStreams } from './odd-streams/chat-streams';
import { claudeStreams } from './odd-streams/claude-streams';
import { geminiStreams } from './odd-streams/gemini-streams';
import { type OddStream, isRaw } from './odd-streams/odd-stream';
import { responsesStreams } from './odd-streams/responses-streams';
import { anySpoiling, spoiled } from './odd-streams/spoil';

const never = new AbortController().signal;

interface Protocol {
  readonly kind: ModelKind;
  readonly model: string;
  readonly streams: readonly OddStream[];
}

const protocols: Readonly<Record<string, Protocol>> = {
  chatcompletion: { kind: chatCompletionKind, model: 'model-x', streams: chatStreams },
  claude: { kind: claudeKind, model: 'claude-opus-5-5', streams: claudeStreams },
  gemini: { kind: geminiKind, model: 'gemini-3.8-flash', streams: geminiStreams },
  responses: { kind: openAiKind, model: 'gpt-5', streams: responsesStreams },
};

let service: RawService;

beforeAll(async () => {
  service = await startRawService();
});
afterAll(async () => {
  await service.close();
});

describe.each(Object.entries(protocols))('a stream of %s', (_name, { kind, model, streams }) => {
  let backend: ModelBackend;

  beforeEach(async () => {
    const options = { base_url: `${service.origin}/v1` };
    backend = await kind.create(
      { type: kind.type, model, apiKeyName: 'TEST_KEY', options },
      servicesWith({ TEST_KEY: 'key-1' }),
      never,
    );
  });
  afterEach(async () => {
    await backend.close();
  });

  async function play(bytes: Uint8Array, sizes: readonly number[] = [], isBroken = false) {
    service.answer(cutInto(bytes, sizes), isBroken);
    return collect(backend.stream(requestOf(), never));
  }

  it.each(streams.map((stream) => [stream.oddity, stream] as const))('with %s', async (_, odd) => {
    const parts = await play(bytesOf(odd));
    expect(outcomeOf(parts)).toMatchObject({
      ...(odd.says === undefined ? {} : { says: odd.says }),
      ...(odd.thinks === undefined ? {} : { thinks: odd.thinks }),
      calls: odd.calls ?? [],
      ends: odd.ends,
    });
    checkForm(parts);
  });

  it('is the same however its bytes arrive', async () => {
    const cases = fc.tuple(
      fc.constantFrom(...streams),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 40 }),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ([odd, sizes]) => {
        const bytes = bytesOf(odd);
        expect(outcomeOf(await play(bytes, sizes))).toEqual(outcomeOf(await play(bytes)));
      }),
      { numRuns: 40, seed: 1 },
    );
  });

  it('that is cut anywhere gives no half answer and no half call', async () => {
    const cases = fc.tuple(
      fc.constantFrom(...streams),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.boolean(),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ([odd, where, isBroken]) => {
        const bytes = bytesOf(odd);
        const kept = bytes.subarray(0, Math.floor(where * bytes.length));
        const parts = await play(kept, [], isBroken);
        const { ends, calls, says } = outcomeOf(parts);
        checkForm(parts);
        if (ends.startsWith('backend/')) {
          expect(calls).toEqual([]);
        } else {
          expect([calls, says]).toEqual([odd.calls ?? [], odd.says ?? says]);
        }
      }),
      { numRuns: 150, seed: 2 },
    );
  });

  it('that is spoiled in any way ends, and its answer can be sent back', async () => {
    const cases = fc.tuple(
      fc.constantFrom(...streams),
      fc.array(anySpoiling, { minLength: 1, maxLength: 4 }),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ([odd, spoilings]) => {
        const parts = await play(bytesOf(spoiled(odd, spoilings)));
        checkForm(parts);
        const next = nextRequest(requestOf(), parts);
        checkForm(await collect(backend.stream(next, never)));
      }),
      { numRuns: 150, seed: 3 },
    );
  });
});

function bytesOf({ events, lineEnd = '\n' }: OddStream): Uint8Array {
  const texts = events.map((event) =>
    isRaw(event) ? event.raw : `data: ${JSON.stringify(event)}${lineEnd}${lineEnd}`,
  );
  return new TextEncoder().encode(texts.join(''));
}

/** Pieces of these sizes in turn, the last one with all that is left. */
function cutInto(bytes: Uint8Array, sizes: readonly number[]): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const size of sizes) {
    pieces.push(bytes.subarray(from, from + size));
    from += size;
  }
  return [...pieces, bytes.subarray(from)].filter((piece) => piece.length > 0);
}

function outcomeOf(parts: readonly BackendPart[]) {
  const end = endOf(parts);
  return {
    says: textOf(parts),
    thinks: thinkingOf(parts),
    calls: callsOf(parts).map(({ name, argumentsJson }) => [name, argumentsJson]),
    ends: 'error' in end ? end.error.code : end.reason,
  };
}

const order: readonly BackendPart['type'][] = ['verbatim', 'usage', 'end'];

/** What holds for every stream of every adapter. */
function checkForm(parts: readonly BackendPart[]): void {
  const kinds = parts.map(({ type }) => type);
  const closing = kinds.filter((type) => order.includes(type));
  expect(kinds.slice(-closing.length)).toEqual(closing);
  expect(closing).toEqual(order.filter((type) => closing.includes(type)));
  const calls = callsOf(parts);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
  expect(calls.filter(({ id, argumentsJson }) => id === '' || argumentsJson === '')).toEqual([]);
  const { reason } = endOf(parts);
  expect(calls.length > 0).toBe(
    reason === 'tool-calls' || (reason === 'length' && calls.length > 0),
  );
}
