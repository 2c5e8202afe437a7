import { afterEach, describe, expect, it } from 'vitest';
import { closeAll, serve, usualModel } from './service-fixture';

afterEach(closeAll);

type Members = Readonly<Record<string, unknown>>;

const text = (words: string): Members => ({ text: words });
const call = (name: string, more: Members = {}): Members => ({
  functionCall: { name, args: {} },
  ...more,
});
const response = (name: string): Members => ({
  functionResponse: { name, response: { output: 'x' } },
});
const user = (...parts: readonly Members[]): Members => ({ role: 'user', parts });
const model = (...parts: readonly Members[]): Members => ({ role: 'model', parts });
const dummy = { thoughtSignature: 'skip_thought_signature_validator' };
const hi = user(text('Hi'));
const declare = (declaration: Members): Members => ({
  contents: [hi],
  tools: [{ functionDeclarations: [{ name: 'f', description: 'd', ...declaration }] }],
});
const subset = (property: Members): Members =>
  declare({ parameters: { type: 'OBJECT', properties: { p: property } } });

async function ask(body: unknown, name: string = usualModel): Promise<string> {
  const service = await serve([{ steps: [{ kind: 'text', text: 'a b' }] }], { model: name });
  const address = `${service.baseUrl}/v1/models/${name}:streamGenerateContent?alt=sse`;
  const answer = await fetch(address, { method: 'POST', body: JSON.stringify(body) });
  return `${answer.status} ${await answer.text()}`;
}

const old = 'gemini-2.5-flash';
const new4 = 'gemini-4-argon';

describe('a wrong request is refused as by the real service', () => {
  it.each([
    ['an unknown member', { contents: [hi], max_tokens: 5 }, 'Unknown name \\"max_tokens\\"'],
    [
      'an unknown member inside',
      { contents: [hi], tools: [{ functionDeclarations: [{ name: 'f', strict: true }] }] },
      "at 'tools[0].function_declarations[0]': Cannot find field.",
    ],
    ['a role', { contents: [{ role: 'assistant', parts: [text('x')] }] }, 'valid role'],
    ['no contents', { contents: [] }, 'contents is not specified'],
    ['no parts', { contents: [user()] }, 'must not be empty'],
    ['two members in one part', { contents: [user({ ...text('x'), ...call('f') })] }, 'oneof'],
    ['an empty text', { contents: [user(text(''))] }, 'empty text'],
    ['a call at the beginning', { contents: [model(call('f', dummy))] }, 'after a user turn'],
    ['a result without a call', { contents: [user(response('f'))] }, 'after a function call turn'],
    [
      'fewer results than calls',
      { contents: [hi, model(call('f', dummy), call('g')), user(response('f'))] },
      'number of function response parts',
    ],
    [
      'results in the wrong order',
      { contents: [hi, model(call('f', dummy), call('g')), user(response('g'), response('f'))] },
      'match their function call',
    ],
    [
      'a result that is not an object',
      {
        contents: [
          hi,
          model(call('f', dummy)),
          user({ functionResponse: { name: 'f', response: 'x' } }),
        ],
      },
      'protobuf.Struct',
    ],
    [
      'a call without a signature',
      { contents: [hi, model(call('f')), user(response('f'))] },
      'missing a thought_signature',
    ],
    [
      'a signature of its own making',
      { contents: [hi, model(call('f', { thoughtSignature: 'abc' })), user(response('f'))] },
      'Corrupted thought signature',
    ],
    ['a name', declare({ name: 'a b' }), 'Invalid function name'],
    ['a list type', subset({ type: ['STRING', 'NULL'] }), 'Invalid value at'],
    ['what the subset lacks', subset({ type: 'STRING', const: 'x' }), 'Unknown name \\"const\\"'],
    ['a list without items', subset({ type: 'ARRAY' }), 'items: missing field'],
    ['an object without members', subset({ type: 'OBJECT' }), 'non-empty for OBJECT'],
    ['a format', subset({ type: 'STRING', format: 'uri' }), "only 'enum' and 'date-time'"],
    [
      'a reference that does not stand alone',
      declare({
        parametersJsonSchema: {
          type: 'object',
          properties: { p: { $ref: '#/$defs/x', description: 'd' } },
          $defs: { x: { type: 'string' } },
        },
      }),
      'does not stand alone',
    ],
    [
      'tools of the service beside functions, not switched on',
      { ...declare({}), tools: [{ functionDeclarations: [{ name: 'f' }] }, { googleSearch: {} }] },
      'include_server_side_tool_invocations',
    ],
    ['a temperature', { contents: [hi], generationConfig: { temperature: 3 } }, 'temperature'],
  ])('%s', async (_what, body, sentence) => {
    const answer = await ask(body);
    expect(answer).toMatch(/^400 /);
    expect(answer).toContain(sentence);
  });

  it.each([
    [old, { thinkingLevel: 'LOW' }, 'Thinking level is not supported'],
    [new4, { thinkingBudget: 100 }, 'Thinking budget is not supported'],
    [new4, { thinkingLevel: 'MINIMAL' }, 'not supported for this model'],
    [usualModel, { thinkingLevel: 'LOW', thinkingBudget: 1 }, 'only one of'],
  ])('for %s thinking as %j', async (name, thinkingConfig, sentence) => {
    const answer = await ask({ contents: [hi], generationConfig: { thinkingConfig } }, name);
    expect(answer).toContain(sentence);
  });

  it('tools of the service beside functions for older models', async () => {
    const tools = [{ functionDeclarations: [{ name: 'f' }] }, { googleSearch: {} }];
    const toolConfig = { includeServerSideToolInvocations: true };
    expect(await ask({ contents: [hi], tools, toolConfig }, old)).toContain('cannot be combined');
  });

  it('a model of the early version, and a path that does not exist', async () => {
    const service = await serve([], { earlyModels: [usualModel] });
    for (const path of [`v1/models/${usualModel}:streamGenerateContent?alt=sse`, 'v2/models']) {
      const answer = await fetch(`${service.baseUrl}/${path}`, { method: 'POST', body: '{}' });
      expect(answer.status).toBe(404);
    }
  });
});

it('takes a right request and streams by its script', async () => {
  const answer = await ask({
    contents: [hi, model(call('f', dummy)), user(response('f')), user(text('And?'))],
    systemInstruction: { parts: [text('Be short.')] },
  });
  expect(answer).toMatch(/^200 data: /);
  expect(answer).toContain('"finishReason":"STOP"');
});

it('asks for no signatures of turns that are over', async () => {
  const contents = [hi, model(call('f')), user(response('f')), user(text('And?'))];
  expect(await ask({ contents })).toMatch(/^200 /);
  expect(await ask({ contents: contents.slice(0, 3) }, old)).toMatch(/^200 /);
});
