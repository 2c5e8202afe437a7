import { afterEach, describe, expect, it } from 'vitest';
import { endOf, requestFor } from '../../../contract/backend-kit';
import { ask, bodiesOf, closeAll, noticesOf, openClaude, serve } from './claude-fixture';

afterEach(closeAll);

const said = { steps: [{ kind: 'text', text: '{}' }] } as const;

const format = {
  type: 'json_schema',
  schema: { additionalProperties: false, required: ['decision', 'reason', 'lines', 'place'] },
};

async function outputsOf(
  model: string,
  answers: Parameters<typeof serve>[0],
  options: Readonly<Record<string, string>> = {},
): Promise<readonly unknown[]> {
  const service = await serve(answers, { model });
  const backend = await openClaude(service, { model, options });
  const parts = await ask(backend, requestFor('structured'));
  expect([endOf(parts).reason, noticesOf(parts)]).toEqual(['stop', []]);
  return bodiesOf(service).map((body) => body['output_config']);
}

describe('a question with a form of its answer', () => {
  it('hands the service a schema beside the effort', async () => {
    const [output] = await outputsOf('claude-opus-5-5', [said], { effort: 'low' });
    expect(output).toMatchObject({ effort: 'low', format });
  });

  it('hands it to models that know no effort', async () => {
    expect(await outputsOf('claude-haiku-4-5', [said])).toMatchObject([{ format }]);
  });

  it('is asked in words alone of models that cannot be held to a schema', async () => {
    expect(await outputsOf('claude-sonnet-4-0', [said])).toEqual([undefined]);
  });

  it('keeps the effort when the schema is refused', async () => {
    const message = 'output_config.format.schema: Schema is too complex.';
    const body = { type: 'error', error: { type: 'invalid_request_error', message } };
    const outputs = await outputsOf('claude-opus-5-5', [{ status: 400, body }, said], {
      effort: 'low',
    });
    expect(outputs).toMatchObject([{ effort: 'low', format }, { effort: 'low' }]);
    expect(outputs.at(-1)).toEqual({ effort: 'low' });
  });
});

describe('the fake service', () => {
  const closed = { type: 'object', properties: {}, additionalProperties: false };
  it.each([
    ['a form that nobody knows', { type: 'json_object', schema: closed }],
    ['a form with a name', { type: 'json_schema', name: 'a', schema: closed }],
    ['an open object', { type: 'json_schema', schema: { type: 'object' } }],
    [
      'a rule for numbers',
      {
        type: 'json_schema',
        schema: { ...closed, properties: { a: { type: 'integer', minimum: 1 } } },
      },
    ],
  ])('refuses %s', async (_what, wrong) => {
    const service = await serve([said]);
    const response = await fetch(`${service.baseUrl}/v1/messages`, {
      method: 'POST',
      headers: { 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({
        ...{ model: 'claude-opus-5-5', max_tokens: 100, stream: true },
        messages: [{ role: 'user', content: 'Hello.' }],
        output_config: { format: wrong },
      }),
    });
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('output_config.format'),
    ]);
  });
});
