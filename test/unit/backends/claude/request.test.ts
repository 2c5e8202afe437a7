import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type {
  ChatMessage,
  Media,
  ModelRequest,
  ToolSpec,
} from '../../../../src/core/ports/model-backend';
import { endOf, expected, requestOf } from '../../../contract/backend-kit';
import {
  ask,
  asJson,
  bodiesOf,
  closeAll,
  contentsOf,
  early,
  listOf,
  openClaude,
  serve,
  serveAlways,
} from './claude-fixture';

const image: Media = {
  ...{ kind: 'image', mediaType: 'image/png', name: 'one.png', base64: expected.image },
};

async function sent(
  request: Partial<ModelRequest>,
  settings: Parameters<typeof openClaude>[1] = {},
): Promise<Readonly<Record<string, unknown>>> {
  const service = await serveAlways([{ kind: 'text', text: 'Done.' }], settings.model);
  const parts = await ask(await openClaude(service, settings), request);
  expect(endOf(parts)).toEqual({ type: 'end', reason: 'stop' });
  return bodiesOf(service)[0] ?? {};
}

function calls(...ids: readonly string[]): ChatMessage {
  return {
    ...{ role: 'assistant', text: '' },
    toolCalls: ids.map((id) => ({ id, name: 'read_file', argumentsJson: '{"path":"a"}' })),
  };
}

function results(...ids: readonly string[]): ChatMessage {
  return {
    role: 'tool',
    results: ids.map((id) => ({
      ...{ toolCallId: id, name: 'read_file', text: `of ${id}`, isError: false },
    })),
  };
}

const question: ChatMessage = { role: 'user', text: 'Fix it.' };

