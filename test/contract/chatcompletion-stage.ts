import { chatCompletionKind } from '../../src/backends/chatcompletion/index';
import { startFakeModelService } from '../support/fake-model-service/fake-model-service';
import type { ScriptedAnswer } from '../support/fake-model-service/script';
import { type BackendStage, type Situation, expected, servicesWith } from './backend-kit';

const call = (wanted: { readonly name: string; readonly argumentsJson: string }, pieces: number) =>
  ({ kind: 'tool-call', name: wanted.name, arguments: wanted.argumentsJson, pieces }) as const;

const answers: Readonly<Record<Situation, ScriptedAnswer>> = {
  text: { steps: [{ kind: 'text', text: expected.text }] },
  'tool-call': { steps: [call(expected.call, 4)] },
  'parallel-tool-calls': { steps: [call(expected.call, 3), call(expected.secondCall, 2)] },
  empty: { steps: [] },
  'hang-first': { steps: [{ kind: 'hang' }] },
  'hang-middle': { steps: [{ kind: 'text', text: expected.firstWords }, { kind: 'hang' }] },
  'rate-limit': {
    status: 429,
    headers: { 'retry-after': '7' },
    body: { error: { message: 'Slow down.', type: 'requests', param: null, code: null } },
  },
  overload: {
    status: 503,
    body: { error: { message: 'Too busy.', type: 'server_error', param: null, code: null } },
  },
  'broken-stream': {
    steps: [
      { kind: 'text', text: expected.firstWords },
      { kind: 'raw', text: 'data: {"choices": [\n\n' },
    ],
  },
  unicode: {
    steps: [
      { kind: 'split-bytes', bytes: 1 },
      { kind: 'text', text: expected.unicode },
    ],
  },
};

/** The `chatcompletion` adapter against the fake service. */
export const stageChatCompletion: BackendStage = async (situation) => {
  const service = await startFakeModelService({
    models: { 'model-x': { answers: [answers[situation]] } },
    apiKeys: ['key-1'],
  });
  const backend = await chatCompletionKind.create(
    {
      type: 'chatcompletion',
      model: 'model-x',
      apiKeyName: 'TEST_KEY',
      options: { base_url: service.baseUrl },
    },
    servicesWith({ TEST_KEY: 'key-1' }),
    new AbortController().signal,
  );
  return {
    backend,
    async close() {
      await backend.close();
      await service.close();
    },
  };
};
