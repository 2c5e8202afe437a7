import { afterEach, describe, expect, it } from 'vitest';
import { collect, endOf, requestOf } from '../../../contract/backend-kit';
import { closeAll, openBackend, serve } from './service-fixture';

afterEach(closeAll);

describe('a member that a service refuses', () => {
  const words = { type: 'extra_forbidden', loc: ['body', 'top_p'], msg: 'Extra inputs' };
  it.each([
    ['in a list of its validator', { detail: [words] }],
    ['in a list inside of its error', { object: 'error', message: { detail: [words] } }],
    ['in such a list with the error around it', { error: { message: { detail: [words] } } }],
    ['in a sentence without an error around it', { message: "'top_p' is not supported" }],
    ['in a sentence', { error: "property 'top_p' is unsupported" }],
  ])('is left out when the service names it %s', async (_how, body) => {
    const service = await serve([
      { status: 422, body },
      { steps: [{ kind: 'text', text: 'Done.' }] },
    ]);
    const backend = await openBackend(service.baseUrl, { top_p: 0.5 });
    const parts = await collect(backend.stream(requestOf(), new AbortController().signal));
    expect(endOf(parts)).toMatchObject({ reason: 'stop' });
    expect(service.journal.map(({ body: sent }) => 'top_p' in Object(sent))).toEqual([true, false]);
  });
});

describe('what a service says without an error around it', () => {
  it.each([
    [
      400,
      {
        object: 'error',
        message: "This model's maximum context length is 4096 tokens.",
        code: 400,
      },
      { code: 'backend/context-overflow' },
    ],
    [404, { message: 'No such model here.' }, { code: 'backend/not-found' }],
    [500, { detail: 'The engine has stopped.' }, { code: 'backend/bad-response', retryable: true }],
  ])('with status %i is heard', async (status, body, error) => {
    const service = await serve([{ status, body }]);
    const backend = await openBackend(service.baseUrl);
    const parts = await collect(backend.stream(requestOf(), new AbortController().signal));
    const { message, detail } = { message: '', detail: '', ...body };
    expect(endOf(parts)).toMatchObject({
      error: { ...error, message: expect.stringContaining(message || detail) as unknown },
    });
  });
});
