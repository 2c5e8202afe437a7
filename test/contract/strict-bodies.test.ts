// What a strict reader of JSON refuses must never be sent, wherever in a conversation it stands; and a service that has
// said everything is not waited for.
import { createServer } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatCompletionKind } from '../../src/backends/chatcompletion/index';
import { claudeKind } from '../../src/backends/claude/index';
import { geminiKind } from '../../src/backends/gemini/index';
import { openAiKind } from '../../src/backends/responses/index';
import type { Clock } from '../../src/core/ports/clock';
import type { ModelKind } from '../../src/core/ports/backend-kind';
import type { BackendPart, ModelBackend, ModelRequest } from '../../src/core/ports/model-backend';
import { FakeClock } from '../support/fake-clock';
import {
  callsOf,
  collect,
  endOf,
  requestOf,
  servicesWith,
  systemClock,
  textOf,
} from './backend-kit';

const never = new AbortController().signal;

interface Protocol {
  readonly kind: ModelKind;
  readonly model: string;
  /** A whole answer, "Done." */
  readonly events: readonly object[];
}

const protocols: Readonly<Record<string, Protocol>> = {
  chatcompletion: {
    ...{ kind: chatCompletionKind, model: 'model-x' },
    events: [{ choices: [{ index: 0, delta: { content: 'Done.' }, finish_reason: 'stop' }] }],
  },
  claude: {
    ...{ kind: claudeKind, model: 'claude-opus-5-5' },
    events: [
      { type: 'message_start', message: { usage: { input_tokens: 1, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Done.' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
      { type: 'message_stop' },
    ],
  },
  gemini: {
    ...{ kind: geminiKind, model: 'gemini-3.8-flash' },
    events: [{ candidates: [{ content: { parts: [{ text: 'Done.' }] }, finishReason: 'STOP' }] }],
  },
  responses: {
    ...{ kind: openAiKind, model: 'gpt-5' },
    events: [
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Done.' },
      { type: 'response.completed', response: { status: 'completed', output: [] } },
    ],
  },
};

let bodies: string[] = [];
let events: readonly object[] = [];
let staysOpen = false;
let gone = (): void => undefined;
/** Answers everything with the events. */
const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    bodies.push(Buffer.concat(pieces).toString('utf8'));
    response.on('close', () => gone());
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    if (!staysOpen) {
      response.end();
    }
  });
});

let origin = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  origin = `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
});

async function open({ kind, model }: Protocol, clock: Clock): Promise<ModelBackend> {
  return kind.create(
    { type: kind.type, model, apiKeyName: 'KEY', options: { base_url: `${origin}/v1` } },
    servicesWith({ KEY: 'key-1' }, clock),
    never,
  );
}

const half = fc.constantFrom('\ud83d', '\ude00', 'a\ud83d', '\ude00b', '\\ud83d', '\\\ud83d', '😀');
const anyText = fc.array(fc.oneof(half, fc.string()), { maxLength: 5 }).map((all) => all.join(''));

/** A conversation with halves of characters anywhere in it. */
const anyRequest = fc
  .record({ system: anyText, said: anyText, called: anyText, result: anyText, about: anyText })
  .map(({ system, said, called, result, about }): ModelRequest => {
    const argumentsJson = JSON.stringify({ path: called });
    const toolCalls = [{ id: 'call_1', name: 'read_file', argumentsJson }];
    return requestOf({
      ...{ system, task: said },
      messages: [
        { role: 'user', text: said },
        { role: 'assistant', text: said, toolCalls },
        {
          role: 'tool',
          results: [
            { toolCallId: 'call_1', name: 'read_file', text: result, isError: result === '' },
          ],
        },
      ],
      tools: [
        {
          ...{ name: 'read_file', description: about },
          inputSchema: {
            type: 'object',
            properties: { path: { type: 'string', description: about, enum: [called] } },
          },
        },
      ],
    });
  });

describe.each(Object.entries(protocols))('a request of %s', (_name, protocol) => {
  it('has no half characters, and whole ones as they were said', async () => {
    const backend = await open(protocol, systemClock);
    ({ events } = protocol);
    await fc.assert(
      fc.asyncProperty(anyRequest, async (request) => {
        bodies = [];
        const parts = await collect(backend.stream(request, never));
        expect(endOf(parts).reason).toBe('stop');
        const [body = ''] = bodies;
        const texts = textsIn(JSON.parse(body));
        expect(texts.filter((text) => text !== whole(text))).toEqual([]);
        for (const said of saidIn(request)) {
          expect(texts.some((text) => text.includes(whole(said)))).toBe(true);
        }
      }),
      { numRuns: 60, seed: 4 },
    );
  });
});

describe.each(Object.entries(protocols))('an answer of %s', (_name, protocol) => {
  it('is over although the service keeps its stream open', async () => {
    staysOpen = true;
    const clock = new FakeClock();
    const backend = await open(protocol, clock);
    ({ events } = protocol);
    const left = new Promise<void>((resolve) => {
      gone = resolve;
    });
    const parts: BackendPart[] = [];
    for await (const part of backend.stream(requestOf(), never)) {
      parts.push(part);
      if (part.type === 'text-delta') {
        // Once it has heard the end it waits for counts, but not as long as it would for words.
        setImmediate(function wait() {
          clock.advance(1_000);
          if (clock.now() < 1_200_000 && endsIn(parts) === undefined) {
            setImmediate(wait);
          }
        });
      }
    }
    expect([textOf(parts), endOf(parts).reason, callsOf(parts)]).toEqual(['Done.', 'stop', []]);
    await left;
    expect(clock.pending).toBe(0);
  });
});

/** As UTF-8 has it. */
function whole(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Texts that are no mere space, of the user and of a tool. */
function saidIn({ messages }: ModelRequest): readonly string[] {
  return messages
    .flatMap((message) =>
      message.role === 'tool'
        ? message.results.map(({ text }) => text)
        : message.role === 'user'
          ? [message.text]
          : [],
    )
    .filter((text) => text.trim() !== '');
}

function endsIn(parts: readonly BackendPart[]): BackendPart | undefined {
  return parts.find(({ type }) => type === 'end');
}
