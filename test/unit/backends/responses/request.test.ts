import { afterEach, describe, expect, it } from 'vitest';
import type { OptionValue } from '../../../../src/core/ports/backend-kind';
import { expected, endOf, requestOf } from '../../../contract/backend-kit';
import {
  type Asking,
  ask,
  closeAll,
  inputOf,
  lastBody,
  noticesOf,
  openBackend,
  serve,
} from './service-fixture';

const said = [{ kind: 'text', text: 'Done.' }] as const;

afterEach(closeAll);

/** The body of one request with these settings, which the service has taken. */
async function bodyOf(asking: Asking = {}): Promise<Readonly<Record<string, unknown>>> {
  const { model = 'gpt-5' } = asking;
  const service = await serve([said], { model });
  const parts = await ask(await openBackend(service, asking));
  expect(endOf(parts).reason).toBe('stop');
  return lastBody(service);
}

describe('a request for a response', () => {
  it('stores nothing, asks for thoughts it can send back, and names the tools flatly', async () => {
    const body = await bodyOf();
    expect(body).toMatchObject({
      ...{ model: 'gpt-5', store: false, stream: true },
      instructions: 'You are one of several agents.',
      include: ['reasoning.encrypted_content'],
      reasoning: { summary: 'auto' },
    });
    expect(body['tools']).toMatchObject([
      { type: 'function', name: 'read_file', strict: false },
      { type: 'function', name: 'list_directory' },
      { type: 'function', name: 'new_answer' },
      { type: 'function', name: 'vote' },
    ]);
  });

  it('keeps one cache key for an agent of a run, and another for every other agent', async () => {
    const service = await serve([said, said, said, said]);
    const backend = await openBackend(service);
    const step = requestOf().step;
    await ask(backend);
    await ask(backend, { step: { ...step, turnNo: 3, call: 2 } });
    await ask(backend, { step: { ...step, slot: 2 } });
    await ask(backend, { task: 'Another task.' });
    const keys = service.journal.map(({ body }) =>
      typeof body === 'object' && body !== null && 'prompt_cache_key' in body
        ? body.prompt_cache_key
        : undefined,
    );
    expect(keys[0]).toMatch(/^massgen-[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(new Set(keys).size).toBe(3);
  });

  it('leaves a system text out when there is none', async () => {
    const service = await serve([said]);
    await ask(await openBackend(service), { system: '', tools: [] });
    expect(lastBody(service)).not.toHaveProperty('instructions');
    expect(lastBody(service)).not.toHaveProperty('tools');
  });

  it.each([
    [7, undefined, 16],
    [4000, 900, 900],
    [500, 900, 500],
    [undefined, 20, 20],
  ])('asks for at most max_tokens %s and %s of the run as %s', async (own, ofRun, sent) => {
    const service = await serve([said]);
    const options: Readonly<Record<string, OptionValue>> =
      own === undefined ? {} : { max_tokens: own };
    await ask(await openBackend(service, { options }), { maxOutputTokens: ofRun });
    expect(lastBody(service)['max_output_tokens']).toBe(sent);
  });

  it('sends what the settings say and nothing that it does not know', async () => {
    const body = await bodyOf({
      model: 'gpt-5.1',
      options: {
        ...{ temperature: 0.3, top_p: 0.9, text: { verbosity: 'low', format: 'x' } },
        reasoning: { effort: 'none', context: 'all_turns', weather: 'sunny' },
        ...{ stop: 'x', provider: 'y', timeout_seconds: 5 },
      },
    });
    expect(body).toMatchObject({
      ...{ temperature: 0.3, top_p: 0.9, text: { verbosity: 'low' } },
      reasoning: { effort: 'none', context: 'all_turns' },
    });
    expect(JSON.stringify(body)).not.toMatch(/sunny|"stop"|provider|timeout|"format"/);
  });

  it('merges extra_body last, but not over what the run lives from', async () => {
    const service = await serve([said]);
    const extra = {
      ...{ service_tier: 'flex', temperature: 1, model: 'other', store: true, input: 'x' },
      ...{ tools: [], stream: false, include: ['message.output_text.logprobs'] },
    };
    const parts = await ask(await openBackend(service, { options: { extra_body: extra } }));
    expect(endOf(parts).reason).toBe('stop');
    expect(lastBody(service)).toMatchObject({
      ...{ service_tier: 'flex', temperature: 1, model: 'gpt-5', store: false, stream: true },
      include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
    });
    expect(noticesOf(parts).join(' ')).toMatch(/model.*store.*input.*tools.*stream/);
  });

  it('shows pictures and documents, and says what it cannot show', async () => {
    const service = await serve([said]);
    const base64 = expected.image;
    await ask(await openBackend(service), {
      messages: [
        {
          ...{ role: 'user', text: 'Look.' },
          media: [
            { kind: 'image', mediaType: 'image/png', name: 'a.png', base64 },
            { kind: 'document', mediaType: 'application/pdf', name: 'b.pdf', base64 },
            { kind: 'document', mediaType: 'text/plain', name: 'b.txt', base64: 'R3LDtsOfZQ==' },
            { kind: 'document', mediaType: 'application/x', name: 'b.x', base64 },
            { kind: 'audio', mediaType: 'audio/wav', name: 'c.wav', base64 },
          ],
        },
      ],
    });
    expect(inputOf(service)).toEqual([
      {
        ...{ type: 'message', role: 'user' },
        content: [
          { type: 'input_text', text: 'Look.' },
          { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${base64}` },
          {
            ...{ type: 'input_file', filename: 'b.pdf' },
            file_data: `data:application/pdf;base64,${base64}`,
          },
          { type: 'input_text', text: 'b.txt:\n\nGröße' },
          { type: 'input_text', text: '[b.x (application/x) cannot be shown to this model.]' },
          { type: 'input_text', text: '[c.wav (audio/wav) cannot be shown to this model.]' },
        ],
      },
    ]);
  });

  it('switches the tools of the service on', async () => {
    const body = await bodyOf({
      hostedTools: ['web-search', 'code-execution'],
      options: { vector_store_ids: ['vs_1', 'vs_2'] },
    });
    expect(body['tools']).toEqual(
      expect.arrayContaining([
        { type: 'web_search' },
        { type: 'code_interpreter', container: { type: 'auto' } },
        { type: 'file_search', vector_store_ids: ['vs_1', 'vs_2'] },
      ]),
    );
    expect(body['include']).toContain('code_interpreter_call.outputs');
  });

  it('makes the schemas of other people fit', async () => {
    const service = await serve([said]);
    const parts = await ask(await openBackend(service), {
      tools: [
        {
          ...{ name: 'a.b/c', description: 'Odd.' },
          inputSchema: {
            $schema: 'https://json-schema.org/draft/2020-12/schema',
            anyOf: [{ required: ['list'] }, { required: ['pair'] }],
            properties: {
              list: { type: 'array' },
              pair: { anyOf: [{ type: 'array' }, { type: 'null' }] },
              deep: { type: 'object', properties: { inner: { type: ['array', 'null'] } } },
            },
          },
        },
        { name: 'a_b_c', description: 'Plain.', inputSchema: {} },
      ],
    });
    expect(endOf(parts).reason).toBe('stop');
    expect(lastBody(service)['tools']).toMatchObject([
      {
        parameters: {
          type: 'object',
          properties: { list: { type: 'array', items: { type: 'string' } }, pair: {}, deep: {} },
        },
      },
      { name: 'a_b_c', parameters: { type: 'object', properties: {} } },
    ]);
    const names = JSON.stringify(lastBody(service)['tools']).match(/"name":"[^"]+"/g) ?? [];
    expect(new Set(names).size).toBe(2);
  });

  it('calls a tool by the name that the run knows', async () => {
    const service = await serve([[{ kind: 'tool-call', name: 'a_b', arguments: {} }]]);
    const tools = [{ name: 'a.b', description: 'Odd.', inputSchema: { type: 'object' } }];
    const parts = await ask(await openBackend(service), { tools });
    expect(parts).toContainEqual(
      expect.objectContaining({
        type: 'tool-call',
        call: expect.objectContaining({ name: 'a.b', argumentsJson: '{}' }) as unknown,
      }),
    );
  });

  it('has xAI run code in its own way', async () => {
    const service = await serve([said], { model: 'grok-4.6', dialect: 'xai' });
    const backend = await openBackend(service, {
      ...{ type: 'grok', model: 'grok-4.6', hostedTools: ['code-execution'] },
    });
    expect(endOf(await ask(backend, { tools: [] })).reason).toBe('stop');
    expect(lastBody(service)['tools']).toEqual([{ type: 'code_interpreter' }]);
  });

  it('speaks to Grok without instructions and with results as text', async () => {
    const service = await serve([said], { model: 'grok-4.6', dialect: 'xai' });
    const backend = await openBackend(service, {
      ...{ type: 'grok', model: 'grok-4.6', hostedTools: ['web-search'] },
    });
    const picture = {
      kind: 'image',
      mediaType: 'image/png',
      name: 'a.png',
      base64: expected.image,
    } as const;
    const parts = await ask(backend, {
      messages: [
        { role: 'user', text: 'Look.' },
        {
          role: 'assistant',
          text: '',
          toolCalls: [{ id: 'c1', name: 'vote', argumentsJson: '{}' }],
        },
        {
          role: 'tool',
          results: [{ toolCallId: 'c1', name: 'vote', text: '', isError: false, media: [picture] }],
        },
      ],
    });
    expect(endOf(parts).reason).toBe('stop');
    const [system, , , result, shown] = inputOf(service);
    expect(system).toMatchObject({ role: 'system' });
    expect(result).toEqual({ type: 'function_call_output', call_id: 'c1', output: '(empty)' });
    expect(JSON.stringify(shown)).toContain('input_image');
    expect(JSON.stringify(lastBody(service)['tools'])).toMatch(/web_search.*x_search/);
  });
});
