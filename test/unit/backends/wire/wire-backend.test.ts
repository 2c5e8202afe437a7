import { expect, it } from 'vitest';
import { endpointAt } from '../../../../src/backends/wire/endpoint';
import { WireBackend, type WireProtocol } from '../../../../src/backends/wire/wire-backend';
import { collect, requestOf } from '../../../contract/backend-kit';
import { FakeClock } from '../../../support/fake-clock';
import { silent } from '../../../support/run-harness';

const never = new AbortController().signal;
const minute = 60_000;

/** A service that shows signs of life every minute and never comes to an end; time passes on this clock alone. */
function endless(clock: FakeClock): WireProtocol<object> {
  return {
    capabilities: {
      ...{ hasTools: true, hasParallelToolCalls: true },
      ...{ contextWindowTokens: undefined, maxOutputTokens: undefined },
    },
    droppable: new Set(),
    toBody: () => ({}),
    createReader: () => ({
      isFinished: false,
      read: () => [{ type: 'thinking-delta', text: '.' }],
      usage: () => undefined,
      finish: () => [],
    }),
    async *open(_body, onBytes, signal) {
      while (!signal.aborted) {
        clock.advance(minute);
        onBytes();
        yield [{}];
      }
    },
  };
}

it('an answer without end is given up at the limit of a call, although its service is never silent', async () => {
  const clock = new FakeClock();
  const settings = { type: 'x', model: 'model-x', apiKeyName: undefined, options: {} };
  const backend = new WireBackend({
    protocol: endless(clock),
    endpoint: endpointAt(settings, 'https://models.example/v1', '/chat'),
    ...{ model: 'model-x', key: undefined, services: { clock, logger: silent } },
    ...{ silenceMs: 2 * minute, totalMs: 30 * minute },
  });
  const parts = await collect(backend.stream(requestOf(), never));
  expect(parts.filter(({ type }) => type === 'thinking-delta')).toHaveLength(30);
  expect(parts.at(-1)).toMatchObject({
    reason: 'error',
    error: {
      ...{ code: 'backend/network', retryable: true },
      message: 'models.example did not come to an end within 30 minutes.',
    },
  });
  expect(clock.pending).toBe(0);
});
