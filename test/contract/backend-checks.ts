// What every adapter of a model must show, whatever it speaks.
import * as assert from 'node:assert/strict';
import { MassGenError } from '../../src/core/errors';
import type { BackendPart } from '../../src/core/ports/model-backend';
import { FakeClock } from '../support/fake-clock';
import {
  type BackendCheck,
  assertCalls,
  assertFails,
  check,
  checkIn,
  type Play,
} from './backend-check';
import {
  callsOf,
  collect,
  endOf,
  expected,
  nextRequest,
  requestOf,
  textOf,
  thinkingOf,
} from './backend-kit';
import { type StatusSituation, situations, statusOf, statuses } from './situations';

/** Longer than any call may be silent or last. */
const aVeryLongTimeMs = 4 * 60 * 60 * 1000;

const stopped = { type: 'end', reason: 'stop' } as const;

const answers: readonly BackendCheck[] = [
  check('text', 'passes text on and stops', async (play) => {
    const parts = await play.parts();
    assert.equal(textOf(parts), expected.text);
    assert.deepEqual(endOf(parts), stopped);
  }),
  check('pieces', 'streams text as it comes', async (play) => {
    const pieces = (await play.parts()).filter((part) => part.type === 'text-delta');
    assert.ok(pieces.length > 1, 'in one piece');
  }),
  check('thinking', 'keeps thinking apart from the answer', async (play) => {
    const parts = await play.parts();
    assert.deepEqual([thinkingOf(parts), textOf(parts)], [expected.thinking, expected.text]);
  }),
  check('tool-call', 'sends a tool call whole', async (play) => {
    const parts = await play.parts();
    assertCalls(parts, [expected.call]);
    assert.equal(endOf(parts).reason, 'tool-calls');
  }),
  check(
    'parallel-tool-calls',
    'sends parallel calls in order and under different ids',
    async (play) => {
      const parts = await play.parts();
      assertCalls(parts, [expected.call, expected.secondCall]);
      assert.equal(new Set(callsOf(parts).map((call) => call.id)).size, 2);
    },
  ),
  check('thinking-kept', 'gives the service its own thinking back', async (play) => {
    const first = await play.parts();
    assertCalls(first, [expected.call]);
    const second = await play.parts(nextRequest(play.request, first));
    assert.deepEqual(endOf(second), stopped);
    assert.equal(textOf(second), expected.text);
  }),
  check('empty', 'ends an empty answer like any other', async (play) => {
    const parts = await play.parts();
    assert.equal(textOf(parts), '');
    assert.equal(endOf(parts).reason, 'stop');
  }),
  check('unicode', 'keeps characters whole that the wire has split', async (play) => {
    assert.equal(textOf(await play.parts()), expected.unicode);
  }),
  check('split-arguments', 'puts arguments together', async (play) => {
    assertCalls(await play.parts(), [expected.unicodeCall]);
  }),
  check('text', 'reports usage once, just before the end', async (play) => {
    const parts = await play.parts();
    const at = parts.findIndex((part) => part.type === 'usage');
    assert.equal(parts.filter((part) => part.type === 'usage').length, 1);
    assert.equal(at, parts.length - 2);
    const part = parts[at];
    const { inputTokens = 0, outputTokens = 0 } = part?.type === 'usage' ? part.usage : {};
    assert.ok(inputTokens > 0 && outputTokens > 0, `${inputTokens} and ${outputTokens}`);
  }),
  check('usage', 'counts every token once, cached ones included', async (play) => {
    const part = (await play.parts()).find((each) => each.type === 'usage');
    const { inputTokens, cachedInputTokens, outputTokens } = part?.usage ?? {};
    assert.deepEqual({ inputTokens, cachedInputTokens, outputTokens }, expected.usage);
  }),
  check(
    'malformed-arguments',
    'hands malformed arguments on as they were written',
    async (play) => {
      const parts = await play.parts();
      const { name } = expected.call;
      assertCalls(parts, [{ name, argumentsJson: expected.malformedArguments }]);
      assert.equal(endOf(parts).reason, 'tool-calls');
    },
  ),
  check('unknown-fields', 'passes over what it does not know', async (play) => {
    const parts = await play.parts();
    assert.equal(textOf(parts), expected.text);
    assert.equal(endOf(parts).reason, 'stop');
  }),
  check('images', 'sends pictures of people and of tools', async (play) => {
    assert.deepEqual(endOf(await play.parts()), stopped);
    const sent = play.staged.requests?.().at(-1) ?? [expected.image, expected.image];
    assert.equal(JSON.stringify(sent).split(expected.image).length, 3);
  }),
  check('long-tool-name', 'knows a long tool name again', async (play) => {
    const names = callsOf(await play.parts()).map(({ name }) => name);
    assert.deepEqual(names, [expected.longName]);
  }),
  check('schemas', 'makes every schema fit for the service', async (play) => {
    assert.deepEqual(endOf(await play.parts()), stopped);
  }),
  check('structured', 'passes an answer in a form on as it was written', async (play) => {
    const parts = await play.parts();
    assert.equal(textOf(parts), expected.structured);
    assert.deepEqual(endOf(parts), stopped);
  }),
  check('structured-refused', 'asks in words alone, now and later', async (play) => {
    for (const parts of [await play.parts(), await play.parts()]) {
      assert.equal(textOf(parts), expected.structured);
      assert.deepEqual(endOf(parts), stopped);
      assert.deepEqual(
        parts.filter(({ type }) => type === 'notice'),
        [],
      );
    }
    const sent = (play.staged.requests?.() ?? []).map((body) => JSON.stringify(body));
    assert.deepEqual(
      sent.map((body) => body.includes('decision')),
      [true, false, false],
    );
  }),
];

