import { describe, expect, it } from 'vitest';
import { callModel } from '../../../../src/core/agent/model-call';
import { MassGenError } from '../../../../src/core/errors';
import type { BackendPart, ModelBackend } from '../../../../src/core/ports/model-backend';
import type { ModelCallEnded } from '../../../../src/run/call-events';
import type { ObservedEvent } from '../../../../src/run/events';
import type { Usage } from '../../../../src/run/facts';
import { requestOf } from '../../../contract/backend-kit';
import { FakeClock } from '../../../support/fake-clock';

const price = ({ inputTokens, outputTokens }: Usage): number | null =>
  inputTokens === undefined || outputTokens === undefined ? null : inputTokens + outputTokens;

const failure = (code: 'backend/network' | 'cancelled/user'): BackendPart =>
  code === 'cancelled/user'
    ? { type: 'end', reason: 'cancelled', error: new MassGenError(code, 'Stopped.') }
    : { type: 'end', reason: 'error', error: new MassGenError(code, 'It broke.') };

/** What the log says that a call cost which sends these parts. */
async function costOf(parts: readonly BackendPart[]): Promise<number | null | undefined> {
  return (await endOf(parts))?.costUsd;
}

async function endOf(
  parts: readonly BackendPart[],
  isAgent = false,
): Promise<ModelCallEnded | undefined> {
  const backend: ModelBackend = {
    capabilities: {
      ...{ hasTools: true, hasParallelToolCalls: true, isAgent },
      ...{ contextWindowTokens: undefined, maxOutputTokens: undefined },
    },
    async *stream() {
      yield* parts;
    },
    close: async () => undefined,
  };
  const events: ObservedEvent[] = [];
  await callModel(
    { slot: 1, backend, clock: new FakeClock(), redact: (text) => text, costOf: price },
    requestOf({}),
    (event) => void events.push(event),
    new AbortController().signal,
  );
  return events.find((event) => event.type === 'model-call-ended');
}

describe('the cost of a call that failed', () => {
  const begun: readonly (readonly [what: string, part: BackendPart])[] = [
    ['said something', { type: 'text-delta', text: 'Well' }],
    ['thought', { type: 'thinking-delta', text: 'Hm' }],
    ['made a call', { type: 'tool-call', call: { id: 'a', name: 'look', argumentsJson: '{}' } }],
    [
      'used a tool of its service',
      { type: 'hosted-tool', id: 'a', tool: 'web_search', subject: '', status: 'started' },
    ],
  ];

  it.each(begun)('is unknown once the model has %s', async (_what, part) => {
    expect(await costOf([part, failure('backend/network')])).toBeNull();
  });

  it('is nothing when the service refused it', async () => {
    const notice: BackendPart = { type: 'notice', code: 'a', message: 'b' };
    const waiting: BackendPart = { type: 'waiting', reason: 'rate-limit', until: 1 };
    expect(await costOf([notice, waiting, failure('backend/network')])).toBe(0);
  });

  it('is unknown when it was given up: the service goes on and is paid for it', async () => {
    expect(await costOf([failure('cancelled/user')])).toBeNull();
  });

  it('is what the service has counted, when it has', async () => {
    const usage: BackendPart = { type: 'usage', usage: { inputTokens: 3, outputTokens: 4 } };
    expect(await costOf([usage, failure('backend/network')])).toBe(7);
  });
});

describe('what a service charges for its own tools', () => {
  const search = (status: 'started' | 'done' | 'failed'): BackendPart => ({
    ...{ type: 'hosted-tool', id: 'a', tool: 'web_search', subject: 'parsers', status },
  });
  const usage: BackendPart = { type: 'usage', usage: { inputTokens: 3, outputTokens: 4 } };
  const stop: BackendPart = { type: 'end', reason: 'stop' };

  it('is not in the cost by tokens, which says so', async () => {
    expect(await endOf([search('started'), search('done'), usage, stop])).toMatchObject({
      ...{ costUsd: 7, hasFees: true },
    });
  });

  it.each([
    ['none came to a result', [search('started'), search('failed'), usage, stop]],
    ['the service has told the whole cost', [search('done'), { ...usage, costUsd: 9 }, stop]],
    [
      'the record says that there was nothing',
      [search('done'), { ...usage, hasFees: false }, stop],
    ],
    ['the cost is unknown anyway', [search('done'), stop]],
  ] as const)('is nothing to speak of when %s', async (_when, parts) => {
    expect(await endOf(parts)).not.toHaveProperty('hasFees');
  });

  it('is not charged for what an agent program does by itself', async () => {
    expect(await endOf([search('done'), usage, stop], true)).not.toHaveProperty('hasFees');
  });
});
