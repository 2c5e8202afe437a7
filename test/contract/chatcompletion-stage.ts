import { chatCompletionKind } from '../../src/backends/chatcompletion/index';
import { startFakeModelService } from '../support/fake-model-service/fake-model-service';
import type { ScriptedAnswer, Step } from '../support/fake-model-service/script';
import { type BackendStage, expected, servicesWith } from './backend-kit';
import { type Situation, isStatus, statusOf } from './situations';

const call = (wanted: { readonly name: string; readonly argumentsJson: string }, pieces: number) =>
  ({ kind: 'tool-call', name: wanted.name, arguments: wanted.argumentsJson, pieces }) as const;
const firstWords: Step = { kind: 'text', text: expected.firstWords };
const wholeText: Step = { kind: 'text', text: expected.text };
const structured: Step = { kind: 'text', text: expected.structured };
const thinking: Step = { kind: 'thinking', text: expected.thinking };

function failed(
  status: number,
  type: string,
  code: string | null = null,
): Extract<ScriptedAnswer, { status: number }> {
  return {
    status,
    body: { error: { message: expected.said, type, param: null, code } },
  };
}

const answers: Readonly<Partial<Record<Situation, readonly Step[]>>> = {
  text: [wholeText],
  thinking: [thinking, wholeText],
  'tool-call': [call(expected.call, 4)],
  'parallel-tool-calls': [call(expected.call, 3), call(expected.secondCall, 2)],
  empty: [],
  unicode: [
    { kind: 'split-bytes', bytes: 1 },
    { kind: 'text', text: expected.unicode },
  ],
  'split-arguments': [{ kind: 'split-bytes', bytes: 1 }, call(expected.unicodeCall, 100)],
  'hang-first': [{ kind: 'hang' }],
  'hang-middle': [firstWords, { kind: 'hang' }],
  stall: [firstWords, { kind: 'hang' }],
  'hang-call': [
    firstWords,
    callPiece({ id: 'call_1', name: expected.call.name, arguments: '{"pa' }),
    { kind: 'hang' },
  ],
  'error-in-stream': [
    firstWords,
    { kind: 'error', error: { message: expected.said, type: 'server_error', code: null } },
  ],
  disconnect: [firstWords, { kind: 'cut' }],
  'early-end': [firstWords, { kind: 'end-early' }],
  'broken-stream': [firstWords, { kind: 'raw', text: 'data: {"choices": [\n\n' }],
  truncation: [firstWords, { kind: 'finish', reason: 'length' }],
  'truncated-call': [
    call(expected.call, 2),
    callPiece({ index: 1, id: 'call_2', name: expected.secondCall.name, arguments: '{"pa' }),
    { kind: 'finish', reason: 'length' },
  ],
  refusal: [chunk({ refusal: expected.firstWords }), { kind: 'finish', reason: 'stop' }],
  'content-filter': [firstWords, { kind: 'finish', reason: 'content_filter' }],
  'malformed-arguments': [
    call({ ...expected.call, argumentsJson: expected.malformedArguments }, 3),
  ],
  'unknown-fields': [
    { kind: 'raw', text: 'event: weather\ndata: {"object":"weather","sunny":true}\n\n' },
    { kind: 'empty-choices' },
    chunk({ role: 'assistant', content: null, mood: { level: 3 }, tool_calls: null }),
    wholeText,
  ],
  images: [wholeText],
  usage: [
    wholeText,
    {
      kind: 'usage',
      usage: {
        ...{ prompt_tokens: 1200, completion_tokens: 50, total_tokens: 1250 },
        prompt_tokens_details: { cached_tokens: 800 },
        completion_tokens_details: { reasoning_tokens: 20 },
      },
    },
  ],
  'long-tool-name': [call({ ...expected.call, name: expected.longName }, 2)],
  schemas: [wholeText],
  structured: [structured],
  'structured-cut': [
    { kind: 'text', text: expected.cutStructured },
    { kind: 'finish', reason: 'length' },
  ],
};

function chunk(delta: Readonly<Record<string, unknown>>): Step {
  return { kind: 'chunk', data: { choices: [{ index: 0, delta, finish_reason: null }] } };
}

function callPiece(piece: {
  readonly index?: number;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}): Step {
  const { index = 0, id, name } = piece;
  const fn = { name, arguments: piece.arguments };
  return chunk({ tool_calls: [{ index, id, type: 'function', function: fn }] });
}

function answersTo(situation: Situation): readonly ScriptedAnswer[] {
  if (isStatus(situation)) {
    return [failed(statusOf(situation), 'error')];
  }
  if (situation === 'retry-after') {
    const refused = failed(429, 'requests', 'rate_limit_exceeded');
    return [{ ...refused, headers: { 'retry-after': '7' } }];
  }
  if (situation === 'context-overflow') {
    return [failed(400, 'invalid_request_error', 'context_length_exceeded')];
  }
  if (situation === 'structured-refused') {
    // As most services do, without the name of a parameter.
    const asked = { steps: [structured] };
    return [failed(400, 'invalid_request_error'), asked, asked];
  }
  if (situation === 'thinking-kept') {
    return [{ steps: [thinking, call(expected.call, 2)] }, { steps: [wholeText] }];
  }
  return [{ steps: answers[situation] ?? [] }];
}

/** The `chatcompletion` adapter against the fake service. */
export const stageChatCompletion: BackendStage = {
  cannot: {},
  async open(situation, clock) {
    const service = await startFakeModelService({
      models: { 'model-x': { answers: answersTo(situation) } },
      apiKeys: ['key-1'],
      wantsReasoning: situation === 'thinking-kept',
    });
    const backend = await chatCompletionKind.create(
      {
        type: 'chatcompletion',
        model: 'model-x',
        apiKeyName: 'TEST_KEY',
        options: { base_url: service.baseUrl, takes_images: true },
      },
      servicesWith({ TEST_KEY: 'key-1' }, clock),
      new AbortController().signal,
    );
    return {
      backend,
      requests: () => service.journal.map((entry) => entry.body),
      left: () => service.settled(),
      async close() {
        await backend.close();
        await service.close();
      },
    };
  },
};
