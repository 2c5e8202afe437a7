import * as assert from 'node:assert/strict';
import { suite, suiteSetup, test } from 'mocha';
import * as vscode from 'vscode';
import { isMassGenError, MassGenError } from '../../../src/core/errors';
import type { BackendServices } from '../../../src/core/ports/backend-kind';
import type { BackendPart, ChatMessage, ModelRequest } from '../../../src/core/ports/model-backend';
import { EditorModels, lineOf, proposeTeam } from '../../../src/extension/lm/editor-models';
import { createLmKind } from '../../../src/extension/lm/lm-kind';
import { type KnownModel, Memory } from '../../../src/extension/memory';
import { outputLogger } from '../../../src/extension/output-logger';
import { systemClock } from '../../../src/extension/system-clock';
import { MapMemento } from './map-memento';

const never = new AbortController().signal;

suite('language models of the editor', () => {
  suiteSetup(async () => {
    const provider = vscode.extensions.getExtension('massgen-tests.massgen-test-models');
    assert.ok(provider, 'the provider of the test models is not there');
    await provider.activate();
    await until(async () => (await vscode.lm.selectChatModels({ vendor })).length === 3);
  });

  test('three families make a team of three, one agent each', async () => {
    const models = await vscode.lm.selectChatModels({ vendor });
    const team = proposeTeam(models);
    assert.deepEqual(team.map(lineOf).sort(), ['alpha', 'beta', 'gamma']);
  });

  test('one family alone proposes no team, two fill the third place in turn', () => {
    const model = (id: string, family: string): KnownModel => ({ id, name: id, vendor, family });
    const same = [model('a', 'gpt-5'), model('b', 'gpt-4.1')];
    assert.deepEqual(proposeTeam(same), []);
    const two = proposeTeam([...same, model('c', 'claude-sonnet')]);
    assert.deepEqual(
      two.map(({ id }) => id),
      ['a', 'c', 'b'],
    );
  });

  test('text arrives in parts, with tokens as the model counts them', async () => {
    const parts = await collect(await open('alpha-1'), request('say Hello there'));
    const text = parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : []));
    assert.deepEqual(text, ['Hel', 'lo there']);
    const usage = parts.find((part) => part.type === 'usage');
    assert.equal(usage?.type === 'usage' ? usage.usage.outputTokens : undefined, 11);
    assert.deepEqual(parts.at(-1), { type: 'end', reason: 'stop' });
  });

  test('a tool call arrives whole and ends the response for the tool', async () => {
    const parts = await collect(await open('beta-1'), request('call read_file {"path":"a.ts"}'));
    const call = parts.find((part) => part.type === 'tool-call');
    assert.deepEqual(call?.type === 'tool-call' ? call.call : undefined, {
      id: 'call-1',
      name: 'read_file',
      argumentsJson: '{"path":"a.ts"}',
    });
    assert.deepEqual(parts.at(-1), { type: 'end', reason: 'tool-calls' });
  });

  test('a conversation with tools reaches the model in its own form', async () => {
    const messages: readonly ChatMessage[] = [
      { role: 'user', text: 'Look' },
      {
        role: 'assistant',
        text: 'I read.',
        toolCalls: [{ id: 't1', name: 'read_file', argumentsJson: '{"path":"a.ts"}' }],
      },
      {
        role: 'tool',
        results: [{ toolCallId: 't1', name: 'read_file', text: 'one', isError: false }],
      },
    ];
    const parts = await collect(await open('alpha-1'), { ...request(''), messages });
    const text = parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('');
    assert.deepEqual(JSON.parse(text), [
      { role: 'user', parts: [{ text: 'Be brief.' }] },
      { role: 'user', parts: [{ text: 'Look' }] },
      {
        role: 'assistant',
        parts: [{ text: 'I read.' }, { call: 't1', name: 'read_file', input: { path: 'a.ts' } }],
      },
      { role: 'user', parts: [{ result: 't1', text: 'one' }] },
    ]);
  });

  for (const [order, code, message] of [
    ['blocked', 'backend/no-permission', 'You ask too often.'],
    ['no-permission', 'backend/no-permission', 'You said no.'],
    ['not-found', 'backend/not-found', 'The model has gone.'],
    ['broken', 'backend/unavailable', 'The provider has a bad day.'],
  ] as const) {
    test(`the failure "${order}" is told in the words of the provider`, async () => {
      const end = (await collect(await open('gamma-1'), request(order))).at(-1);
      assert.ok(end?.type === 'end' && end.reason === 'error');
      assert.equal(end.error.code, code);
      assert.match(end.error.message, new RegExp(message));
    });
  }

  for (const [order, code, message] of [
    ['too-long', 'backend/context-overflow', 'prompt token count of 9000 exceeds'],
    ['empty', 'backend/bad-response', 'The model gave an empty answer.'],
    ['wrapped', 'backend/no-permission', 'It failed. (You ask too often.)'],
    ['quota', 'backend/no-permission', 'The plan is used up.'],
  ] as const) {
    test(`an end that the editor has no name for is told apart: ${order}`, async () => {
      const end = (await collect(await open('gamma-1'), request(order))).at(-1);
      assert.ok(end?.type === 'end' && end.reason === 'error');
      assert.equal(end.error.code, code);
      assert.ok(end.error.message.includes(message), end.error.message);
    });
  }

  test('a model that has come back as another object is found again, once', async () => {
    const parts = await collect(await open('gamma-1'), request('gone-once'));
    assert.deepEqual(
      parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : [])),
      ['back'],
    );
  });

  test('a call is demanded where one tool alone is offered', async () => {
    const one = request('mode');
    const other = { name: 'other', description: 'Reads.', inputSchema: { type: 'object' } };
    const two = { ...one, tools: [...one.tools, other] };
    const said = async (what: ModelRequest): Promise<string> =>
      (await collect(await open('alpha-1'), what))
        .map((part) => (part.type === 'text-delta' ? part.text : ''))
        .join('');
    assert.deepEqual([await said(one), await said(two)], ['required', 'auto']);
  });

  test('pictures reach models that can look at them, and others know that there are some', async () => {
    const [alpha, beta] = [await open('alpha-1'), await open('beta-1')];
    assert.deepEqual([alpha.capabilities.media, beta.capabilities.media], [['image'], undefined]);
    const media = [
      { kind: 'image', mediaType: 'image/png', name: 'a.png', base64: onePixel },
    ] as const;
    const messages: readonly ChatMessage[] = [
      { role: 'user', text: 'See', media },
      { role: 'user', text: 'Look' },
    ];
    const parts = await collect(alpha, { ...request(''), messages });
    assert.deepEqual(parts.at(-1), { type: 'end', reason: 'stop' });
    const text = parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('');
    const sent = JSON.parse(text) as readonly { readonly parts: unknown }[];
    assert.deepEqual(sent[1]?.parts, [{ text: 'See' }, { data: 'image/png' }]);
  });

  test('stopping ends a model that never answers', async () => {
    const controller = new AbortController();
    const backend = await open('alpha-1');
    const stream = collect(backend, request('hang'), controller.signal);
    controller.abort(new MassGenError('cancelled/user', 'Stopped.'));
    const end = (await stream).at(-1);
    assert.ok(end?.type === 'end' && end.reason === 'cancelled');
    assert.equal(end.error.code, 'cancelled/user');
  });

  test('a model that is not offered is named, and nothing is sent', async () => {
    await assert.rejects(open('delta-9'), (error) => {
      assert.ok(isMassGenError(error, 'backend/unavailable'));
      assert.match(error.message, /delta-9/);
      return true;
    });
  });

  test('a change of the models is followed only after the user chose them', async () => {
    const memory = new Memory(new MapMemento(), new MapMemento());
    const models = new EditorModels(memory);
    try {
      await vscode.commands.executeCommand('massgenTests.setEmpty', true);
      await until(async () => (await vscode.lm.selectChatModels({ vendor })).length === 0);
      assert.equal(memory.editorModels, undefined);
      await models.refresh();
      assert.deepEqual(
        models.known.filter((model) => model.vendor === vendor),
        [],
      );
      await vscode.commands.executeCommand('massgenTests.setEmpty', false);
      await until(async () => {
        await vscode.lm.selectChatModels({ vendor });
        return models.known.filter((model) => model.vendor === vendor).length === 3;
      });
    } finally {
      models.dispose();
    }
  });
});

