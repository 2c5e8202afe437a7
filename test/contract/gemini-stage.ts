import { geminiKind } from '../../src/backends/gemini/index';
import { startFakeGemini } from '../support/fake-gemini/fake-gemini';
import type { ScriptedAnswer, Step } from '../support/fake-gemini/script';
import { type BackendStage, expected, servicesWith } from './backend-kit';
import { type Situation, isStatus, statusOf } from './situations';

const model = 'gemini-3.8-flash';

const firstWords: Step = { kind: 'text', text: expected.firstWords };
const wholeText: Step = { kind: 'text', text: expected.text };
const structured: Step = { kind: 'text', text: expected.structured };
const thinking: Step = { kind: 'thought', text: expected.thinking };

const call = (
  wanted: { readonly name: string },
  args: Readonly<Record<string, unknown>>,
): Step => ({
  ...{ kind: 'call', name: wanted.name, args },
});
const first = call(expected.call, { path: 'src/a.js' });
const second = call(expected.secondCall, { path: 'src' });

function failed(
  code: number,
  status: string,
  details: readonly unknown[] = [],
): Extract<ScriptedAnswer, { status: number }> {
  return { status: code, body: { error: { code, message: expected.said, status, details } } };
}

const statusNames: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

const answers: Readonly<Partial<Record<Situation, readonly Step[]>>> = {
  text: [wholeText],
  thinking: [thinking, wholeText],
  'tool-call': [first],
  'parallel-tool-calls': [first, second],
  unicode: [
    { kind: 'split-bytes', bytes: 1 },
    { kind: 'text', text: expected.unicode },
  ],
  'split-arguments': [
    { kind: 'split-bytes', bytes: 1 },
    call(expected.unicodeCall, { path: 'Größe "🧑‍🚀" \n 日本語' }),
  ],
  'hang-first': [{ kind: 'hang' }],
  'hang-middle': [firstWords, { kind: 'hang' }],
  stall: [firstWords, { kind: 'hang' }],
  'hang-call': [
    firstWords,
    { kind: 'raw', text: 'data: {"candidates":[{"content":{"parts":[{"functionCall":{"na' },
    { kind: 'hang' },
  ],
  'error-in-stream': [
    firstWords,
    { kind: 'error', error: { code: 503, message: expected.said, status: 'UNAVAILABLE' } },
  ],
  disconnect: [firstWords, { kind: 'cut' }],
  'early-end': [firstWords, { kind: 'end-early' }],
  'broken-stream': [firstWords, { kind: 'raw', text: 'data: {"candidates": [\n\n' }],
  truncation: [firstWords, { kind: 'finish', reason: 'MAX_TOKENS' }],
  'truncated-call': [first, { kind: 'finish', reason: 'MAX_TOKENS' }],
  refusal: [firstWords],
  'content-filter': [firstWords, { kind: 'finish', reason: 'SAFETY' }],
  'unknown-fields': [
    { kind: 'raw', text: ': a comment\r\n\r\nevent: weather\r\n\r\n' },
    { kind: 'chunk', data: { weather: { isSunny: true }, candidates: [] } },
    { kind: 'candidate', members: { mood: 3, content: { role: 'model' } } },
    { kind: 'part', part: { dream: 'of electric sheep' } },
    wholeText,
  ],
  images: [wholeText],
  usage: [
    {
      kind: 'usage',
      usage: {
        ...{ promptTokenCount: 1200, cachedContentTokenCount: 800 },
        ...{ candidatesTokenCount: 30, thoughtsTokenCount: 20, totalTokenCount: 1250 },
      },
    },
    wholeText,
  ],
  'long-tool-name': [call({ name: expected.longName }, { path: 'src' })],
  schemas: [wholeText],
  structured: [structured],
  'structured-cut': [
    { kind: 'text', text: expected.cutStructured },
    { kind: 'finish', reason: 'MAX_TOKENS' },
  ],
};

function answersTo(situation: Situation): readonly ScriptedAnswer[] {
  if (isStatus(situation)) {
    const status = statusOf(situation);
    return [failed(status, statusNames[status] ?? 'UNKNOWN')];
  }
  switch (situation) {
    case 'retry-after':
      return [
        failed(429, 'RESOURCE_EXHAUSTED', [
          { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' },
        ]),
      ];
    case 'context-overflow': {
      const message =
        'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).';
      return [{ status: 400, body: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } } }];
    }
    case 'structured-refused':
      return [{ steps: [structured] }, { steps: [structured] }];
    case 'thinking-kept':
      return [{ steps: [thinking, first] }, { steps: [wholeText] }];
    case 'empty':
      // It is asked once more before an empty answer counts.
      return [{ steps: [] }, { steps: [] }];
    default:
      return [{ steps: answers[situation] ?? [] }];
  }
}

/** The `gemini` adapter against the fake service. */
export const stageGemini: BackendStage = {
  cannot: { 'malformed-arguments': 'arguments come as an object' },
  async open(situation, clock) {
    const service = await startFakeGemini({
      models: { [model]: answersTo(situation) },
      apiKeys: ['key-1'],
      ...(situation === 'structured-refused' ? { unknownMembers: ['responseJsonSchema'] } : {}),
    });
    const backend = await geminiKind.create(
      {
        ...{ type: 'gemini', model, apiKeyName: 'TEST_KEY' },
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