const stops: readonly BackendCheck[] = [
  check('text', 'says nothing when it was cancelled before', async (play) => {
    const reason = new MassGenError('cancelled/superseded', 'A newer answer arrived.');
    play.abort.abort(reason);
    const cancelled = [{ type: 'end', reason: 'cancelled', error: reason }];
    assert.deepEqual(await play.parts(), cancelled);
  }),
  check('hang-first', 'ends at once while it waits, and the service sees it', async (play) => {
    const reason = new MassGenError('cancelled/user', 'Stopped.');
    const parts = play.parts();
    setImmediate(() => play.abort.abort(reason));
    assert.deepEqual(await parts, [{ type: 'end', reason: 'cancelled', error: reason }]);
    await play.staged.left?.();
  }),
  check('hang-middle', 'keeps what was said, and the service sees it go', stopsAfterWords),
  check('hang-call', 'keeps what was said, and the service sees it go', stopsAfterWords),
  check('hang-middle', 'closes the connection when its reader leaves', async (play) => {
    for await (const part of play.start()) {
      assert.equal(part.type, 'text-delta');
      break;
    }
    await play.staged.left?.();
  }),
  checkIn(
    () => new FakeClock(),
    'stall',
    'gives a stalled stream up, and the service sees it go',
    async (play) => {
      const parts: BackendPart[] = [];
      for await (const part of play.start()) {
        parts.push(part);
        if (textOf(parts) === expected.firstWords) {
          play.clock.advance(aVeryLongTimeMs);
        }
      }
      assertFails(parts, { code: 'backend/network', retryable: true });
      await play.staged.left?.();
    },
  ),
  check('hang-middle', 'plays two streams at the same time', async (play) => {
    const iterator = play.start()[Symbol.asyncIterator]();
    const signal = AbortSignal.abort(new MassGenError('cancelled/user', 'Stopped.'));
    const second = play.staged.backend.stream(requestOf(), signal);
    const begun = await iterator.next();
    assert.equal((await collect(second)).length, 1);
    assert.equal(begun.done === true ? 'end' : begun.value.type, 'text-delta');
    await iterator.return?.();
  }),
  check('text', 'closes twice without harm', async ({ staged }) => {
    await staged.backend.close();
    await staged.backend.close();
  }),
];

