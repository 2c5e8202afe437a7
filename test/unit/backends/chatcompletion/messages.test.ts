import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Json, toMessages } from '../../../../src/backends/chatcompletion/messages';
import { chatServices } from '../../../../src/backends/chatcompletion/services';
import { ToolNames } from '../../../../src/backends/wire/tool-names';
import type { ChatMessage } from '../../../../src/core/ports/model-backend';
import { requestOf } from '../../../contract/backend-kit';

const anyText = fc.constantFrom('', ' ', '\n', 'Well.', 'Größe');
const anyArguments = fc.constantFrom('', ' ', '{}', '{"a":1}', '{"a', '[]', 'null', '"x"', '5');

/** An answer, and right after it the results of its calls; then perhaps words of the user, as when there is news. */
const anyRound = fc
  .record({ said: anyText, calls: fc.array(anyArguments, { maxLength: 3 }), news: fc.boolean() })
  .map(({ said, calls, news }) => (round: number): readonly ChatMessage[] => {
    const toolCalls = calls.map((argumentsJson, i) => ({
      ...{ id: `call_${round}_${i}`, name: 'read_file', argumentsJson },
    }));
    const results = toolCalls.map(({ id, name }) => ({
      ...{ toolCallId: id, name, text: '', isError: false },
    }));
    return [
      { role: 'assistant', text: said, toolCalls },
      ...(calls.length === 0 ? [] : [{ role: 'tool', results } as const]),
      ...(news || calls.length === 0 ? [{ role: 'user', text: 'News.' } as const] : []),
    ];
  });

const anyConversation = fc
  .array(anyRound, { maxLength: 5 })
  .map((rounds): readonly ChatMessage[] => [
    { role: 'user', text: 'Fix it.' },
    ...rounds.flatMap((round, i) => round(i)),
  ]);

function written(messages: readonly ChatMessage[], quirks = chatServices[0]?.quirks) {
  const request = requestOf({ messages });
  return toMessages(request, {
    quirks: quirks ?? { thinkingBack: 'never', effort: () => ({}) },
    ...{ origin: 'o', systemRole: 'system', takesImages: false, refused: new Set() },
    names: new ToolNames(request.tools),
  });
}

function argumentsIn(message: Json): readonly unknown[] {
  return [...JSON.stringify(message).matchAll(/"arguments":("(?:[^"\\]|\\.)*")/g)].map(
    ([, json = '']): unknown => JSON.parse(String(JSON.parse(json))),
  );
}

describe.each(chatServices.map((service) => [service.type, service] as const))(
  'a conversation with %s',
  (_type, { quirks }) => {
    it('has nothing empty, and objects as arguments, whatever a model has said', () => {
      fc.assert(
        fc.property(anyConversation, (messages) => {
          for (const message of written(messages, quirks)) {
            const { content } = message;
            const isFilled = typeof content === 'string' && content.trim() !== '';
            expect(isFilled || (content === null && 'tool_calls' in message)).toBe(true);
            for (const value of argumentsIn(message)) {
              expect(value).toBeTypeOf('object');
              expect([null, true]).not.toContain(Array.isArray(value) || value);
            }
          }
        }),
        { seed: 5 },
      );
    });

    it('has words of the user after results of tools only where they may stand there', () => {
      fc.assert(
        fc.property(anyConversation, (messages) => {
          const roles = written(messages, quirks).map(({ role }) => role);
          const follows = roles.some((role, i) => role === 'user' && roles[i - 1] === 'tool');
          const wanted = messages.some(
            ({ role }, i) => role === 'user' && messages[i - 1]?.role === 'tool',
          );
          const mayFollow = quirks.refusesUserAfterTool !== true;
          expect(follows).toBe(mayFollow && (wanted || follows));
          expect(roles.filter((role) => role === 'user')).toHaveLength(
            messages.filter(({ role }) => role === 'user').length,
          );
        }),
        { seed: 6 },
      );
    });
  },
);
