import { afterEach, describe, expect, it } from 'vitest';
import { toChatBody } from '../../../../src/backends/chatcompletion/request';
import { chatServices } from '../../../../src/backends/chatcompletion/services';
import { collect, endOf, requestFor, requestOf } from '../../../contract/backend-kit';
import { closeAll, openBackend, serve } from './service-fixture';

afterEach(closeAll);

describe('a question with a form of its answer', () => {
  it('hands the service a strict schema', async () => {
    const service = await serve([{ steps: [{ kind: 'text', text: '{}' }] }]);
    const backend = await openBackend(service.baseUrl);
    const request = requestFor('structured');
    const parts = await collect(backend.stream(request, new AbortController().signal));
    expect(endOf(parts).reason).toBe('stop');
    expect(service.journal.at(-1)?.body).toMatchObject({
      response_format: {
        type: 'json_schema',
        json_schema: {
          ...{ name: 'verdict', strict: true },
          schema: {
            additionalProperties: false,
            required: ['decision', 'reason', 'lines', 'place'],
          },
        },
      },
    });
  });

  it('is asked in words alone where services hold no stream to a schema', () => {
    const without = chatServices.filter(({ type, quirks }) => {
      const settings = { type, model: 'm', apiKeyName: undefined, options: {} };
      const target = { settings, quirks, isOpenAi: false, takesImages: false, origin: type };
      const body = toChatBody(requestFor('structured'), target, new Set());
      return body['response_format'] === undefined;
    });
    expect(without.map(({ type }) => type)).toEqual(['groq', 'zai', 'deepseek']);
  });
});

describe('the fake service', () => {
  const open = { type: 'object', properties: {} };
  const closed = { ...open, required: [], additionalProperties: false };
  it.each([
    ['a form that nobody knows', { type: 'yaml' }],
    ['a schema beside the form', { type: 'json_object', schema: closed }],
    ['a form without a schema', { type: 'json_schema' }],
    ['a name with a space', { type: 'json_schema', json_schema: { ...named('a b', closed) } }],
    ['an open object', { type: 'json_schema', json_schema: { ...named('a', open) } }],
  ])('refuses %s', async (_what, format) => {
    const service = await serve([{ steps: [] }]);
    const response = await fetch(`${service.baseUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({
        ...{ model: 'model-x', messages: [{ role: 'user', content: requestOf().task }] },
        response_format: format,
      }),
    });
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('response_format'),
    ]);
  });
});

function named(name: string, schema: unknown): object {
  return { name, schema, strict: true };
}
