// All services of models at once, each for all models of a list; they say the same word to everybody.
import { join } from 'node:path';
import type { BackendSettings } from '../../src/core/ports/backend-kind';
import { startFakeAnthropic } from './fake-anthropic/fake-anthropic';
import { rulesOf } from './fake-anthropic/model-rules';
import { startFakeGemini } from './fake-gemini/fake-gemini';
import { startFakeModelService } from './fake-model-service/fake-model-service';
import { startFakeResponses } from './fake-responses/fake-responses';

export interface FakeServices {
  /** The same settings at the fake of their protocol, or with a scripted program. */
  redirect(settings: BackendSettings): BackendSettings;
  close(): Promise<void>;
}

/** In the place of models that the service has no more. */
const currentClaude = 'claude-sonnet-5';

const word = { kind: 'text', text: 'Hello.' } as const;
const answer = { steps: [word] } as const;
const mostRequests = 2000;

/** The variable that holds the key of all of them. */
export const keyOfFakes = 'KEY_OF_FAKES';

export async function startFakeServices(models: readonly string[]): Promise<FakeServices> {
  const answers = Array.from({ length: mostRequests }, () => answer);
  const all = Object.fromEntries(models.map((model) => [model, answers]));
  const chatModels = Object.fromEntries(models.map((model) => [model, { answers }]));
  const chat = await startFakeModelService({ models: chatModels });
  const open = await startFakeModelService({
    models: chatModels,
    furtherParameters: ['chat_template_kwargs', 'top_k', 'repetition_penalty'],
  });
  const claude = await startFakeAnthropic({ models: { ...all, [currentClaude]: answers } });
  const gemini = await startFakeGemini({ models: all });
  const openai = await startFakeResponses({ models: all });
  const xai = await startFakeResponses({ models: all, dialect: 'xai' });
  const azure = await startFakeResponses({ models: all, dialect: 'azure' });
  const addresses: Readonly<Record<string, string>> = {
    ...{ claude: claude.baseUrl, gemini: gemini.baseUrl, openai: openai.baseUrl },
    ...{ grok: xai.baseUrl, vllm: open.baseUrl, sglang: open.baseUrl, lmstudio: open.baseUrl },
  };
  return {
    redirect: (settings) => {
      const { type, options } = settings;
      if (type === 'claude_code') {
        return { ...settings, apiKeyName: keyOfFakes, options: { ...options, command: program } };
      }
      const model =
        type === 'claude' && rulesOf(settings.model) === undefined ? currentClaude : settings.model;
      const address =
        type === 'azure_openai'
          ? { azure_endpoint: azure.baseUrl }
          : { base_url: addresses[type] ?? chat.baseUrl };
      return { ...settings, model, apiKeyName: keyOfFakes, options: { ...options, ...address } };
    },
    async close(): Promise<void> {
      const services = [chat, open, claude, gemini, openai, xai, azure];
      await Promise.all(services.map((service) => service.close()));
    },
  };
}

const program = [
  process.execPath,
  join(import.meta.dirname, 'scripted-programs/claude.mjs'),
  JSON.stringify([[{ say: word.text }, { hang: null }]]),
];
