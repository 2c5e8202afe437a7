import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatCompletionKind } from '../../../../src/backends/chatcompletion/index';
import { claudeKind } from '../../../../src/backends/claude/index';
import { geminiKind } from '../../../../src/backends/gemini/index';
import { openAiKind } from '../../../../src/backends/responses/index';
import type { ModelKind } from '../../../../src/core/ports/backend-kind';
import type { BackendPart } from '../../../../src/core/ports/model-backend';
import { collect, endOf, requestOf, servicesWith } from '../../../contract/backend-kit';
import { type RawService, startRawService } from '../../../support/raw-service';

const never = new AbortController().signal;

let service: RawService;

beforeAll(async () => {
  service = await startRawService();
});
afterAll(async () => {
  await service.close();
});

async function play(
  [kind, model]: readonly [ModelKind, string],
  events: readonly unknown[],
  isBroken: boolean,
): Promise<BackendPart[]> {
  const options = { base_url: `${service.origin}/v1` };
  const backend = await kind.create(
    { type: kind.type, model, apiKeyName: 'TEST_KEY', options },
    servicesWith({ TEST_KEY: 'key-1' }),
    never,
  );
  const texts = events.map((event) => `data: ${JSON.stringify(event)}\n\n`);
  service.answer([new TextEncoder().encode(texts.join(''))], isBroken);
  const parts = await collect(backend.stream(requestOf(), never));
  await backend.close();
  return parts;
}

const chat = [chatCompletionKind, 'model-x'] as const;
const claude = [claudeKind, 'claude-opus-5-5'] as const;
const gemini = [geminiKind, 'gemini-3.8-flash'] as const;
const responses = [openAiKind, 'gpt-5'] as const;

const chatUsage = { prompt_tokens: 40, completion_tokens: 2 };
const chatWords = { choices: [{ index: 0, delta: { content: 'Let me' } }], usage: chatUsage };
const claudeStart = {
  type: 'message_start',
  message: { usage: { input_tokens: 40, output_tokens: 2 } },
};
const claudeWords = [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Let me' } },
];
const geminiWords = {
  candidates: [{ content: { parts: [{ text: 'Let me' }] } }],
  usageMetadata: { promptTokenCount: 40, candidatesTokenCount: 2 },
};

describe.each([
  ['ends without a word', false, []],
  ['breaks', true, []],
  ['is given up with an error', false, [{ type: 'error', error: { message: 'Gone.' } }]],
] as const)('an answer that %s', (_how, isBroken, last) => {
  it.each([
    ['chatcompletion', chat, [chatWords]],
    ['claude', claude, [claudeStart, ...claudeWords]],
    ['claude before its first word', claude, [claudeStart]],
    ['gemini', gemini, [geminiWords]],
  ] as const)(
    'keeps what was counted so far, as the least it can be: %s',
    async (_, model, events) => {
      const parts = await play(model, [...events, ...last], isBroken);
      expect(endOf(parts).reason).toBe('error');
      expect(parts.filter(({ type }) => type === 'usage')).toEqual([
        { type: 'usage', usage: { inputTokens: 40, outputTokens: 2, isPartial: true } },
      ]);
    },
  );

  it('has no usage where none was told', async () => {
    const words = { type: 'response.output_text.delta', output_index: 0, delta: 'Let me' };
    const parts = await play(responses, [words, ...last], isBroken);
    expect(parts.map(({ type }) => type)).toEqual(['text-delta', 'end']);
  });
});

describe('usage that is final', () => {
  const stop = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const delta = { stop_reason: 'end_turn' };
  const counted = { type: 'message_delta', delta, usage: { output_tokens: 9 } };
  it.each([
    ['chatcompletion', chat, [chatWords, stop], 2],
    ['claude', claude, [claudeStart, ...claudeWords, counted], 9],
    ['gemini', gemini, [geminiWords, { candidates: [{ finishReason: 'STOP' }] }], 2],
  ] as const)(
    'is not called the least when only the farewell is missing: %s',
    async (_, model, events, outputTokens) => {
      const parts = await play(model, events, true);
      expect(parts.find(({ type }) => type === 'usage')).toEqual({
        type: 'usage',
        usage: { inputTokens: 40, outputTokens },
      });
    },
  );

  it('of a response that failed is told once', async () => {
    const usage = { input_tokens: 40, output_tokens: 2 };
    const response = { status: 'failed', error: { code: 'server_error', message: 'Gone.' }, usage };
    const parts = await play(responses, [{ type: 'response.failed', response }], false);
    expect(parts).toMatchObject([
      { type: 'usage', usage: { inputTokens: 40, outputTokens: 2 } },
      { type: 'end', reason: 'error' },
    ]);
  });
});
