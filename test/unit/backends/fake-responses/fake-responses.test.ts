import { afterEach, describe, expect, it } from 'vitest';
import { asObject, asText } from '../../../../src/backends/wire/json-reading';
import {
  type FakeResponses,
  startFakeResponses,
} from '../../../support/fake-responses/fake-responses';
import type { Step } from '../../../support/fake-responses/script';

type Json = Readonly<Record<string, unknown>>;

let service: FakeResponses | undefined;

afterEach(async () => {
  await service?.close();
  service = undefined;
});

async function start(...answers: readonly (readonly Step[])[]): Promise<void> {
  const scripted = answers.map((steps) => ({ steps }));
  service = await startFakeResponses({ models: { 'gpt-5': scripted, 'gpt-4.1': scripted } });
}

const plain = { model: 'gpt-5', input: 'Hi', stream: true, store: false };
const call = { type: 'function_call', call_id: 'c1', name: 'vote', arguments: '{}' };
const result = { type: 'function_call_output', call_id: 'c1', output: 'ok' };
const user = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] };
const tool = { type: 'function', name: 'f', strict: false };

async function send(body: Json): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${service?.baseUrl ?? ''}/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...plain, ...body }),
  });
  return { status: response.status, text: await response.text() };
}

async function refusalOf(body: Json): Promise<string> {
  const { status, text } = await send(body);
  const error = asObject(asObject(JSON.parse(text))?.['error']);
  return `${status} ${asText(error?.['message'])}`;
}

/** The finished items of a streamed answer. */
function itemsOf(text: string): Json[] {
  return text.split('\n').flatMap((line) => {
    const event = line.startsWith('data: ') ? asObject(JSON.parse(line.slice(6))) : undefined;
    const item = asObject(event?.['item']);
    return event?.['type'] === 'response.output_item.done' && item !== undefined ? [item] : [];
  });
}

describe('the fake service for responses', () => {
  it.each<readonly [string, Json]>([
    ["moved to 'max_output_tokens'", { max_tokens: 5 }],
    ["moved to 'input'", { messages: [] }],
    ["moved to 'reasoning.effort'", { reasoning_effort: 'low' }],
    ["moved to 'text.format'", { response_format: {} }],
    ["Unknown parameter: 'seed'", { seed: 1 }],
    ['Expected a value >= 16', { max_output_tokens: 15 }],
    ['Supported values are: ' + "'minimal'", { reasoning: { effort: 'none' } }],
    ["'temperature' is not supported", { temperature: 0.5 }],
    ["'top_p' is not supported", { top_p: 0.5 }],
    ["'reasoning.effort' is not supported", { model: 'gpt-4.1', reasoning: { effort: 'low' } }],
    [
      "Missing required parameter: 'tools[0].name'",
      { tools: [{ type: 'function', function: tool }] },
    ],
    ["'tools[0].name'", { tools: [{ ...tool, name: 'a.b', parameters: { type: 'object' } }] }],
    ["must have type 'object'", { tools: [{ ...tool, parameters: { anyOf: [] } }] }],
    [
      'array schema missing items',
      {
        tools: [{ ...tool, parameters: { type: 'object', properties: { a: { type: 'array' } } } }],
      },
    ],
    [
      "'additionalProperties' is required to be false",
      { tools: [{ ...tool, strict: true, parameters: { type: 'object', properties: {} } }] },
    ],
    ["'tools[0].container'", { tools: [{ type: 'code_interpreter' }] }],
    [
      "Supported values are: 'input_text'",
      { input: [{ ...user, content: [{ type: 'text', text: 'x' }] }] },
    ],
    ["Supported values are: 'output_text'", { input: [{ ...user, role: 'assistant' }] }],
    ["begins with 'fc'", { input: [{ ...call, id: 'call_1' }, result] }],
    ['maximum length 64', { input: [{ ...call, call_id: 'c'.repeat(65) }] }],
    ["'input[0].arguments'", { input: [{ ...call, arguments: {} }, result] }],
    ['No tool output found for function call c1', { input: [user, call] }],
    ['No tool call found for function call output with call_id c1', { input: [result] }],
    ['No tool call found', { input: [result, call] }],
    [
      'Duplicate item found with id msg_1',
      {
        input: [
          { ...user, id: 'msg_1' },
          { ...user, id: 'msg_1' },
        ],
      },
    ],
    ['Duplicate function call', { input: [call, result, call, result] }],
    ['Mutually exclusive', { previous_response_id: 'r', conversation: 'c' }],
  ])('refuses a request with the words: %s', async (words, body) => {
    await start([]);
    const refusal = await refusalOf(body);
    expect(refusal).toMatch(/^400 /);
    expect(refusal).toContain(words);
  });

  it('wants its thoughts back whole, in front of what they led to', async () => {
    const thought: Step = { kind: 'reasoning', summary: ['Hm.'] };
    const made: Step = { kind: 'tool-call', name: 'vote', arguments: {}, callId: 'c1' };
    await start([thought, made], [], []);
    const [reasoning = {}, followed = {}] = itemsOf((await send({})).text);
    const again = async (...items: readonly Json[]): Promise<string> =>
      refusalOf({ input: [user, ...items] });
    const without = "was provided without its required 'reasoning' item: 'rs_";
    expect(await again(followed, result)).toContain(without);
    const { id: _id, ...unnamed } = followed;
    expect((await send({ input: [user, unnamed, result] })).status).toBe(200);
    expect(await again(reasoning)).toContain('without its required following item');
    expect(await again(reasoning, user)).toContain('without its required following item');
    const { encrypted_content: _content, ...bare } = reasoning;
    expect(await again(bare, followed, result)).toMatch(/^404 Item with id 'rs_.*not persisted/);
    const damaged = { ...reasoning, encrypted_content: 'gAAAAx' };
    expect(await again(damaged, followed, result)).toContain('could not be verified');
    expect((await send({ input: [user, reasoning, followed, result] })).status).toBe(200);
  });

  it('counts events, closes with the whole output, and sends no end mark', async () => {
    await start([{ kind: 'text', text: 'Hi there.' }]);
    const { text } = await send({});
    const numbers = [...text.matchAll(/"sequence_number":(\d+)/g)].map(([, no]) => Number(no));
    expect(numbers).toEqual(numbers.map((_no, i) => i));
    expect(text).toMatch(/event: response\.completed\ndata: .*"output":\[\{"type":"message"/);
    expect(text).not.toContain('[DONE]');
  });

  it('takes a key in the way of its dialect', async () => {
    service = await startFakeResponses({ models: {}, apiKeys: ['k'], dialect: 'azure' });
    const ask = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${service?.baseUrl ?? ''}/openai/v1/models`, { headers })).status;
    expect(await ask({ 'api-key': 'k' })).toBe(200);
    expect(await ask({ 'api-key': 'x' })).toBe(401);
    expect(await ask({})).toBe(401);
  });
});
