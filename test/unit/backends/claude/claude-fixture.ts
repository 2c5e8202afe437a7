import { claudeKind } from '../../../../src/backends/claude/index';
import type { BackendSettings, OptionValue } from '../../../../src/core/ports/backend-kind';
import type { Clock } from '../../../../src/core/ports/clock';
import type {
  BackendPart,
  ModelBackend,
  ModelRequest,
} from '../../../../src/core/ports/model-backend';
import {
  collect,
  nextRequest,
  requestOf,
  servicesWith,
  systemClock,
} from '../../../contract/backend-kit';
import {
  type FakeAnthropic,
  startFakeAnthropic,
} from '../../../support/fake-anthropic/fake-anthropic';
import type { AnthropicScript, ScriptedAnswer, Step } from '../../../support/fake-anthropic/script';

export const newest = 'claude-opus-5-5';
/** A model that thinks within a budget. */
export const early = 'claude-haiku-4-5';

const opened: { close(): Promise<void> }[] = [];

/** Ends everything that was begun here; for `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const one of opened.splice(0).reverse()) {
    await one.close();
  }
}

export async function serve(
  answers: readonly ScriptedAnswer[],
  options: Omit<AnthropicScript, 'models'> & { readonly model?: string } = {},
): Promise<FakeAnthropic> {
  const { model = newest, ...rest } = options;
  const service = await startFakeAnthropic({ models: { [model]: answers }, ...rest });
  opened.push(service);
  return service;
}

/** A service that gives the same answer to every request. */
export async function serveAlways(steps: readonly Step[], model = newest): Promise<FakeAnthropic> {
  return serve([{ steps, isRepeated: true }], { model });
}

export function settingsOf(
  baseUrl: string,
  overrides: Partial<BackendSettings> & {
    readonly options?: Readonly<Record<string, OptionValue>>;
  } = {},
): BackendSettings {
  return {
    ...{ type: 'claude', model: newest, apiKeyName: 'TEST_KEY' },
    ...overrides,
    options: { base_url: baseUrl, ...overrides.options },
  };
}

export async function openClaude(
  service: Pick<FakeAnthropic, 'baseUrl'>,
  overrides: Parameters<typeof settingsOf>[1] = {},
  clock: Clock = systemClock,
): Promise<ModelBackend> {
  const backend = await claudeKind.create(
    settingsOf(service.baseUrl, overrides),
    servicesWith({ TEST_KEY: 'key-secret-1' }, clock),
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
  request: Partial<ModelRequest> = {},
): Promise<BackendPart[]> {
  const service = await serve([isSteps(answer) ? { steps: answer } : answer]);
  return ask(await openClaude(service), request);
}

function isSteps(answer: ScriptedAnswer | readonly Step[]): answer is readonly Step[] {
  return Array.isArray(answer);
}

/**
 * Asks as often as there are changes, each time with the answer before and its results added, and then changed. Answers the
 * parts of all answers.
 */
export async function askInTurn(
  backend: ModelBackend,
  changes: readonly ((request: ModelRequest) => ModelRequest)[],
): Promise<readonly (readonly BackendPart[])[]> {
  const all: BackendPart[][] = [];
  let request = requestOf();
  for (const change of changes) {
    const last = all.at(-1);
    request = change(last === undefined ? request : nextRequest(request, last));
    all.push(await ask(backend, request));
  }
  return all;
}

export const unchanged = (request: ModelRequest): ModelRequest => request;

type Json = Readonly<Record<string, unknown>>;

/** Bodies of all message requests of a service. */
export function bodiesOf(service: FakeAnthropic): readonly Json[] {
  return service.journal.filter(({ method }) => method === 'POST').map(({ body }) => asJson(body));
}

/** The content of every message of a body. */
export function contentsOf(body: Json | undefined): readonly (readonly Json[])[] {
  return listOf(body?.['messages']).map((message) =>
    listOf(asJson(message)['content']).map(asJson),
  );
}

export function asJson(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`not an object: ${JSON.stringify(value)}`);
  }
  return Object.fromEntries(Object.entries(value));
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function noticesOf(parts: readonly BackendPart[]): readonly string[] {
  return parts.flatMap((part) => (part.type === 'notice' ? [part.message] : []));
}