describe('a request', () => {
  afterEach(closeAll);

  it('puts all results into one message, in the order of the calls and before any text', async () => {
    const body = await sent({
      messages: [question, calls('a', 'b'), results('b', 'a'), { role: 'user', text: 'News.' }],
    });
    expect(contentsOf(body)[2]).toMatchObject([
      { type: 'tool_result', tool_use_id: 'a', content: 'of a' },
      { type: 'tool_result', tool_use_id: 'b', content: 'of b' },
      { type: 'text', text: 'News.' },
    ]);
  });

  it('answers a call that has no result, and leaves out a result that has no call', async () => {
    const body = await sent({ messages: [question, calls('a'), results('z')] });
    expect(contentsOf(body)[2]).toMatchObject([
      { type: 'tool_result', tool_use_id: 'a', is_error: true },
    ]);
  });

  it('gives ids of other services a legal and unique form', async () => {
    const messages = [
      question,
      calls('call:1'),
      results('call:1'),
      calls('call.1'),
      results('call.1'),
    ];
    const ids = contentsOf(await sent({ messages }))
      .flat()
      .flatMap(({ id, tool_use_id: of }) => id ?? of ?? []);
    expect(ids).toEqual(['call_1', 'call_1', 'call_1_2', 'call_1_2']);
  });

  it('sends malformed arguments as an empty object', async () => {
    const call = { id: 'a', name: 'read file', argumentsJson: '{"path": src' };
    const messages: ChatMessage[] = [
      question,
      { role: 'assistant', text: ' \n', toolCalls: [call] },
      results('a'),
    ];
    expect(contentsOf(await sent({ messages }))[1]).toEqual([
      { type: 'tool_use', id: 'a', name: 'read_file', input: {} },
    ]);
  });

  it('puts pictures into messages and results, and says what it must leave out', async () => {
    const media: Media[] = [
      image,
      { ...image, mediaType: 'image/bmp', name: 'old.bmp', base64: 'Qk0AAAAA' },
      {
        ...image,
        name: 'big.png',
        base64: `${expected.image.slice(0, 40)}${'A'.repeat(7_200_000)}`,
      },
      { kind: 'document', mediaType: 'application/pdf', name: 'a.pdf', base64: 'JVBERi0xLjQK' },
      { kind: 'document', mediaType: 'text/plain', name: 'a.txt', base64: 'SGVsbG8=' },
      { kind: 'audio', mediaType: 'audio/wav', name: 'a.wav', base64: 'UklGRg==' },
    ];
    const body = await sent({ messages: [{ role: 'user', text: '', media }] });
    expect(contentsOf(body)[0]).toMatchObject([
      { type: 'image', source: { type: 'base64', media_type: 'image/png' } },
      { text: '[The picture big.png is left out: it is larger than 5 MB.]' },
      { type: 'document', title: 'a.pdf' },
      { text: 'a.txt:\n\nHello' },
      { text: '[a.wav is left out: this service does not take audio/wav.]' },
      { text: '[Left out, because it is no PNG, JPEG, GIF or WebP picture: old.bmp]' },
    ]);
  });

  it('marks what may be reused: tools, system, and the last two messages of the user', async () => {
    const body = await sent({
      messages: [question, calls('a'), results('a'), calls('b'), results('b')],
    });
    const marked = (blocks: unknown) =>
      listOf(blocks).map((block) => 'cache_control' in asJson(block));
    expect(marked(body['tools'])).toEqual([false, false, false, true]);
    expect(marked(body['system'])).toEqual([true]);
    expect(contentsOf(body).map(marked)).toEqual([[false], [false], [true], [false], [true]]);
  });

  it('is written the same again, so that caches hold', async () => {
    const messages = [question, calls('a'), results('a')];
    const [one, two] = [await sent({ messages }), await sent({ messages })];
    expect(JSON.stringify(one)).toBe(JSON.stringify(two));
  });

  it('tells in words what a schema may not have', async () => {
    const tool: ToolSpec = {
      ...{ name: 'search', description: 'Searches.' },
      inputSchema: {
        ...{ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
        properties: { path: { type: 'string' }, 'größe in px': { type: 'integer' } },
        ...{ required: ['path', 'größe in px'], anyOf: [{ required: ['path'] }] },
      },
    };
    const [written] = listOf((await sent({ tools: [tool] }))['tools']).map(asJson);
    expect(written).toMatchObject({
      input_schema: {
        type: 'object',
        properties: { path: { type: 'string' } },
        required: ['path'],
      },
    });
    expect(Object.keys(asJson(written?.['input_schema']))).toEqual([
      ...['type', 'properties', 'required'],
    ]);
    expect(written?.['description']).toContain('"anyOf":[{"required":["path"]}]');
    expect(written?.['description']).toContain('größe in px');
  });

  it('offers tools of the service before the others, and no second one of the same name', async () => {
    const own = { name: 'web_search', description: '', inputSchema: { type: 'object' } };
    const body = await sent(
      { tools: [own, { ...own, name: 'read_file' }] },
      { hostedTools: ['web-search', 'code-execution'] },
    );
    expect(
      listOf(body['tools']).map((tool) => [asJson(tool)['name'], asJson(tool)['type']]),
    ).toEqual([
      ['web_search', 'web_search_20250305'],
      ['code_execution', 'code_execution_20250825'],
      ['read_file', undefined],
    ]);
  });

  it('has neither system text nor tools where there are none', async () => {
    const body = await sent({ system: ' ', tools: [] });
    expect(Object.keys(body)).toEqual(['model', 'max_tokens', 'messages', 'thinking', 'stream']);
  });

  it('without caching is sent when a gateway does not know the marks', async () => {
    const service = await serveAlways([{ kind: 'text', text: 'Done.' }]);
    const backend = await openClaude(service);
    const message = 'messages.0.content.0.cache_control: Extra inputs are not permitted';
    const strict = await serveRefusing('"cache_control"', message);
    const other = await openClaude(strict);
    expect(endOf(await ask(backend)).reason).toBe('stop');
    expect(endOf(await ask(other)).reason).toBe('stop');
    expect(JSON.stringify(bodiesOf(strict).at(-1))).not.toContain('cache_control');
  });

  it('is taken whatever a conversation has in it', async () => {
    const service = await serveAlways([{ kind: 'text', text: 'Done.' }], early);
    const backend = await openClaude(service, { model: early });
    await fc.assert(
      fc.asyncProperty(anyConversation(), async ({ messages, tools }) => {
        const parts = await ask(backend, { ...requestOf(), messages, tools });
        expect(endOf(parts)).toEqual({ type: 'end', reason: 'stop' });
      }),
      { numRuns: 60, seed: 7 },
    );
  });
});

async function serveRefusing(when: string, message: string): ReturnType<typeof serveAlways> {
  const body = { type: 'error', error: { type: 'invalid_request_error', message } };
  return serve([
    { status: 400, body, when },
    { steps: [{ kind: 'text', text: 'Done.' }], isRepeated: true },
  ]);
}

interface AnyConversation {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSpec[];
}

/** Everything that other models, tools and people may have put into a conversation, also what is wrong. */
function anyConversation(): fc.Arbitrary<AnyConversation> {
  const text = fc.oneof(fc.string(), fc.constant(' \n'), fc.string({ unit: 'grapheme' }));
  const id = fc.oneof(fc.constantFrom('a', 'b', 'call:1', ''), fc.string());
  const media = fc.array(fc.constant(image), { maxLength: 1 });
  const call = fc.record({ id, name: text, argumentsJson: fc.oneof(fc.json(), text) });
  const turn = fc.record({ text, toolCalls: fc.array(call, { maxLength: 3 }), media, news: text });
  const schema = fc.dictionary(text, fc.constant({ type: 'string' }), { maxKeys: 3 });
  const tool = fc.record({ name: text, description: text, properties: schema });
  return fc
    .record({ turns: fc.array(turn, { maxLength: 4 }), tools: fc.array(tool, { maxLength: 3 }) })
    .map(({ turns, tools }) => ({
      messages: [question, ...turns.flatMap(toMessages)],
      tools: tools.map(({ name, description, properties }) => ({
        ...{ name, description },
        inputSchema: { type: 'object', properties, required: Object.keys(properties) },
      })),
    }));
}

function toMessages(turn: {
  readonly text: string;
  readonly toolCalls: readonly { id: string; name: string; argumentsJson: string }[];
  readonly media: readonly Media[];
  readonly news: string;
}): readonly ChatMessage[] {
  const { text, toolCalls, media, news } = turn;
  const all = toolCalls.map(({ id, name }, i) => ({
    ...{ toolCallId: id, name, text: news, isError: i % 2 === 0, media },
  }));
  return [
    { role: 'assistant', text, toolCalls },
    ...(toolCalls.length === 0 ? [] : [{ role: 'tool', results: all } as const]),
    { role: 'user', text: news, media },
  ];
}
