import { afterEach, describe, expect, it } from 'vitest';
import {
  type FakeAnthropic,
  startFakeAnthropic,
} from '../../../support/fake-anthropic/fake-anthropic';
import type { ServiceClock } from '../../../support/fake-model-service/service-clock';
import { gate } from '../../../support/run-harness';
import { asJson, closeAll, listOf, serve } from './claude-fixture';

type Json = Readonly<Record<string, unknown>>;

const user = { role: 'user', content: 'Hi' };
const use = (id: string): Json => ({ type: 'tool_use', id, name: 'f', input: {} });
const result = (id: string): Json => ({ type: 'tool_result', tool_use_id: id, content: 'x' });
const assistant = (...content: readonly Json[]): Json => ({ role: 'assistant', content });
const answer = (...content: readonly Json[]): Json => ({ role: 'user', content });
const tool: Json = { name: 'f', input_schema: { type: 'object' } };
const mark = { cache_control: { type: 'ephemeral' } };
const says = (words: string) => ({ kind: 'text', text: words }) as const;
const text = (words: string): Json => ({ type: 'text', text: words });

async function post(
  service: FakeAnthropic,
  body: Json,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${service.baseUrl}/v1/messages`, {
    method: 'POST',
    headers: { 'anthropic-version': '2023-06-01', ...headers },
    body: JSON.stringify({ max_tokens: 2000, messages: [user], stream: true, ...body }),
  });
  return { status: response.status, text: await response.text() };
}

/** What the service says to a request; `''` when it takes it. */
async function saidTo(
  model: string,
  body: Json,
  headers?: Readonly<Record<string, string>>,
): Promise<string> {
  const service = await serve([{ steps: [] }], { model });
  const { status, text: said } = await post(service, { model, ...body }, headers);
  if (status === 200) {
    return '';
  }
  expect([400, 404]).toContain(status);
  return String(asJson(asJson(JSON.parse(said))['error'])['message']);
}

describe('the fake of the service', () => {
  afterEach(closeAll);

  it.each<[string, Json, string]>([
    ['unknown fields', { foo: 1 }, 'foo: Extra inputs are not permitted'],
    [
      'unknown fields deep inside',
      { messages: [answer({ ...text('a'), foo: 1 })] },
      'messages.0.content.0.text.foo: Extra inputs are not permitted',
    ],
    ['no limit', { max_tokens: undefined }, 'max_tokens: Field required'],
    ['too high a limit', { max_tokens: 900_000 }, 'max_tokens: 900000 > 128000'],
    ['no messages', { messages: [] }, 'at least one message'],
    ['odd roles', { messages: [{ role: 'system', content: 'a' }] }, 'Unexpected role "system"'],
    ['a wrong beginning', { messages: [assistant(text('a')), user] }, 'must use the "user" role'],
    ['empty texts', { messages: [answer(text(''))] }, 'must be non-empty'],
    ['blank texts', { messages: [answer(text(' '))] }, 'must contain non-whitespace text'],
    ['empty contents', { messages: [answer()] }, 'at least 1 block'],
    [
      'prefills',
      { messages: [user, assistant(text('a'))] },
      'does not support assistant message prefill',
    ],
    [
      'calls without results',
      { messages: [user, assistant(use('a')), user] },
      '`tool_use` ids were found without `tool_result` blocks immediately after: a',
    ],
    [
      'results behind a text',
      { messages: [user, assistant(use('a')), answer(text('b'), result('a'))] },
      '`tool_use` ids were found without `tool_result`',
    ],
    [
      'results without calls',
      { messages: [user, assistant(use('a')), answer(result('a'), result('b'))] },
      'unexpected `tool_use_id` found in `tool_result` blocks: b',
    ],
    [
      'two results of a call',
      { messages: [user, assistant(use('a')), answer(result('a'), result('a'))] },
      'each tool_use must have a single result',
    ],
    [
      'ids that come twice',
      {
        messages: [
          ...[user, assistant(use('a')), answer(result('a'))],
          ...[assistant(use('a')), answer(result('a'))],
        ],
      },
      'ids must be unique',
    ],
    [
      'illegal ids',
      { messages: [user, assistant(use('a:b')), answer(result('a:b'))] },
      "'^[a-zA-Z0-9_-]+$'",
    ],
    [
      'input that is no object',
      { messages: [user, assistant({ ...use('a'), input: 'x' }), answer(result('a'))] },
      'Input should be a valid dictionary',
    ],
    [
      'errors without a word',
      {
        messages: [
          user,
          assistant(use('a')),
          answer({ ...result('a'), is_error: true, content: '' }),
        ],
      },
      'content cannot be empty if `is_error` is true',
    ],
    [
      'pictures of the assistant',
      { messages: [user, assistant({ type: 'image', source: {} }), user] },
      "Input tag 'image'",
    ],
    ['tools of one name', { tools: [tool, tool] }, 'Tool names must be unique'],
    ['illegal names', { tools: [{ ...tool, name: 'a b' }] }, 'String should match pattern'],
    [
      'schemas of another type',
      { tools: [{ ...tool, input_schema: {} }] },
      "Input should be 'object'",
    ],
    [
      'alternatives at the top of a schema',
      { tools: [{ ...tool, input_schema: { type: 'object', anyOf: [] } }] },
      'does not support oneOf, allOf, or anyOf',
    ],
    [
      'illegal properties',
      { tools: [{ ...tool, input_schema: { type: 'object', properties: { 'a b': {} } } }] },
      'Property keys should match',
    ],
    [
      'a choice without tools',
      { tool_choice: { type: 'auto' } },
      'only be specified while providing tools',
    ],
    [
      'a forced tool',
      { tools: [tool], tool_choice: { type: 'any' } },
      'tool_choice forces tool use is not compatible with this model.',
    ],
    [
      'too many marks',
      {
        messages: [answer(...['a', 'b', 'c', 'd', 'e'].map((one) => ({ ...text(one), ...mark })))],
      },
      'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    ],
    [
      'a long mark after a short one',
      {
        system: [{ ...text('s'), ...mark }],
        messages: [answer({ ...text('a'), cache_control: { type: 'ephemeral', ttl: '1h' } })],
      },
      "a ttl='1h' cache_control block must not come after",
    ],
    ['sampling', { temperature: 1 }, '`temperature` is deprecated for this model.'],
    [
      'thinking within a budget',
      { thinking: { type: 'enabled', budget_tokens: 1024 } },
      '"thinking.type.enabled" is not supported for this model.',
    ],
    [
      'thinking switched off',
      { thinking: { type: 'disabled' } },
      '"thinking.type.disabled" is not supported for this model.',
    ],
    [
      'thoughts that nobody signed',
      {
        messages: [
          user,
          assistant({ type: 'thinking', thinking: 'a', signature: 'x' }, text('b')),
          user,
        ],
      },
      'in the latest assistant message cannot be modified',
    ],
  ])('refuses %s', async (_what, body, said) => {
    expect(await saidTo('claude-opus-5-5', body)).toContain(said);
  });

  it.each<[string, string, Json, string]>([
    [
      'claude-haiku-4-5',
      'a small budget',
      { thinking: { type: 'enabled', budget_tokens: 1000 } },
      '1024',
    ],
    [
      'claude-haiku-4-5',
      'a budget beyond the limit',
      { thinking: { type: 'enabled', budget_tokens: 2000 } },
      '`max_tokens` must be greater',
    ],
    [
      'claude-haiku-4-5',
      'two ways of sampling',
      { temperature: 1, top_p: 0.9 },
      'cannot both be specified',
    ],
    ['claude-haiku-4-5', 'an effort', { output_config: { effort: 'low' } }, 'effort parameter'],
    [
      'claude-haiku-4-5',
      'a temperature while it thinks',
      { thinking: { type: 'enabled', budget_tokens: 1024 }, temperature: 0.5 },
      'may only be set to 1',
    ],
    [
      'claude-haiku-4-5',
      'a round of calls that begins without a thought',
      {
        thinking: { type: 'enabled', budget_tokens: 1024 },
        messages: [user, assistant(use('a')), answer(result('a'))],
      },
      'Expected `thinking` or `redacted_thinking`, but found `tool_use`',
    ],
    [
      'claude-haiku-4-5',
      'a prefill that ends in a space',
      { messages: [user, assistant(text('a '))] },
      'trailing whitespace',
    ],
  ])('as %s refuses %s', async (model, _what, body, said) => {
    expect(await saidTo(model, body)).toContain(said);
  });

  it('takes sampling from an early model, but not under the newer version of the protocol', async () => {
    const body = { temperature: 0.5 };
    expect(await saidTo('claude-haiku-4-5', body)).toBe('');
    expect(await saidTo('claude-haiku-4-5', body, { 'anthropic-version': '2026-10-21' })).toBe(
      'temperature: Extra inputs are not permitted',
    );
  });

  it('refuses a request that names no version, no known model, or no key', async () => {
    const service = await serve([], { apiKeys: ['k'] });
    const bare = await fetch(`${service.baseUrl}/v1/messages`, {
      ...{ method: 'POST', body: '{}' },
      headers: { 'x-api-key': 'k' },
    });
    expect(await bare.text()).toContain('anthropic-version');
    expect((await post(service, {}, {})).status).toBe(401);
    expect((await post(service, { model: 'm' }, { 'x-api-key': 'k' })).status).toBe(404);
  });

  it('waits on its clock, and sends the rest afterwards', async () => {
    const due: { readonly at: number; readonly run: () => void }[] = [];
    const asked = gate();
    const clock: ServiceClock = {
      now: () => 500,
      at(deadline, run) {
        due.push({ at: deadline, run });
        asked.open();
        return () => undefined;
      },
    };
    const model = 'claude-opus-5';
    const steps = [says('first'), { kind: 'wait', ms: 1000 }, says('second')] as const;
    const service = await startFakeAnthropic({ models: { [model]: [{ steps }] } }, clock);
    try {
      const response = await fetch(`${service.baseUrl}/v1/messages`, {
        ...{ method: 'POST', headers: { 'anthropic-version': '2023-06-01' } },
        body: JSON.stringify({ model, max_tokens: 9, messages: [user], stream: true }),
      });
      let heard = '';
      let waited: unknown;
      for await (const bytes of response.body ?? []) {
        heard += Buffer.from(bytes).toString('utf8');
        if (heard.includes('content_block_stop') && waited === undefined) {
          expect(heard).not.toContain('second');
          await asked.opened;
          waited = due.map(({ at }) => at);
          due.forEach(({ run }) => run());
        }
      }
      expect(waited).toEqual([1500]);
      expect(heard).toContain('second');
      expect(service.journal[0]).toMatchObject({ scheduledMs: 1000, outcome: 'complete' });
    } finally {
      await service.close();
    }
  });

  describe('signs thoughts', () => {
    const model = 'claude-opus-5-5';
    const asked = { model, messages: [user], system: 'One.', tools: [tool] };

    /** A thought as it was signed, with the call behind it. */
    async function signed(service: FakeAnthropic): Promise<readonly Json[]> {
      const thinking = { type: 'adaptive', display: 'summarized' };
      const { text: stream } = await post(service, { ...asked, thinking });
      const signature = /"signature":"([^"]+)"/.exec(stream)?.[1];
      return [{ type: 'thinking', thinking: 'So.', signature }, use('toolu_1_0')];
    }

    async function replayed(change: (body: Json, thought: Json) => Json): Promise<string> {
      const service = await serve([
        {
          steps: [
            { kind: 'thinking', text: 'So.' },
            { kind: 'tool-call', name: 'f', arguments: {} },
          ],
        },
        { steps: [] },
      ]);
      const content = await signed(service);
      const messages = [user, assistant(...content), answer(result('toolu_1_0'))];
      const { status, text: said } = await post(
        service,
        change({ ...asked, messages }, content[0] ?? {}),
      );
      return status === 200 ? '' : said;
    }

    it('and takes them back where they stood, marks and the form of texts aside', async () => {
      expect(await replayed((body) => body)).toBe('');
      expect(
        await replayed((body) => ({
          ...body,
          system: [{ ...text('One.'), ...mark }],
          messages: [answer({ ...text('Hi'), ...mark }), ...listOf(body['messages']).slice(1)],
        })),
      ).toBe('');
    });

    it.each<[string, (body: Json) => Json]>([
      ['the system text', (body) => ({ ...body, system: 'Two.' })],
      ['the tools', (body) => ({ ...body, tools: [{ ...tool, description: 'x' }] })],
      [
        'an earlier message',
        (body) => ({
          ...body,
          messages: [answer(text('Hi!')), ...listOf(body['messages']).slice(1)],
        }),
      ],
    ])('and refuses them when %s has changed', async (_what, change) => {
      expect(await replayed(change)).toContain('The block is bound to a different conversation.');
    });

    it('and refuses them when they were edited', async () => {
      const said = await replayed((body, thought) => ({
        ...body,
        messages: [
          user,
          assistant({ ...thought, thinking: 'Not so.' }, use('toolu_1_0')),
          answer(result('toolu_1_0')),
        ],
      }));
      expect(said).toContain('in the latest assistant message cannot be modified');
    });
  });
});
