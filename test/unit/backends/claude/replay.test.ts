import { afterEach, describe, expect, it } from 'vitest';
import type { ChatMessage, ModelRequest, Verbatim } from '../../../../src/core/ports/model-backend';
import { endOf, textOf } from '../../../contract/backend-kit';
import type { Step } from '../../../support/fake-anthropic/script';
import {
  askInTurn,
  bodiesOf,
  closeAll,
  contentsOf,
  early,
  newest,
  noticesOf,
  openClaude,
  serve,
  serveAlways,
  unchanged,
} from './claude-fixture';

const thought: Step = { kind: 'thinking', text: 'Perhaps the loop.' };
const call: Step = { kind: 'tool-call', name: 'read_file', arguments: { path: 'a.js' } };
const round: readonly Step[] = [thought, { kind: 'text', text: 'I look.' }, call];

function typesOf(body: Parameters<typeof contentsOf>[0]): readonly (readonly unknown[])[] {
  return contentsOf(body).map((content) => content.map(({ type }) => type));
}

/** What shortening a conversation does to it. */
function withoutResults(request: ModelRequest, count: number): ModelRequest {
  let left = count;
  const messages = request.messages.map((message): ChatMessage => {
    if (message.role !== 'tool' || left <= 0) {
      return message;
    }
    left--;
    return {
      ...message,
      results: message.results.map((result) => ({ ...result, text: '[left out]' })),
    };
  });
  return { ...request, messages };
}

function withOtherSignatures({ origin, content }: Verbatim): Verbatim {
  const other = JSON.stringify(content).replace(/("signature":"[^"]*\.)[^".]*"/g, '$1other"');
  const parsed: unknown = JSON.parse(other);
  return { origin, content: parsed };
}

function withNews(request: ModelRequest): ModelRequest {
  const news: ChatMessage = { role: 'user', text: 'A newer answer has come.' };
  return { ...request, messages: [...request.messages, news] };
}

describe('what a model has written', () => {
  afterEach(closeAll);

  it('goes back unchanged, its thoughts in their place, with news behind the results', async () => {
    const service = await serveAlways(round);
    const answers = await askInTurn(await openClaude(service), [unchanged, withNews, withNews]);
    expect(answers.map((parts) => endOf(parts).reason)).toEqual(Array(3).fill('tool-calls'));
    expect(typesOf(bodiesOf(service)[2])).toEqual([
      ['text'],
      ['thinking', 'text', 'tool_use'],
      ['tool_result', 'text'],
      ['thinking', 'text', 'tool_use'],
      ['tool_result', 'text'],
    ]);
  });

  it('loses only the thoughts that stood behind a change, and the model goes on', async () => {
    const service = await serveAlways(round);
    const answers = await askInTurn(await openClaude(service), [
      unchanged,
      unchanged,
      unchanged,
      // The results of the first round are left out from here on.
      (request) => withoutResults(request, 1),
      (request) => withoutResults(request, 1),
    ]);
    expect(answers.map((parts) => endOf(parts).reason)).toEqual(Array(5).fill('tool-calls'));
    expect(answers.flatMap(noticesOf)).toEqual([]);
    const kept = bodiesOf(service).map((body) =>
      typesOf(body)
        .filter((_types, i) => i % 2 === 1)
        .map((types) => types.includes('thinking')),
    );
    expect(kept.at(2)).toEqual([true, true]);
    // The first thought stood before the change; the next two behind it; the last one was written after it.
    expect(kept.at(3)).toEqual([true, false, false]);
    expect(kept.at(4)).toEqual([true, false, false, true]);
  });

  it.each([
    ['system text', (request: ModelRequest) => ({ ...request, system: 'Another one.' })],
    ['tools', (request: ModelRequest) => ({ ...request, tools: request.tools.slice(1) })],
  ])('goes back without thoughts when the %s has changed', async (_what, change) => {
    const service = await serveAlways(round);
    const answers = await askInTurn(await openClaude(service), [unchanged, change]);
    expect(endOf(answers[1] ?? []).reason).toBe('tool-calls');
    expect(typesOf(bodiesOf(service)[1])[1]).toEqual(['text', 'tool_use']);
  });

  it('keeps its thoughts after a change where they are bound to nothing', async () => {
    const service = await serveAlways(round, early);
    const backend = await openClaude(service, { model: early, options: { effort: 'low' } });
    const answers = await askInTurn(backend, [
      unchanged,
      unchanged,
      (request) => withoutResults(request, 1),
    ]);
    expect(answers.map((parts) => endOf(parts).reason)).toEqual(Array(3).fill('tool-calls'));
    expect(typesOf(bodiesOf(service)[2])[3]).toEqual(['thinking', 'text', 'tool_use']);
  });

  it('is sent once more without thoughts when the service no longer knows them', async () => {
    const service = await serveAlways(round);
    const forged = (request: ModelRequest): ModelRequest => ({
      ...request,
      messages: request.messages.map((message) =>
        message.role === 'assistant' && message.verbatim !== undefined
          ? { ...message, verbatim: withOtherSignatures(message.verbatim) }
          : message,
      ),
    });
    const answers = await askInTurn(await openClaude(service), [unchanged, forged, unchanged]);
    expect(endOf(answers[1] ?? []).reason).toBe('tool-calls');
    expect(noticesOf(answers[1] ?? [])).toHaveLength(1);
    expect(service.journal.map(({ outcome }) => outcome)).toEqual([
      'complete',
      'refused',
      ...['complete', 'complete'],
    ]);
    // What was refused stays out; what the model has thought since then goes back.
    const [, second, third] = bodiesOf(service).map(typesOf).slice(1);
    expect(second?.[1]).toEqual(['text', 'tool_use']);
    expect(third?.[1]).toEqual(['text', 'tool_use']);
    expect(third?.[3]).toEqual(['thinking', 'text', 'tool_use']);
  });

  it('goes to another model as text and calls, which does not think within a budget then', async () => {
    const service = await serveAlways(round, early);
    const backend = await openClaude(service, { model: early, options: { effort: 'low' } });
    const strange = (request: ModelRequest): ModelRequest => ({
      ...request,
      messages: request.messages.map((message) =>
        message.role === 'assistant' && message.verbatim !== undefined
          ? { ...message, verbatim: { ...message.verbatim, origin: 'anthropic elsewhere m' } }
          : message,
      ),
    });
    const answers = await askInTurn(backend, [unchanged, strange]);
    expect(endOf(answers[1] ?? []).reason).toBe('tool-calls');
    expect(typesOf(bodiesOf(service)[1])[1]).toEqual(['text', 'tool_use']);
    expect(bodiesOf(service)[1]).not.toHaveProperty('thinking');
  });

  it('is not taken for its own when its calls are others', async () => {
    const service = await serveAlways(round);
    const renamed = (request: ModelRequest): ModelRequest => ({
      ...request,
      messages: request.messages.map((message) =>
        message.role === 'assistant'
          ? { ...message, text: 'Nothing.', toolCalls: [] }
          : { role: 'user', text: 'Go on.' },
      ),
    });
    const [, second = []] = await askInTurn(await openClaude(service), [unchanged, renamed]);
    expect(endOf(second).reason).toBe('tool-calls');
    expect(contentsOf(bodiesOf(service)[1])[1]).toEqual([{ type: 'text', text: 'Nothing.' }]);
  });

  it('is left out as a whole when it is nothing but thoughts', async () => {
    const service = await serve([
      { steps: [thought, { kind: 'text', text: ' \n' }] },
      { steps: [{ kind: 'text', text: 'Done.' }] },
    ]);
    const goOn = (request: ModelRequest): ModelRequest => ({
      ...request,
      messages: [...request.messages.slice(0, 1), { role: 'user', text: 'Go on.' }],
    });
    const [first = [], second = []] = await askInTurn(await openClaude(service), [unchanged, goOn]);
    expect(first.filter(({ type }) => type === 'verbatim')).toEqual([]);
    expect(textOf(second)).toBe('Done.');
  });
});

