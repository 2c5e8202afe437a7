import { claudeKind } from '../../src/backends/claude/index';
import { startFakeAnthropic } from '../support/fake-anthropic/fake-anthropic';
import type { ScriptedAnswer, Step } from '../support/fake-anthropic/script';
import { type BackendStage, expected, servicesWith } from './backend-kit';
import { type Situation, isStatus, statusOf } from './situations';

const call = (wanted: { readonly name: string; readonly argumentsJson: string }, pieces: number) =>
  ({ kind: 'tool-call', name: wanted.name, arguments: wanted.argumentsJson, pieces }) as const;
const firstWords: Step = { kind: 'text', text: expected.firstWords };
const wholeText: Step = { kind: 'text', text: expected.text };
const structured: Step = { kind: 'text', text: expected.structured };
const thinking: Step = { kind: 'thinking', text: expected.thinking };
const cutCall: Step = {
  ...{ kind: 'tool-call', name: expected.secondCall.name },
  ...{ arguments: '{"pa', isCut: true },
};

const typeOfStatus: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
};

function failed(
  status: number,
  type: string,
  message: string = expected.said,
): Extract<ScriptedAnswer, { status: number }> {
  return { status, body: { type: 'error', error: { type, message }, request_id: 'req_1' } };
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
  'hang-call': [firstWords, cutCall, { kind: 'hang' }],
  'error-in-stream': [
    firstWords,
    { kind: 'error', error: { type: 'overloaded_error', message: expected.said } },
  ],
  disconnect: [firstWords, { kind: 'cut' }],
  'early-end': [firstWords, { kind: 'end-early' }],
  'broken-stream': [
    firstWords,
    { kind: 'raw', text: 'event: content_block_delta\ndata: {"type": "content\n\n' },
    { kind: 'end-early' },
  ],
  truncation: [firstWords, { kind: 'stop', reason: 'max_tokens' }],
  'truncated-call': [call(expected.call, 2), cutCall, { kind: 'stop', reason: 'max_tokens' }],
  refusal: [
    firstWords,
    { kind: 'stop', reason: 'refusal', details: { type: 'refusal', category: 'cyber' } },
  ],
  'malformed-arguments': [
    call({ ...expected.call, argumentsJson: expected.malformedArguments }, 3),
  ],
  'unknown-fields': [
    { kind: 'raw', text: 'event: weather\ndata: sunny\n\n: a comment\n\n' },
    { kind: 'event', name: 'weather', data: { type: 'weather', index: 0 } },
    { kind: 'ping' },
    { kind: 'block', block: { type: 'mood', level: { of: 3 } } },
    wholeText,
  ],
  images: [wholeText],
  usage: [
    wholeText,
    {
      kind: 'usage',
      usage: {
        ...{ input_tokens: 300, cache_creation_input_tokens: 100, cache_read_input_tokens: 800 },
        ...{ output_tokens: 50, output_tokens_details: { thinking_tokens: 20 } },
      },
    },
  ],
  'long-tool-name': [call({ ...expected.call, name: expected.longName }, 2)],
  schemas: [wholeText],
  structured: [structured],
  'structured-cut': [
    { kind: 'text', text: expected.cutStructured },
    { kind: 'stop', reason: 'max_tokens' },
  ],
};

function answersTo(situation: Situation): readonly ScriptedAnswer[] {
  if (isStatus(situation)) {
    const status = statusOf(situation);
    return [failed(status, typeOfStatus[status] ?? 'api_error')];
  }
  if (situation === 'retry-after') {
    return [{ ...failed(429, 'rate_limit_error'), headers: { 'retry-after': '7' } }];
  }
  if (situation === 'context-overflow') {
    const message = 'prompt is too long: 1000020 tokens > 1000000 maximum';
    return [failed(400, 'invalid_request_error', message)];
  }
  if (situation === 'structured-refused') {
    const message = 'output_config.format: Extra inputs are not permitted';
    const asked = { steps: [structured] };
    return [failed(400, 'invalid_request_error', message), asked, asked];
  }
  if (situation === 'thinking-kept') {
    return [
      { steps: [thinking, call(expected.call, 2)] },
      { steps: [wholeText], when: '"signature":"' },
    ];
  }
  return [{ steps: answers[situation] ?? [] }];
}

/** The `claude` adapter against the fake service. */
export const stageAnthropic: BackendStage = {
  cannot: { 'content-filter': 'a model declines instead' },
  async open(situation, clock) {
    const service = await startFakeAnthropic({
      models: { 'claude-opus-5-5': answersTo(situation) },
      apiKeys: ['key-1'],
    });
    const backend = await claudeKind.create(
      {
        type: 'claude',
        model: 'claude-opus-5-5',
        apiKeyName: 'TEST_KEY',
        options: { base_url: service.baseUrl },
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
