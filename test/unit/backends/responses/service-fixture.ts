import { createAzureKind, grokKind, openAiKind } from '../../../../src/backends/responses/index';
import { itemsIn } from '../../../../src/backends/responses/service';
import type { HostedToolName, OptionValue } from '../../../../src/core/ports/backend-kind';
import type { Clock } from '../../../../src/core/ports/clock';
import type {
  BackendPart,
  ModelBackend,
  ModelRequest,
} from '../../../../src/core/ports/model-backend';
import { collect, requestOf, servicesWith, systemClock } from '../../../contract/backend-kit';
import {
  type FakeResponses,
  startFakeResponses,
} from '../../../support/fake-responses/fake-responses';
import type { ScriptedAnswer, ServiceScript, Step } from '../../../support/fake-responses/script';

const opened: { close(): Promise<void> }[] = [];

/** Ends everything that `serve` and `openBackend` began; for `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const one of opened.splice(0).reverse()) {
    await one.close();
  }
}

const kinds = { openai: openAiKind, grok: grokKind, azure_openai: createAzureKind({}) };

export interface Asking {
  readonly type?: keyof typeof kinds;
  readonly model?: string;
  readonly options?: Readonly<Record<string, OptionValue>>;
  readonly hostedTools?: readonly HostedToolName[];
  readonly clock?: Clock;
}

export async function serve(
  answers: readonly (ScriptedAnswer | readonly Step[])[],
  { models, ...options }: Partial<ServiceScript> & { readonly model?: string } = {},
): Promise<FakeResponses> {
  const scripted = answers.map((answer) => (isSteps(answer) ? { steps: answer } : answer));
  const service = await startFakeResponses({
    models: models ?? { [options.model ?? 'gpt-5']: scripted },
    ...options,
  });
  opened.push(service);
  return service;
}

export async function openBackend(
  { baseUrl }: Pick<FakeResponses, 'baseUrl'>,
  { type = 'openai', model = 'gpt-5', options = {}, hostedTools, clock }: Asking = {},
): Promise<ModelBackend> {
  const backend = await kinds[type].create(
    {
      ...{ type, model, apiKeyName: 'TEST_KEY', options: { base_url: baseUrl, ...options } },
      ...(hostedTools === undefined ? {} : { hostedTools }),
    },
    servicesWith({ TEST_KEY: 'key-secret-1' }, clock ?? systemClock),
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
  answer: ScriptedAnswer | readonly Step[],
  options: Partial<ServiceScript> = {},
): Promise<BackendPart[]> {
  return ask(await openBackend(await serve([answer], options)));
}

/** The body of the newest request. */
export function lastBody(service: FakeResponses): Readonly<Record<string, unknown>> {
  const body = service.journal.at(-1)?.body;
  if (typeof body !== 'object' || body === null) {
    throw new Error('no request has come');
  }
  return { ...body };
}

export function inputOf(service: FakeResponses): readonly Readonly<Record<string, unknown>>[] {
  const { input } = lastBody(service);
  return itemsIn(input);
}

export function noticesOf(parts: readonly BackendPart[]): readonly string[] {
  return parts.flatMap((part) => (part.type === 'notice' ? [part.message] : []));
}

function isSteps(answer: ScriptedAnswer | readonly Step[]): answer is readonly Step[] {
  return Array.isArray(answer);
}
