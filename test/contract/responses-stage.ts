import { openAiKind } from '../../src/backends/responses/index';
import { startFakeResponses } from '../support/fake-responses/fake-responses';
import type { ScriptedAnswer, Step } from '../support/fake-responses/script';
import { type BackendStage, expected, servicesWith } from './backend-kit';
import { type Situation, isStatus, statusOf } from './situations';

interface Call {
  readonly name: string;
  readonly argumentsJson: string;
}

const scripted = ({ name, argumentsJson }: Call, pieces: number) =>
  ({ name, arguments: argumentsJson, pieces }) as const;
const call = (wanted: Call, pieces: number): Step => ({
  kind: 'tool-call',
  ...scripted(wanted, pieces),
});
const firstWords: Step = { kind: 'text', text: expected.firstWords };
const wholeText: Step = { kind: 'text', text: expected.text };
const structured: Step = { kind: 'text', text: expected.structured };
const thinking: Step = { kind: 'reasoning', summary: [expected.thinking] };

function failed(
  status: number,
  type: string,
  code: string | null = null,
): Extract<ScriptedAnswer, { status: number }> {
  return { status, body: { error: { message: expected.said, type, param: null, code } } };
}

const answers: Readonly<Partial<Record<Situation, readonly Step[]>>> = {
  text: [wholeText],
  thinking: [thinking, wholeText],
  'tool-call': [call(expected.call, 4)],
  'parallel-tool-calls': [
    { kind: 'interleaved', calls: [scripted(expected.call, 3), scripted(expected.secondCall, 2)] },
  ],
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
    {
      kind: 'event',
      data: {
        ...{ type: 'response.output_item.added', output_index: 1 },
        item: {
          ...{ type: 'function_call', id: 'fc_1', call_id: 'call_1', name: expected.call.name },
          ...{ arguments: '', status: 'in_progress' },
        },
      },
    },
    {
      kind: 'event',
      data: {
        ...{ type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 1 },
        delta: '{"pa',
      },
    },
    { kind: 'hang' },
  ],
  'error-in-stream': [
    firstWords,
    { kind: 'error', error: { code: 'server_error', message: expected.said, param: null } },
  ],
  disconnect: [firstWords, { kind: 'cut' }],
  'early-end': [firstWords, { kind: 'end-early' }],
  'broken-stream': [firstWords, { kind: 'raw', text: 'data: {"type": "response.\n\n' }],
  truncation: [firstWords, { kind: 'incomplete', reason: 'max_output_tokens' }],
  'truncated-call': [
    call(expected.call, 2),
    { kind: 'tool-call', name: 'list_directory', arguments: '{"pa', status: 'incomplete' },
    { kind: 'incomplete', reason: 'max_output_tokens' },
  ],
  refusal: [{ kind: 'refusal', text: expected.firstWords }],
  'content-filter': [firstWords, { kind: 'incomplete', reason: 'content_filter' }],
  'malformed-arguments': [
    call({ ...expected.call, argumentsJson: expected.malformedArguments }, 3),
  ],
  'unknown-fields': [
    { kind: 'event', data: { type: 'response.weather', sunny: true } },
    { kind: 'raw', text: 'data: null\n\ndata: 7\n\n' },
    { kind: 'event', data: { type: 'response.output_item.done', output_index: 'x', item: [] } },
    wholeText,
  ],
  images: [wholeText],
  usage: [
    wholeText,
    {
      kind: 'usage',
      usage: {
        ...{ input_tokens: 1200, output_tokens: 50, total_tokens: 1250 },
        input_tokens_details: { cached_tokens: 800 },
        output_tokens_details: { reasoning_tokens: 20 },
      },
    },
  ],
  'long-tool-name': [call({ ...expected.call, name: expected.longName }, 2)],
  schemas: [wholeText],
  structured: [structured],
  'structured-cut': [
    { kind: 'text', text: expected.cutStructured },
    { kind: 'incomplete', reason: 'max_output_tokens' },
  ],
};

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

/** The adapter for responses against the fake service. */
export const stageResponses: BackendStage = {
  cannot: {},
  async open(situation, clock) {
    const service = await startFakeResponses({
      models: { 'gpt-5': answersTo(situation) },
      apiKeys: ['key-1'],
    });
    const backend = await openAiKind.create(
      {
        ...{ type: 'openai', model: 'gpt-5', apiKeyName: 'TEST_KEY' },
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
