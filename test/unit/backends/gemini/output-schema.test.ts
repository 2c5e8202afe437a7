import { afterEach, describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../../src/core/ports/model-backend';
import { endOf, requestFor, requestOf } from '../../../contract/backend-kit';
import { type Members, membersOf } from '../../../support/fake-gemini/refusal';
import { ask, closeAll, openBackend, serve } from './service-fixture';

afterEach(closeAll);

const said = { steps: [{ kind: 'text', text: '{}' }] } as const;
const formed = requestFor('structured');
const form = {
  responseMimeType: 'application/json',
  responseJsonSchema: { type: 'object', required: ['decision', 'reason', 'lines'] },
};

async function configOf(
  model: string,
  request: ModelRequest,
  hostedTools: readonly 'web-search'[] = [],
): Promise<Members> {
  const service = await serve([said], { model });
  const backend = await openBackend(service.baseUrl, {}, { model, hostedTools });
  expect(endOf(await ask(backend, request)).reason).toBe('stop');
  const [entry] = service.journal;
  return membersOf(membersOf(entry?.body)['generationConfig']);
}

describe('a question with a form of its answer', () => {
  it.each([
    ['gemini-2.5-flash', []],
    // It works without that tool, which would exclude the schema.
    ['gemini-2.5-flash', ['web-search']],
    ['gemini-3.8-flash', []],
    ['gemini-3.8-flash', ['web-search']],
  ] as const)('hands %s its schema, with tools %j', async (model, hosted) => {
    expect(await configOf(model, formed, hosted)).toMatchObject(form);
  });

  it.each([['gemma-3-27b-it', []]] as const)(
    'is asked in words alone of %s with tools %j',
    async (model, hosted) => {
      const config = await configOf(model, formed, hosted);
      expect(Object.keys(config).filter((name) => name in form)).toEqual([]);
    },
  );
});

describe('the fake service', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  it.each([
    ['a schema without its media type', { responseJsonSchema: schema }],
    ['two schemas', { ...form, responseSchema: { type: 'STRING' } }],
    [
      'a list of nobody knows what',
      { ...form, responseJsonSchema: { ...schema, properties: { a: { type: 'array' } } } },
    ],
  ])('refuses %s', async (_what, generationConfig) => {
    const service = await serve([said]);
    const response = await fetch(
      `${service.baseUrl}/v1/models/gemini-3.8-flash:streamGenerateContent?alt=sse`,
      {
        method: 'POST',
        body: JSON.stringify({
          contents: [{ role: 'user', parts: [{ text: requestOf().task }] }],
          generationConfig,
        }),
      },
    );
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringMatching(/response_(json_)?schema/),
    ]);
  });
});
