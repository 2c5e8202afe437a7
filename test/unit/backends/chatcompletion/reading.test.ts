import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { ChunkReader } from '../../../../src/backends/chatcompletion/reader';
import { doneMark } from '../../../../src/backends/wire/read-answer';
import { ThinkTags } from '../../../../src/backends/chatcompletion/think-tags';
import { ToolNames } from '../../../../src/backends/wire/tool-names';
import type { BackendPart } from '../../../../src/core/ports/model-backend';
import { endOf, requestOf, textOf, thinkingOf } from '../../../contract/backend-kit';
import { answerOf, closeAll } from './service-fixture';

afterEach(closeAll);

function told(pieces: readonly string[]): { thinking: string; text: string } {
  const tags = new ThinkTags();
  const all = [...pieces.map((piece) => tags.push(piece)), tags.end()];
  return {
    thinking: all.map(({ thinking }) => thinking).join(''),
    text: all.map(({ text }) => text).join(''),
  };
}

describe('thinking between tags', () => {
  it.each([
    ['<think>Hm.</think>\n\nYes.', { thinking: 'Hm.', text: 'Yes.' }],
    ['\n<think>\nHm.</think>Yes.', { thinking: '\nHm.', text: 'Yes.' }],
    ['Use <think> here.', { thinking: '', text: 'Use <think> here.' }],
    ['<thin', { thinking: '', text: '<thin' }],
    ['<think>never closed </th', { thinking: 'never closed </th', text: '' }],
    ['<b>bold</b>', { thinking: '', text: '<b>bold</b>' }],
    ['', { thinking: '', text: '' }],
  ])('is told apart in %j', (whole, expected) => {
    expect(told([whole])).toEqual(expected);
  });

  it('does not depend on where the pieces are cut', () => {
    const words = fc.array(fc.constantFrom('<think>', '</think>', '<', '/think', ' a ', 'b'));
    fc.assert(
      fc.property(words, (pieces) => {
        expect(told(pieces)).toEqual(told(Array.from(pieces.join(''))));
      }),
      { seed: 11 },
    );
  });
});

function read(chunks: readonly unknown[], tellsCost = false): BackendPart[] {
  const reader = new ChunkReader({
    ...{ host: 'h', origin: 'o', request: requestOf(), names: new ToolNames([]), tellsCost },
    hasShortCallIds: false,
  });
  return [...chunks.flatMap((chunk) => reader.read(chunk)), ...reader.finish()];
}
const delta = (members: object, reason: string | null = null): object => ({
  choices: [{ index: 0, delta: members, finish_reason: reason }],
});

describe('what services do in their own way', () => {
  it('puts the pieces of thinking together that go back as one', () => {
    const parts = read([
      delta({
        reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'Per', signature: null }],
      }),
      delta({
        reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'haps', signature: 's' }],
      }),
      delta({ reasoning_details: [{ type: 'reasoning.encrypted', index: 1, data: 'x' }] }),
      delta({ content: 'Yes.' }, 'stop'),
    ]);
    expect(thinkingOf(parts)).toBe('Perhaps');
    expect(parts.find((part) => part.type === 'verbatim')?.verbatim).toMatchObject({
      origin: 'o',
      content: {
        reasoningDetails: [
          { type: 'reasoning.text', index: 0, text: 'Perhaps', signature: 's' },
          { type: 'reasoning.encrypted', index: 1, data: 'x' },
        ],
      },
    });
  });

  it('keeps marks on calls for the next request', () => {
    const mark = { google: { thought_signature: 'sig' } };
    const fn = { name: 'read_file', arguments: '{}' };
    const parts = read([
      delta({ tool_calls: [{ index: 0, id: 'a', function: fn, extra_content: mark }] }, 'stop'),
    ]);
    expect(endOf(parts).reason).toBe('tool-calls');
    expect(parts.find((part) => part.type === 'verbatim')?.verbatim.content).toMatchObject({
      marks: { a: mark },
    });
  });

  it('takes the cost from a service that tells it, and from no other', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 2, cost: 0.25 };
    const chunks = [delta({ content: 'x' }, 'stop'), { choices: [], usage }];
    expect(read(chunks, true)).toContainEqual(expect.objectContaining({ costUsd: 0.25 }));
    expect(JSON.stringify(read(chunks))).not.toContain('0.25');
  });

  it('reads content that is a list with thinking in it', () => {
    const parts = read([
      delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }),
      delta({ content: [{ type: 'text', text: 'Yes.' }] }, 'stop'),
    ]);
    expect([thinkingOf(parts), textOf(parts)]).toEqual(['Hm.', 'Yes.']);
  });

  it('does not let a second reason make a cut answer whole', () => {
    expect(endOf(read([delta({ content: 'x' }, 'length'), delta({}, 'stop')])).reason).toBe(
      'length',
    );
  });

  it('joins a name that comes in pieces', () => {
    const piece = (name: string): object =>
      delta({ tool_calls: [{ index: 0, id: 'a', function: { name } }] });
    const parts = read([piece('rea'), piece('d_f'), piece('ile'), delta({}, 'tool_calls')]);
    expect(parts.find((part) => part.type === 'tool-call')?.call).toMatchObject({
      name: 'read_file',
      argumentsJson: '{}',
    });
  });
});

const callOf = (args: string): object =>
  delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: args } }] });

describe('an answer without a reason for its end', () => {
  it.each([
    ['text', [delta({ content: 'Yes.' }), doneMark], 'stop'],
    ['a whole call', [callOf('{"a":1}'), doneMark], 'tool-calls'],
    ['text before a whole call', [delta({ content: 'So.' }), callOf('{}'), doneMark], 'tool-calls'],
    ['a call that is cut', [callOf('{"a":'), doneMark], 'error'],
    ['text before a call that is cut', [delta({ content: 'So.' }), callOf('{'), doneMark], 'error'],
    ['thoughts alone', [delta({ reasoning_content: 'Hm.' }), doneMark], 'error'],
    ['nothing', [doneMark], 'error'],
    ['text, and no word that it is done', [delta({ content: 'Yes.' })], 'error'],
    ['a call, and no word that it is done', [callOf('{"a":1}')], 'error'],
  ])('is whole only when the service says that it is done: %s', (_case, chunks, reason) => {
    const parts = read(chunks);
    expect(endOf(parts).reason).toBe(reason);
    expect(parts.filter(({ type }) => type === 'tool-call')).toHaveLength(
      reason === 'tool-calls' ? 1 : 0,
    );
  });
});

describe('refusals in words only', () => {
  it.each([
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
    'the request exceeds the available context size. try increasing it',
    'Prompt is too long.',
    'Context length exceeded',
  ])('%s is about the length', async (message) => {
    expect(
      endOf(await answerOf({ status: 400, body: { error: { message, code: 400 } } })),
    ).toMatchObject({
      error: { code: 'backend/context-overflow', retryable: false },
    });
  });

  it('of a call that the model wrote wrongly may be tried again', async () => {
    const error = { message: 'Failed to call a function.', code: 'tool_use_failed' };
    expect(endOf(await answerOf({ status: 400, body: { error } }))).toMatchObject({
      error: { code: 'backend/bad-response', retryable: true },
    });
  });

  it('passes on what the service behind a gateway has said', async () => {
    const error = {
      ...{ message: 'Provider returned error', code: 400 },
      metadata: { raw: 'Bad tool.', provider_name: 'x' },
    };
    const end = endOf(await answerOf({ status: 400, body: { error } }));
    expect('error' in end ? end.error.message : '').toContain('Provider returned error: Bad tool.');
  });
});
