import { afterEach, describe, expect, it } from 'vitest';
import { endOf, requestFor } from '../../../contract/backend-kit';
import { ask, closeAll, lastBody, openBackend, serve } from './service-fixture';

afterEach(closeAll);

const said = [{ kind: 'text', text: '{}' }] as const;

describe('a question with a form of its answer', () => {
  it('hands the service a strict schema beside what the text is like', async () => {
    const service = await serve([said]);
    const backend = await openBackend(service, { options: { text: { verbosity: 'low' } } });
    expect(endOf(await ask(backend, requestFor('structured'))).reason).toBe('stop');
    expect(lastBody(service)['text']).toMatchObject({
      verbosity: 'low',
      format: {
        ...{ type: 'json_schema', name: 'verdict', strict: true },
        schema: { additionalProperties: false, required: ['decision', 'reason', 'lines', 'place'] },
      },
    });
  });

  it('keeps what the text is like when the schema is refused', async () => {
    const error = {
      message: 'Too deep.',
      param: 'text.format.schema',
      code: 'invalid_json_schema',
    };
    const service = await serve([{ status: 400, body: { error } }, said]);
    const backend = await openBackend(service, { options: { text: { verbosity: 'low' } } });
    expect(endOf(await ask(backend, requestFor('structured'))).reason).toBe('stop');
    expect(lastBody(service)['text']).toEqual({ verbosity: 'low' });
  });
});

describe('the fake service', () => {
  const closed = { type: 'object', properties: {}, required: [], additionalProperties: false };
  it.each([
    ['a member that nobody knows', { form: {} }],
    ['a form that nobody knows', { format: { type: 'yaml' } }],
    ['the form of chat completions', { format: { type: 'json_schema', json_schema: {} } }],
    ['a form without a name', { format: { type: 'json_schema', schema: closed } }],
    [
      'an open object',
      { format: { type: 'json_schema', name: 'a', strict: true, schema: { type: 'object' } } },
    ],
  ])('refuses %s', async (_what, text) => {
    const service = await serve([said]);
    const response = await fetch(`${service.baseUrl}/responses`, {
      method: 'POST',
      body: JSON.stringify({ model: 'gpt-5', input: 'Hello.', text }),
    });
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringMatching(/text\.form/),
    ]);
  });
});
