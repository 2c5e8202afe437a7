// Each of the four protocols twice: the bare client of its service, and our adapter over the same client.
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai/web';
import OpenAI from 'openai';
import { chatCompletionKind } from '../../src/backends/chatcompletion/index';
import { claudeKind } from '../../src/backends/claude/index';
import { geminiKind } from '../../src/backends/gemini/index';
import { openAiKind } from '../../src/backends/responses/index';
import type { ModelKind } from '../../src/core/ports/backend-kind';
import type { BackendPart, ModelRequest } from '../../src/core/ports/model-backend';
import { startFakeAnthropic } from '../../test/support/fake-anthropic/fake-anthropic';
import { startFakeGemini } from '../../test/support/fake-gemini/fake-gemini';
import { startFakeModelService } from '../../test/support/fake-model-service/fake-model-service';
import { startFakeResponses } from '../../test/support/fake-responses/fake-responses';
import { realClock } from '../../test/support/real-clock';
import { silentLogger } from './project-on-disk';

/** A service with both ways to it. Each call asks for one answer and resolves when it has come whole. */
export interface Peer {
  bare(): Promise<void>;
  /** `onPart` is called for each part of the answer with its type. */
  ours(onPart?: (type: BackendPart['type']) => void): Promise<void>;
  close(): Promise<void>;
}

/** Opens a service that answers so many times with these pieces of text. */
export type OpenPeer = (pieces: readonly string[], answers: number) => Promise<Peer>;

const apiKey = 'key-1';
const prompt = 'Hi';

export const peers: Readonly<Record<string, OpenPeer>> = {
  'chat-completions': async (pieces, answers) => {
    const model = 'model-x';
    const script = { models: { [model]: { answers: repeated(pieces, answers) } } };
    const service = await startFakeModelService(script);
    const client = new OpenAI({ baseURL: service.baseUrl, apiKey, maxRetries: 0 });
    const bare = async (): Promise<void> =>
      readAll(
        await client.chat.completions.create({
          ...{ model, stream: true, stream_options: { include_usage: true } },
          messages: [{ role: 'user', content: prompt }],
        }),
      );
    return peer(service, bare, [chatCompletionKind, model]);
  },
  responses: async (pieces, answers) => {
    const model = 'gpt-5';
    const service = await startFakeResponses({ models: { [model]: repeated(pieces, answers) } });
    const client = new OpenAI({ baseURL: service.baseUrl, apiKey, maxRetries: 0 });
    const bare = async (): Promise<void> =>
      readAll(await client.responses.create({ model, input: prompt, stream: true, store: false }));
    return peer(service, bare, [openAiKind, model]);
  },
  anthropic: async (pieces, answers) => {
    const model = 'claude-haiku-5-5';
    const service = await startFakeAnthropic({ models: { [model]: repeated(pieces, answers) } });
    const client = new Anthropic({ baseURL: service.baseUrl, apiKey, maxRetries: 0 });
    const bare = async (): Promise<void> =>
      readAll(
        await client.messages.create({
          ...{ model, stream: true, max_tokens: 32_000 },
          messages: [{ role: 'user', content: prompt }],
        }),
      );
    return peer(service, bare, [claudeKind, model]);
  },
  gemini: async (pieces, answers) => {
    const model = 'gemini-3.8-flash';
    const service = await startFakeGemini({ models: { [model]: repeated(pieces, answers) } });
    const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: service.baseUrl } });
    const bare = async (): Promise<void> =>
      readAll(await client.models.generateContentStream({ model, contents: prompt }));
    return peer(service, bare, [geminiKind, model]);
  },
};

interface Service {
  readonly baseUrl: string;
  close(): Promise<void>;
}

function repeated(
  pieces: readonly string[],
  answers: number,
): readonly {
  readonly steps: readonly [{ kind: 'text'; text: string; pieces: readonly string[] }];
}[] {
  const text = pieces.join('');
  return Array.from({ length: answers }, () => ({ steps: [{ kind: 'text', text, pieces }] }));
}

async function peer(
  service: Service,
  bare: () => Promise<void>,
  [kind, model]: readonly [ModelKind, string],
): Promise<Peer> {
  const { signal } = new AbortController();
  const backend = await kind.create(
    {
      ...{ type: kind.type, model, apiKeyName: 'K' },
      options: { base_url: service.baseUrl },
    },
    { clock: realClock, logger: silentLogger, secrets: { get: async () => apiKey } },
    signal,
  );
  return {
    bare,
    async ours(onPart) {
      for await (const part of backend.stream(request, signal)) {
        onPart?.(part.type);
        if (part.type === 'end' && part.reason !== 'stop') {
          throw new Error('error' in part ? part.error.message : part.reason);
        }
      }
    },
    async close() {
      await backend.close();
      await service.close();
    },
  };
}

const request: ModelRequest = {
  step: { attempt: 1, slot: 1, turnNo: 1, call: 1 },
  ...{ task: prompt, system: '', tools: [], maxOutputTokens: undefined },
  messages: [{ role: 'user', text: prompt }],
};

async function readAll(stream: AsyncIterable<unknown>): Promise<void> {
  const iterator = stream[Symbol.asyncIterator]();
  for (let next = await iterator.next(); next.done !== true;) {
    next = await iterator.next();
  }
}
