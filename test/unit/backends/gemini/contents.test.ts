import { describe, expect, it } from 'vitest';
import { toContents } from '../../../../src/backends/gemini/contents';
import { lineOf } from '../../../../src/backends/gemini/model-line';
import { ToolNames } from '../../../../src/backends/wire/tool-names';
import type { ChatMessage, Media, ToolCallResult } from '../../../../src/core/ports/model-backend';

const origin = 'gemini host gemini-3.8-flash';
const dummy = 'skip_thought_signature_validator';

function contentsOf(messages: readonly ChatMessage[], model = 'gemini-3.8-flash'): unknown[] {
  return toContents(messages, { origin, line: lineOf(model), names: new ToolNames([]) });
}

const user: ChatMessage = { role: 'user', text: 'Hi' };
const hi = { role: 'user', parts: [{ text: 'Hi' }] };

function calling(...ids: readonly string[]): ChatMessage {
  const toolCalls = ids.map((id) => ({ id, name: `do_${id}`, argumentsJson: '{"n":1}' }));
  return { role: 'assistant', text: '', toolCalls };
}

function results(...ids: readonly string[]): ChatMessage {
  return { role: 'tool', results: ids.map((id) => result(id)) };
}

function result(id: string, more: Partial<ToolCallResult> = {}): ToolCallResult {
  return { toolCallId: id, name: `do_${id}`, text: `result ${id}`, isError: false, ...more };
}

function media(kind: Media['kind'], mediaType: string): Media {
  return { kind, mediaType, name: 'a', base64: 'QUJD' };
}

describe('a conversation', () => {
  it('has all results of one answer in one content, in the order of the calls', () => {
    const [, , answers] = contentsOf([user, calling('a', 'b'), results('b', 'a')]);
    expect(answers).toEqual({
      role: 'user',
      parts: [
        { functionResponse: { name: 'do_a', response: { output: 'result a' } } },
        { functionResponse: { name: 'do_b', response: { output: 'result b' } } },
      ],
    });
  });

  it('answers a call whose result is missing, and tells errors from results', () => {
    const failed: ChatMessage = { role: 'tool', results: [result('a', { isError: true })] };
    const [, , answers] = contentsOf([user, calling('a', 'b'), failed]);
    expect(answers).toMatchObject({
      parts: [
        { functionResponse: { response: { error: 'result a' } } },
        { functionResponse: { response: { error: 'There is no result.' } } },
      ],
    });
  });

  it('echoes the id of a call when the service gave one', () => {
    const parts = [
      { functionCall: { id: 'svc-1', name: 'do_a', args: {} }, thoughtSignature: 's' },
    ];
    const own: ChatMessage = {
      ...{ role: 'assistant', text: '', verbatim: { origin, content: { parts } } },
      toolCalls: [{ id: 'svc-1_2', name: 'do_a', argumentsJson: '{}' }],
    };
    const [, call, answer] = contentsOf([user, own, results('svc-1_2')]);
    expect(call).toEqual({ role: 'model', parts });
    expect(answer).toMatchObject({ parts: [{ functionResponse: { id: 'svc-1', name: 'do_a' } }] });
  });

  it('puts a user between two answers of the model, and before a first one', () => {
    const said: ChatMessage = { role: 'assistant', text: 'Yes.', toolCalls: [] };
    const contents = contentsOf([said, calling('a'), results('a')]);
    const goOn = { role: 'user', parts: [{ text: 'Go on.' }] };
    expect(contents[0]).toEqual(goOn);
    expect(contents[2]).toEqual(goOn);
    expect(contents).toHaveLength(5);
  });

  it('leaves an answer out that says nothing, and never sends an empty text', () => {
    const nothing: ChatMessage = { role: 'assistant', text: '', toolCalls: [] };
    expect(contentsOf([user, nothing, { role: 'user', text: ' ' }])).toEqual([
      hi,
      { role: 'user', parts: [{ text: '(empty)' }] },
    ]);
  });

  it.each([
    ['', {}],
    ['{"a":', { malformed: '{"a":' }],
    ['[1]', { malformed: '[1]' }],
  ])('sends the arguments %j as an object', (argumentsJson, args) => {
    const call: ChatMessage = {
      ...{ role: 'assistant', text: '' },
      toolCalls: [{ id: 'a', name: 'do_a', argumentsJson }],
    };
    expect(contentsOf([user, call])[1]).toMatchObject({ parts: [{ functionCall: { args } }] });
  });
});

describe('what another model wrote', () => {
  const foreign: ChatMessage = {
    ...{ role: 'assistant', text: 'Two calls.' },
    toolCalls: ['a', 'b'].map((id) => ({ id, name: `do_${id}`, argumentsJson: '{}' })),
    verbatim: { origin: 'gemini host gemini-4-neon', content: { parts: [{ text: 'x' }] } },
  };
  const text = { text: 'Two calls.' };
  const a = { functionCall: { name: 'do_a', args: {} } };
  const b = { functionCall: { name: 'do_b', args: {} } };

  it('goes by text and calls, the first with the sign that it is not its own', () => {
    const parts = [text, { ...a, thoughtSignature: dummy }, b];
    expect(contentsOf([user, foreign])[1]).toEqual({ role: 'model', parts });
  });

  it('carries no signature to a model that knows none', () => {
    const contents = contentsOf([user, foreign], 'gemini-2.5-pro');
    expect(contents[1]).toEqual({ role: 'model', parts: [text, a, b] });
  });

  it('stands for words of the model itself that do not hold the calls', () => {
    const torn: ChatMessage = { ...foreign, verbatim: { origin, content: { parts: [text] } } };
    expect(contentsOf([user, torn])[1]).toMatchObject({ parts: [text, a, b] });
  });
});

describe('pictures and documents', () => {
  const image = media('image', 'image/png');
  const sound = media('audio', 'audio/wav');
  const inline = { inlineData: { mimeType: 'image/png', data: 'QUJD' } };
  const withMedia: ChatMessage = {
    role: 'tool',
    results: [result('a', { media: [image, sound] })],
  };

  it('stand before the words of a user', () => {
    expect(contentsOf([{ role: 'user', text: 'Look.', media: [image] }])).toEqual([
      { role: 'user', parts: [inline, { text: 'Look.' }] },
    ]);
  });

  it('are part of a result where the model takes them there', () => {
    const [, , answer] = contentsOf([user, calling('a'), withMedia]);
    expect(answer).toMatchObject({
      parts: [
        { functionResponse: { name: 'do_a', parts: [inline] } },
        { inlineData: { mimeType: 'audio/wav', data: 'QUJD' } },
      ],
    });
  });

  it('are written out when they are text', () => {
    const note = media('document', 'text/markdown');
    const shown = { text: 'a:\n\nABC' };
    const results: ChatMessage = { role: 'tool', results: [result('a', { media: [note] })] };
    const conversation = [{ ...user, media: [note] }, calling('a'), results];
    const [asked, , answer] = contentsOf(conversation);
    expect(asked).toMatchObject({ parts: [shown, {}] });
    expect(answer).toMatchObject({ parts: [{ functionResponse: { name: 'do_a' } }, shown] });
  });

  it('follow the results for older models', () => {
    const [, , answer] = contentsOf([user, calling('a'), withMedia], 'gemini-2.5-flash');
    expect(answer).toMatchObject({
      parts: [
        { functionResponse: { name: 'do_a' } },
        inline,
        { inlineData: { mimeType: 'audio/wav', data: 'QUJD' } },
      ],
    });
  });
});
