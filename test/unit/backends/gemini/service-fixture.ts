import { expect } from 'vitest';
import { geminiKind } from '../../../../src/backends/gemini/index';
import type { HostedToolName, OptionValue } from '../../../../src/core/ports/backend-kind';
import type {
  BackendPart,
  ModelBackend,
  ModelRequest,
} from '../../../../src/core/ports/model-backend';
import { collect, requestOf, servicesWith } from '../../../contract/backend-kit';
import { type FakeGemini, startFakeGemini } from '../../../support/fake-gemini/fake-gemini';
import type { GeminiScript, ScriptedAnswer, Step } from '../../../support/fake-gemini/script';

const opened: { close(): Promise<void> }[] = [];

/** Ends everything that `serve` and `openBackend` began; for `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const one of opened.splice(0).reverse()) {
    await one.close();
  }
}

export async function serve(
  answers: readonly ScriptedAnswer[],
  options: Omit<GeminiScript, 'models'> & { readonly model?: string } = {},
): Promise<FakeGemini> {
  const { model = usualModel, ...script } = options;
  const service = await startFakeGemini({ models: { [model]: answers }, ...script });
  opened.push(service);
  return service;
}

export const usualModel = 'gemini-3.8-flash';

export async function openBackend(
  baseUrl: string,
  options: Readonly<Record<string, OptionValue>> = {},
  more: { readonly model?: string; readonly hostedTools?: readonly HostedToolName[] } = {},
): Promise<ModelBackend> {
  const { model = usualModel, hostedTools = [] } = more;
  const backend = await geminiKind.create(
    {
      ...{ type: 'gemini', model, apiKeyName: 'TEST_KEY', hostedTools },
      options: { base_url: baseUrl, ...options },
    },
    servicesWith({ TEST_KEY: 'key-secret-1' }),
    new AbortController().signal,
  );
  opened.push(backend);
  return backend;
}

export async function ask(
  backend: ModelBackend,
  request: Partial<ModelRequest> = {},
): Promise<BackendPart[]> {
  return collect(backend.stream(requestOf(request), new AbortController().signal));
}

/** All parts of one request that is answered like this. */
export async function answerOf(
  answers: readonly ScriptedAnswer[],
  request: Partial<ModelRequest> = {},
): Promise<BackendPart[]> {
  const service = await serve(answers);
  return ask(await openBackend(service.baseUrl), request);
}

/** Of one answer with these steps. */
export async function stepsOf(...steps: readonly Step[]): Promise<BackendPart[]> {
  return answerOf([{ steps }]);
}

export function containing(text: string): unknown {
  return expect.stringContaining(text);
}
