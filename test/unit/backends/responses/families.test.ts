import { afterEach, describe, expect, it } from 'vitest';
import { efforts } from '../../../../src/backends/responses/families';
import { endOf } from '../../../contract/backend-kit';
import { ask, closeAll, lastBody, noticesOf, openBackend, serve } from './service-fixture';

const said = [{ kind: 'text', text: 'Done.' }] as const;
const models = [
  ...['o3', 'o4-mini', 'gpt-5', 'gpt-5-mini', 'gpt-5.1', 'gpt-5.2', 'gpt-5.4-nano', 'gpt-5.5'],
  ...['gpt-5.6-terra', 'gpt-6-sol', 'gpt-6-astra', 'gpt-6.1-sol', 'gpt-6.2-astra', 'gpt-6.2-sol'],
  ...['gpt-4.1', 'gpt-4o-mini', 'gpt-5.1-2026-01-01'],
];

afterEach(closeAll);

describe('reasoning', () => {
  it.each(models)('asks %s for no effort that it refuses', async (model) => {
    const service = await serve(
      efforts.map(() => said),
      { model },
    );
    for (const effort of efforts) {
      const options = { reasoning_effort: effort, temperature: 0.2, top_p: 0.5 };
      const parts = await ask(await openBackend(service, { model, options }));
      expect([effort, endOf(parts).reason]).toEqual([effort, 'stop']);
    }
    expect(service.journal.map(({ outcome }) => outcome)).toEqual(efforts.map(() => 'complete'));
  });

  it.each([
    ['gpt-5', 'none', 'minimal'],
    ['gpt-5', 'max', 'high'],
    ['gpt-5.1', 'minimal', 'low'],
    ['gpt-6.2-sol', 'none', 'low'],
    ['o3', 'xhigh', 'high'],
    ['gpt-6-sol', 'max', 'max'],
  ])('gives %s for the effort %s the nearest, %s', async (model, wanted, sent) => {
    const service = await serve([said], { model });
    const options = { reasoning: { effort: wanted } };
    const parts = await ask(await openBackend(service, { model, options }));
    expect(lastBody(service)['reasoning']).toMatchObject({ effort: sent, summary: 'auto' });
    expect(noticesOf(parts)).toHaveLength(wanted === sent ? 0 : 1);
  });

  it('thinks enough to use the tools of the service', async () => {
    const service = await serve([said]);
    const hostedTools = ['web-search'] as const;
    await ask(
      await openBackend(service, { hostedTools, options: { reasoning_effort: 'minimal' } }),
    );
    expect(lastBody(service)['reasoning']).toMatchObject({ effort: 'low' });
  });

  it.each([
    ['o3-high', {}, 'high'],
    ['o3-low', { reasoning: { effort: 'medium' } }, 'medium'],
  ])('takes the effort in the name %s unless the block says %o', async (model, options, sent) => {
    const service = await serve([said], { model: 'o3' });
    const parts = await ask(await openBackend(service, { model, options }));
    expect(endOf(parts).reason).toBe('stop');
    expect(lastBody(service)).toMatchObject({ model: 'o3', reasoning: { effort: sent } });
  });

  it.each(['gpt-6.9-nova', 'gpt-7'])('takes %s for one that thinks', async (model) => {
    const service = await serve([said], { model });
    await ask(await openBackend(service, { model }));
    expect(lastBody(service)['reasoning']).toEqual({ summary: 'auto' });
  });

  it('leaves an effort out that xAI refuses in a sentence', async () => {
    const model = 'grok-4-fast';
    const service = await serve([said], { dialect: 'xai', model });
    const asking = { type: 'grok', model, options: { reasoning_effort: 'high' } } as const;
    const parts = await ask(await openBackend(service, asking));
    expect(endOf(parts).reason).toBe('stop');
    expect(lastBody(service)).not.toHaveProperty('reasoning');
    expect(noticesOf(parts)).toHaveLength(1);
  });

  it('sends an effort to those of xAI that take one', async () => {
    const model = 'grok-4.6';
    const service = await serve([said], { dialect: 'xai', model });
    const asking = { type: 'grok', model, options: { reasoning_effort: 'high' } } as const;
    expect(endOf(await ask(await openBackend(service, asking))).reason).toBe('stop');
    expect(lastBody(service)['reasoning']).toEqual({ effort: 'high' });
  });

  it('leaves sampling out while a model reasons, and says so once', async () => {
    const service = await serve([said, said]);
    const backend = await openBackend(service, { options: { temperature: 0.2, top_p: 1 } });
    const first = await ask(backend);
    const second = await ask(backend);
    expect(lastBody(service)).not.toHaveProperty('temperature');
    expect(noticesOf(first)).toEqual(['gpt-5 takes no temperature while it reasons; left out.']);
    expect(noticesOf(second)).toEqual([]);
  });

  it('keeps sampling for a model that does not reason by itself', async () => {
    const service = await serve([said], { model: 'gpt-5.2' });
    const asking = { model: 'gpt-5.2', options: { temperature: 0.2 } };
    expect(noticesOf(await ask(await openBackend(service, asking)))).toEqual([]);
    expect(lastBody(service)).toMatchObject({ temperature: 0.2 });
    expect(lastBody(service)).not.toHaveProperty('reasoning');
  });

  it('sends nothing about reasoning to a model that has none', async () => {
    const service = await serve([said], { model: 'gpt-4.1' });
    const options = { reasoning: { effort: 'high', summary: 'detailed', context: 'auto' } };
    const parts = await ask(await openBackend(service, { model: 'gpt-4.1', options }));
    expect(lastBody(service)).not.toHaveProperty('reasoning');
    expect(lastBody(service)).not.toHaveProperty('include');
    expect(noticesOf(parts)).toHaveLength(1);
  });

  it.each([
    ['detailed', { effort: 'low', summary: 'detailed' }],
    ['none', { effort: 'low' }],
    [null, { effort: 'low' }],
  ])('asks for the summary %s as the settings say', async (summary, sent) => {
    const service = await serve([said]);
    const options = { reasoning: { effort: 'low', summary } };
    await ask(await openBackend(service, { options }));
    expect(lastBody(service)['reasoning']).toEqual(sent);
  });

  it('learns what a service does not take, and tells what the user loses by it', async () => {
    const model = 'my-deployment';
    const refusal = (param: string) => ({
      status: 400,
      body: {
        error: {
          message: `Unsupported: '${param}'.`,
          type: 'invalid_request_error',
          param,
          code: null,
        },
      },
    });
    const service = await serve(
      [refusal('reasoning.effort'), refusal('temperature'), refusal('include[0]'), said, said],
      { model },
    );
    const options = { temperature: 0.1, reasoning_effort: 'low' };
    const backend = await openBackend(service, { model, options });
    const parts = await ask(backend);
    expect(endOf(parts).reason).toBe('stop');
    expect(noticesOf(parts)).toEqual([
      'The service does not take reasoning; it is left out.',
      'The service does not take temperature; it is left out.',
    ]);
    await ask(backend);
    expect(service.journal).toHaveLength(5);
    expect(Object.keys(lastBody(service))).toEqual(
      expect.not.arrayContaining(['include', 'temperature']),
    );
  });
});