describe('a pause of the service', () => {
  afterEach(closeAll);

  const search: Extract<Step, { kind: 'server-tool' }> = {
    ...{ kind: 'server-tool', id: 'srvtoolu_1', name: 'web_search' },
    input: { query: 'parsers' },
  };
  const found: Step = {
    kind: 'block',
    block: {
      ...{ type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1' },
      content: [
        {
          ...{ type: 'web_search_result', url: 'https://a.example', title: 'Parsers' },
          ...{ encrypted_content: 'x', page_age: null },
        },
      ],
    },
  };
  const usage = (input: number, output: number): Step => ({
    kind: 'usage',
    usage: { input_tokens: input, output_tokens: output },
  });

  function pausedAt(n: number): readonly Step[] {
    const one = { ...search, id: `srvtoolu_${n}`, input: {} };
    const result = { type: 'web_search_tool_result', tool_use_id: one.id, content: [] };
    return [one, { kind: 'block', block: result }, { kind: 'stop', reason: 'pause_turn' }];
  }

  it('is one answer in two streams, counted together and sent back as one', async () => {
    const service = await serve([
      { steps: [thought, search, { kind: 'stop', reason: 'pause_turn' }, usage(5000, 600)] },
      { steps: [found, thought, { kind: 'text', text: 'Found it.' }, call, usage(6000, 700)] },
      { steps: [{ kind: 'text', text: 'Done.' }] },
    ]);
    const backend = await openClaude(service, { hostedTools: ['web-search'] });
    const [first = [], second = []] = await askInTurn(backend, [unchanged, withNews]);
    expect(textOf(first)).toBe('Found it.');
    expect(first.filter(({ type }) => type === 'end')).toHaveLength(1);
    expect(first.find(({ type }) => type === 'usage')).toMatchObject({
      usage: { inputTokens: 11_000, outputTokens: 1300 },
    });
    expect(first.filter(({ type }) => type === 'hosted-tool')).toMatchObject([
      { id: 'srvtoolu_1', tool: 'web_search', subject: 'parsers', status: 'started' },
      { id: 'srvtoolu_1', status: 'done', preview: 'Parsers https://a.example' },
    ]);
    expect(textOf(second)).toBe('Done.');
    expect(typesOf(bodiesOf(service)[2])[1]).toEqual([
      ...['thinking', 'server_tool_use', 'web_search_tool_result'],
      ...['thinking', 'text', 'tool_use'],
    ]);
  });

  it('without end is given up', async () => {
    const pauses = Array.from({ length: 30 }, (_unused, i) => ({ steps: pausedAt(i) }));
    const service = await serve(pauses);
    const backend = await openClaude(service, { model: newest });
    const [first = []] = await askInTurn(backend, [unchanged]);
    expect(endOf(first)).toMatchObject({ reason: 'error' });
    expect(service.journal.map(({ outcome }) => outcome)).not.toContain('refused');
    expect(service.journal.length).toBeLessThan(30);
  });
});
