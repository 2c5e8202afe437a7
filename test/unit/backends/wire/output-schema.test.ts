import { describe, expect, it } from 'vitest';
import { endpointAt } from '../../../../src/backends/wire/endpoint';
import { toStrictSchema } from '../../../../src/backends/wire/output-schema';
import { WireBackend } from '../../../../src/backends/wire/wire-backend';
import { WireError } from '../../../../src/backends/wire/wire-fault';
import type { ModelRequest } from '../../../../src/core/ports/model-backend';
import { collect, endOf, requestFor, requestOf } from '../../../contract/backend-kit';
import { FakeClock } from '../../../support/fake-clock';
import { outputSchemaProblem, strictRules } from '../../../support/output-schema-check';
import { silent } from '../../../support/run-harness';

const text = { type: 'string' };

describe('the schema of an answer', () => {
  it('has closed objects with all of their members, at every depth', () => {
    const place = { type: 'object', properties: { path: text, line: text }, required: ['path'] };
    const schema = {
      type: 'object',
      properties: { places: { type: 'array', items: place }, either: { anyOf: [text, place] } },
      required: ['places'],
    };
    const closedPlace = {
      ...{ ...place, additionalProperties: false, required: ['path', 'line'] },
      properties: { path: text, line: { anyOf: [text, { type: 'null' }] } },
    };
    expect(toStrictSchema({ name: 'x', schema })).toEqual({
      type: 'object',
      properties: {
        places: { type: 'array', items: closedPlace },
        either: { anyOf: [text, closedPlace, { type: 'null' }] },
      },
      required: ['places', 'either'],
      additionalProperties: false,
    });
  });

  it('is one that strict services take, with its rules in words', () => {
    const { outputSchema = { name: '', schema: {} } } = requestFor('structured');
    const strict = toStrictSchema(outputSchema);
    expect(outputSchemaProblem(outputSchema.schema, strictRules)).toBeDefined();
    expect(outputSchemaProblem(strict, strictRules)).toBeUndefined();
    expect(JSON.stringify(strict)).toContain('characters at most 200');
  });
});

/** What is sent when every request is refused like this, each as the members that were left out. */
async function sentTo(
  body: Readonly<Record<string, unknown>>,
  request: ModelRequest,
): Promise<readonly (readonly string[])[]> {
  const sent: (readonly string[])[] = [];
  const clock = new FakeClock();
  const settings = { type: 'x', model: 'model-x', apiKeyName: undefined, options: {} };
  const backend = new WireBackend<readonly string[]>({
    protocol: {
      capabilities: {
        ...{ hasTools: true, hasParallelToolCalls: true },
        ...{ contextWindowTokens: undefined, maxOutputTokens: undefined },
      },
      ...{ droppable: new Set(['top_p']), outputFormat: 'the_format' },
      toBody: (_request, refused) => [...refused],
      createReader: () => ({
        ...{ isFinished: false, read: () => [], finish: () => [] },
        usage: () => undefined,
      }),
      async *open(leftOut) {
        sent.push(leftOut);
        throw new WireError({
          ...{ kind: 'status', status: 400, body, text: '', header: () => undefined },
        });
      },
    },
    endpoint: endpointAt(settings, 'https://models.example/v1', '/chat'),
    ...{ model: 'model-x', key: undefined, services: { clock, logger: silent } },
    ...{ silenceMs: 60_000, totalMs: 60_000 },
  });
  const parts = await collect(backend.stream(request, new AbortController().signal));
  expect(endOf(parts).reason).toBe('error');
  return sent;
}

describe('a request that is refused', () => {
  const formed = requestFor('structured');

  it('goes without the form of its answer whatever the reason, once', async () => {
    expect(await sentTo({ message: 'Bad grammar.' }, formed)).toEqual([[], ['the_format']]);
  });

  it('goes without the member that is named before it goes without its form', async () => {
    const refused = { message: 'No.', param: 'top_p' };
    expect(await sentTo(refused, formed)).toEqual([[], ['top_p'], ['top_p', 'the_format']]);
  });

  it('is not sent again for a form that it does not have', async () => {
    expect(await sentTo({ message: 'Without the_format.' }, requestOf())).toEqual([[]]);
  });

  it.each([['invalid_api_key'], ['context_length_exceeded'], ['insufficient_quota']])(
    'is not sent again when the reason is %s',
    async (code) => {
      expect(await sentTo({ message: 'No.', code }, formed)).toEqual([[]]);
    },
  );
});