async function stopsAfterWords(play: Play): Promise<void> {
  const reason = new MassGenError('cancelled/timeout', 'Too late.');
  const parts: BackendPart[] = [];
  for await (const part of play.start()) {
    parts.push(part);
    if (textOf(parts) === expected.firstWords) {
      play.abort.abort(reason);
    }
  }
  assert.equal(textOf(parts), expected.firstWords);
  assert.deepEqual(callsOf(parts), []);
  assert.deepEqual(endOf(parts), { type: 'end', reason: 'cancelled', error: reason });
  await play.staged.left?.();
}

const failures: readonly BackendCheck[] = [
  ...Object.keys(situations).filter(isStatusName).map(toStatusCheck),
  check('retry-after', 'tells how long the service wants to be left alone', async (play) => {
    assertFails(await play.parts(), { retryAfterMs: expected.retryAfterMs });
  }),
  check('error-in-stream', 'tells an error that comes after the first words', async (play) => {
    const parts = await play.parts();
    assert.equal(textOf(parts), expected.firstWords);
    assertFails(parts, { says: expected.said });
  }),
  ...(
    [
      ['disconnect', 'backend/network'],
      ['early-end', 'backend/network'],
      ['broken-stream', 'backend/bad-response'],
    ] as const
  ).map(([situation, code]) =>
    check(situation, 'never passes half an answer off as a whole one', async (play) => {
      const parts = await play.parts();
      assert.equal(textOf(parts), expected.firstWords);
      assertFails(parts, { code: play.stage.codes?.[situation] ?? code, retryable: true });
    }),
  ),
  check('truncation', 'says that an answer was cut', async (play) => {
    const parts = await play.parts();
    assert.equal(textOf(parts), expected.firstWords);
    assert.equal(endOf(parts).reason, 'length');
  }),
  check('structured-cut', 'says that an answer in a form was cut', async (play) => {
    const parts = await play.parts();
    assert.equal(textOf(parts), expected.cutStructured);
    assert.equal(endOf(parts).reason, 'length');
  }),
  check('truncated-call', 'never makes a call that was cut', async (play) => {
    const parts = await play.parts();
    const others = callsOf(parts).filter(({ name }) => name !== expected.call.name);
    assert.deepEqual(others, []);
    assert.equal(endOf(parts).reason, 'length');
  }),
  check('refusal', 'passes on that the model declines', async (play) => {
    const parts = await play.parts();
    const end = endOf(parts);
    const isSaid = end.reason === 'stop' && textOf(parts) === expected.firstWords;
    const code = 'error' in end ? end.error.code : end.reason;
    const isTyped = code === 'backend/refused' || code === 'backend/content-filtered';
    assert.ok(isSaid || isTyped, `${code} after "${textOf(parts)}"`);
  }),
  check('content-filter', 'tells a filter from any other end', async (play) => {
    assertFails(await play.parts(), { code: 'backend/content-filtered', retryable: false });
  }),
  check(
    'context-overflow',
    'tells a conversation that is too long from a wrong request',
    async (play) => {
      assertFails(await play.parts(), { code: 'backend/context-overflow', retryable: false });
    },
  ),
];

function toStatusCheck(situation: StatusSituation): BackendCheck {
  const { code, retryable } = statuses[situation];
  const behaviour = `tells a ${statusOf(situation)}, which ${retryable ? 'may' : 'must not'} be retried`;
  return check(situation, behaviour, async (play) => {
    assertFails(await play.parts(), { code, retryable, says: expected.said });
  });
}

function isStatusName(name: string): name is StatusSituation {
  return name in situations && name in statuses;
}

export const backendChecks: readonly BackendCheck[] = [...answers, ...stops, ...failures];
