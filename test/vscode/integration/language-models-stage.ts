import type { BackendStage } from '../../contract/backend-kit';
import { expected, servicesWith } from '../../contract/backend-kit';
import type { Situation, StatusSituation } from '../../contract/situations';
import { createLmKind } from '../../../src/extension/lm/lm-kind';

/** One step of a scripted answer; the forms stand in test-extension/scripted.cjs. */
type Step = Readonly<Record<string, unknown>>;

/** What the extension of the test models hands out. */
export interface TestModels {
  layOut(
    model: string,
    answers: readonly (readonly Step[])[],
  ): {
    readonly requests: readonly unknown[];
    settled(): Promise<void>;
    goOn(): void;
    end(): void;
  };
}

const pieces = (text: string, piece: RegExp): readonly Step[] =>
  (text.match(piece) ?? []).map((part) => ({ text: part }));
const call = (
  id: string,
  wanted: { readonly name: string; readonly argumentsJson: string },
): Step => ({
  call: [id, wanted.name, JSON.parse(wanted.argumentsJson)],
});
const firstWords: Step = { text: expected.firstWords };
const wholeText: Step = { text: expected.text };
const fail = (how: Readonly<Record<string, string>>): Step => ({
  fail: { message: expected.said, ...how },
});

const scripts: Readonly<Partial<Record<Situation, readonly Step[]>>> = {
  text: pieces(expected.text, /.{1,7}/gu),
  thinking: [{ thinking: expected.thinking }, { thinking: '' }, wholeText],
  'tool-call': [call('a', expected.call)],
  'parallel-tool-calls': [call('a', expected.call), call('b', expected.secondCall)],
  // Without the flag `u` the pieces are halves of a pair.
  unicode: pieces(expected.unicode, /./g),
  'split-arguments': [call('a', expected.unicodeCall)],
  'hang-first': [{ hang: null }],
  'hang-middle': [firstWords, { hang: null }],
  stall: [firstWords, { hang: null }],
  'status-403': [fail({ code: 'NoPermissions' })],
  'status-404': [fail({ code: 'NotFound' })],
  'status-429': [fail({ name: 'ChatRateLimited' })],
  'error-in-stream': [firstWords, { pause: null }, fail({})],
  refusal: [firstWords],
  'content-filter': [firstWords, fail({ message: 'filtered as off_topic by a classifier' })],
  'context-overflow': [fail({ message: 'Message exceeds token limit.' })],
  'unknown-fields': [
    { data: ['application/x-weather', 'sunny'] },
    { unknown: { weather: 'sunny' } },
    wholeText,
  ],
  images: [wholeText],
  'long-tool-name': [call('a', { name: expected.longName, argumentsJson: '{}' })],
  schemas: [wholeText],
  structured: [{ text: expected.structured }],
};

const noStatus = 'the editor passes on no status';
const noLimit = 'the editor does not tell of the output limit';
const noClosing = 'the editor tells no end of an answer from another';

const statusesWithoutName: Readonly<Partial<Record<StatusSituation, string>>> = {
  'status-401': 'the editor signs in by itself',
  'status-408': noStatus,
  'status-413': noStatus,
  'status-500': noStatus,
  'status-503': noStatus,
  'status-529': noStatus,
};

/** The `vscode_lm` adapter with a provider of models that runs in the same editor. */
export function stageOfEditorModels(models: TestModels): BackendStage {
  const [vendor, model] = ['massgen-tests', 'alpha-1'];
  return {
    cannot: {
      ...statusesWithoutName,
      'thinking-kept': 'the editor takes no thinking back',
      empty: 'it looks like an answer that was cut, so it is asked for again',
      'hang-call': 'the editor passes calls on whole',
      'retry-after': noStatus,
      disconnect: noClosing,
      'early-end': noClosing,
      'broken-stream': 'the editor passes on its own objects',
      truncation: noLimit,
      'truncated-call': noLimit,
      'malformed-arguments': 'arguments are objects in the editor',
      usage: 'the editor counts no cached tokens',
      'structured-refused': 'the editor passes on no schema of an answer',
      'structured-cut': noLimit,
    },
    async open(situation, clock) {
      const script = models.layOut(model, [scripts[situation] ?? []]);
      const backend = await createLmKind(() => []).create(
        { type: 'vscode_lm', model, apiKeyName: undefined, options: { vendor } },
        servicesWith({}, clock),
        new AbortController().signal,
      );
      return {
        backend: {
          capabilities: backend.capabilities,
          async *stream(request, signal) {
            for await (const part of backend.stream(request, signal)) {
              yield part;
              script.goOn();
            }
          },
          close: async () => backend.close(),
        },
        requests: () => script.requests,
        left: async () => script.settled(),
        async close() {
          script.end();
          await backend.close();
        },
      };
    },
  };
}
