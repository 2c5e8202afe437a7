import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type FakeModelService,
  startFakeModelService,
} from '../../../support/fake-model-service/fake-model-service';
import type { ServiceScript } from '../../../support/fake-model-service/script';
import type { ServiceClock } from '../../../support/fake-model-service/service-clock';

let service: FakeModelService | undefined;

afterEach(async () => {
  await service?.close();
  service = undefined;
});

const tool = (name: string, parameters: unknown = { type: 'object', properties: {} }): unknown => ({
  type: 'function',
  function: { name, description: 'd', parameters },
});
const call = (id: string): unknown => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: '{}' },
});
const user = { role: 'user', content: 'Hi' };

async function ask(
  body: unknown,
  script: Partial<ServiceScript> = {},
  clock?: ServiceClock,
): Promise<Response> {
  const models = {
    m: { answers: [{ isRepeated: true, steps: [{ kind: 'text' as const, text: 'a b' }] }] },
  };
  service ??= await startFakeModelService({ models, ...script }, clock);
  return fetch(`${service.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer key-1' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

describe('a wrong request is refused as by the real service', () => {
  const base = { model: 'm', stream: true, messages: [user] };

  it.each([
    ['bad JSON', '{"model":'],
    ['a list as body', []],
    ['no model', { stream: true, messages: [user] }],
    ['an unknown parameter', { ...base, max_output: 5 }],
    ['no messages', { ...base, messages: [] }],
    ['an empty message', { ...base, messages: [{ role: 'user', content: '' }] }],
    ['an unknown role', { ...base, messages: [{ role: 'robot', content: 'x' }] }],
    ['an unknown member', { ...base, messages: [{ ...user, agent: 1 }] }],
    ['null content', { ...base, messages: [{ role: 'user', content: null }] }],
    [
      'a stray tool message',
      { ...base, messages: [{ role: 'tool', content: 'x', tool_call_id: 'a' }] },
    ],
    [
      'a call without a result',
      { ...base, messages: [user, { role: 'assistant', content: null, tool_calls: [call('a')] }] },
    ],
    [
      'a call with its result too late',
      {
        ...base,
        messages: [
          { role: 'assistant', content: null, tool_calls: [call('a')] },
          user,
          { role: 'tool', content: 'x', tool_call_id: 'a' },
        ],
      },
    ],
    [
      'two results of one call',
      {
        ...base,
        messages: [
          { role: 'assistant', content: null, tool_calls: [call('a')] },
          { role: 'tool', content: 'x', tool_call_id: 'a' },
          { role: 'tool', content: 'x', tool_call_id: 'a' },
        ],
      },
    ],
    [
      'two calls of one id',
      {
        ...base,
        messages: [{ role: 'assistant', content: '', tool_calls: [call('a'), call('a')] }],
      },
    ],
    [
      'no calls in a list',
      { ...base, messages: [{ role: 'assistant', content: '', tool_calls: [] }] },
    ],
    ['no tools in a list', { ...base, tools: [] }],
    ['one tool name twice', { ...base, tools: [tool('read'), tool('read')] }],
    ['a bad tool name', { ...base, tools: [tool('read file')] }],
    ['a schema that is no object', { ...base, tools: [tool('read', { type: 'string' })] }],
    [
      'an array without items',
      {
        ...base,
        tools: [tool('read', { type: 'object', properties: { x: { type: 'array' } } })],
      },
    ],
    [
      'a schema that names its dialect',
      { ...base, tools: [tool('r', { $schema: 'x', type: 'object' })] },
    ],
    ['a tool choice without tools', { ...base, tool_choice: 'auto' }],
    ['too much temperature', { ...base, temperature: 3 }],
    ['usage without a stream', { model: 'm', messages: [user], stream_options: {} }],
  ])('%s', async (_what, body) => {
    const response = await ask(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
    expect(service?.journal[0]?.outcome).toBe('refused');
  });

  it('a wrong key', async () => {
    const response = await ask(base, { apiKeys: ['key-2'] });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_api_key' } });
  });

  it('an unknown model', async () => {
    const response = await ask({ ...base, model: 'n' });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'model_not_found' } });
  });
});

describe('a right request', () => {
  const base = { model: 'm', stream: true, messages: [user] };

  it('is answered in the real framing', async () => {
    const response = await ask({ ...base, stream_options: { include_usage: true } });
    const blocks = (await response.text()).trimEnd().split('\n\n');
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(blocks.every((block) => block.startsWith('data: '))).toBe(true);
    expect(blocks.at(-1)).toBe('data: [DONE]');
    expect(blocks.at(-2)).toContain('"choices":[]');
    expect(blocks.at(-2)).toContain('"prompt_tokens"');
    expect(blocks.at(-3)).toContain('"finish_reason":"stop"');
  });

  it('gets the answer that is meant for it', async () => {
    const answers = [
      { when: { newContains: 'news' }, steps: [{ kind: 'text' as const, text: 'second' }] },
      {
        when: { lacks: 'news', withholdsTool: 'vote' },
        steps: [{ kind: 'text' as const, text: 'first' }],
      },
    ];
    const models = { m: { answers } };
    expect(await (await ask(base, { models })).text()).toContain('first');
    const later = {
      ...base,
      messages: [user, { role: 'assistant', content: 'x' }, { role: 'user', content: 'news' }],
    };
    expect(await (await ask(later)).text()).toContain('second');
    const third = await ask(later);
    expect(third.status).toBe(418);
  });

  it('is answered on time by absolute deadlines', async () => {
    const timers: { at: number; run: () => void }[] = [];
    let now = 5000;
    const clock: ServiceClock = {
      now: () => now,
      at(deadline, run) {
        timers.push({ at: deadline, run });
        queueMicrotask(() => {
          // Every timer fires late; deadlines must not move with it.
          now = Math.max(now, deadline) + 3;
          run();
        });
        return () => undefined;
      },
    };
    const latency = { firstChunkMs: 200, perChunkMs: 20 };
    const models = {
      m: { answers: [{ steps: [{ kind: 'text' as const, text: 'a b' }] }], latency },
    };
    await (await ask(base, { models }, clock)).text();
    expect(timers.map((timer) => timer.at)).toEqual([5200, 5220, 5240]);
    expect(service?.journal[0]).toMatchObject({ scheduledMs: 240, receivedAt: 5000 });
    expect(service?.journal[0]?.sentAt).toEqual([5203, 5223, 5243, 5243]);
  });
});

it('closes when an answer is due in the moment in which its connection breaks', async () => {
  const due: (() => void)[] = [];
  const clock: ServiceClock = {
    now: () => 0,
    at(_deadline, run) {
      due.push(run);
      return () => undefined;
    },
  };
  const models = {
    m: {
      answers: [{ steps: [{ kind: 'text' as const, text: 'late' }] }],
      latency: { firstChunkMs: 10, perChunkMs: 0 },
    },
  };
  const body = { model: 'm', stream: true, messages: [user] };
  const response = await ask(body, { models }, clock);
  const closed = service?.close();
  due.forEach((run) => run());
  await closed;
  expect(due).toHaveLength(1);
  expect(service?.journal.map(({ outcome }) => outcome)).toEqual(['client-closed']);
  await expect(response.text()).rejects.toThrow();
});

it('runs as a process of its own', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'massgen-fake-'));
  try {
    await build({
      entryPoints: ['test/support/fake-model-service/main.ts'],
      bundle: true,
      format: 'esm',
      platform: 'node',
      outfile: join(dir, 'main.mjs'),
      logLevel: 'silent',
    });
    const script = {
      models: { m: { answers: [{ steps: [{ kind: 'text', text: 'from afar' }] }] } },
    };
    await writeFile(join(dir, 'script.json'), JSON.stringify(script));
    const child = spawn(process.execPath, [join(dir, 'main.mjs'), join(dir, 'script.json')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const exit = once(child, 'exit');
    const line = String(await once(createInterface(child.stdout), 'line'));
    const [baseUrl, journalUrl] = line.match(/http:[^"]+/g) ?? [];
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', stream: true, messages: [user] }),
    });
    expect(await response.text()).toContain('from');
    expect(await (await fetch(journalUrl ?? '')).json()).toMatchObject([{ model: 'm', no: 1 }]);
    child.stdin.end();
    expect(await exit).toEqual([0, null]);
  } finally {
    await rm(dir, { recursive: true });
  }
});
