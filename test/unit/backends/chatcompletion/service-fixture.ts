import { chatCompletionKind } from '../../../../src/backends/chatcompletion/index';
import type { Clock } from '../../../../src/core/ports/clock';
import type {
  BackendPart,
  ModelBackend,
  ModelRequest,
} from '../../../../src/core/ports/model-backend';
import { collect, requestOf, servicesWith, systemClock } from '../../../contract/backend-kit';
import {
  type FakeModelService,
  startFakeModelService,
} from '../../../support/fake-model-service/fake-model-service';
import type {
  ScriptedAnswer,
  ServiceScript,
  Step,
} from '../../../support/fake-model-service/script';

const opened: { close(): Promise<void> }[] = [];

/** Ends everything that `serve` and `openBackend` began; for `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const one of opened.splice(0).reverse()) {
    await one.close();
  }
}

export async function serve(
  answers: readonly ScriptedAnswer[],
  options: Omit<ServiceScript, 'models'> = {},
): Promise<FakeModelService> {
  const service = await startFakeModelService({ models: { 'model-x': { answers } }, ...options });
  opened.push(service);
  return service;
}

export async function openBackend(
  baseUrl: string,
  options: Readonly<Record<string, string | number | boolean>> = {},
  clock: Clock = systemClock,
): Promise<ModelBackend> {
  const backend = await chatCompletionKind.create(
    {
      type: 'chatcompletion',
      model: 'model-x',
      apiKeyName: 'TEST_KEY',
      options: { base_url: baseUrl, ...options },
    },
    servicesWith({ TEST_KEY: 'key-secret-1' }, clock),
    new AbortController().signal,
  );
  opened.push(backend);
  return backend;
}

/** All parts of one request that is answered like this. */
export async function answerOf(
  answer: ScriptedAnswer | readonly Step[],
  request: Partial<ModelRequest> = {},
): Promise<BackendPart[]> {
  const service = await serve([isSteps(answer) ? { steps: answer } : answer]);
  const backend = await openBackend(service.baseUrl);
  return collect(backend.stream(requestOf(request), new AbortController().signal));
}

function isSteps(answer: ScriptedAnswer | readonly Step[]): answer is readonly Step[] {
  return Array.isArray(answer);
}

export function callsOf(parts: readonly BackendPart[]): readonly unknown[] {
  return parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []));
}