const vendor = 'massgen-tests';

/** The editor itself looks into pictures, so it must be one. */
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const services: BackendServices = {
  secrets: { get: async () => undefined },
  clock: systemClock,
  logger: outputLogger(vscode.window.createOutputChannel('MassGen tests', { log: true })),
};

async function open(model: string): Promise<Awaited<ReturnType<typeof kind.create>>> {
  const settings = { type: 'vscode_lm', model, apiKeyName: undefined, options: { vendor } };
  return kind.create(settings, services, never);
}

const kind = createLmKind(() => []);

function request(text: string): ModelRequest {
  return {
    step: { attempt: 1, slot: 1, turnNo: 1, call: 1 },
    task: 'A test',
    system: 'Be brief.',
    messages: [{ role: 'user', text }],
    tools: [{ name: 'read_file', description: 'Reads.', inputSchema: { type: 'object' } }],
    maxOutputTokens: undefined,
  };
}

async function collect(
  backend: Awaited<ReturnType<typeof open>>,
  modelRequest: ModelRequest,
  signal: AbortSignal = never,
): Promise<BackendPart[]> {
  const parts: BackendPart[] = [];
  for await (const part of backend.stream(modelRequest, signal)) parts.push(part);
  return parts;
}

/** The editor tells about new models some time after they were registered. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
