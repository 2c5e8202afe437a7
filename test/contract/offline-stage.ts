import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOfflineKind } from '../../src/backends/offline/index';
import type { ErrorInfo, RecordedToolCall } from '../../src/run/facts';
import { type BackendStage, expected, frozenClock, servicesWith } from './backend-kit';
import type { Situation } from './situations';

interface Played {
  readonly deltas?: readonly string[];
  readonly toolCalls?: readonly RecordedToolCall[];
  readonly error?: ErrorInfo;
}

const failed = (code: string, message: string): ErrorInfo => ({ code, message, retryable: true });

const said = expected.said;

const played: Readonly<Partial<Record<Situation, Played>>> = {
  text: { deltas: expected.text.match(/.{1,7}/gu) ?? [] },
  'tool-call': { toolCalls: [{ id: 'a', ...expected.call }] },
  'parallel-tool-calls': {
    toolCalls: [
      { id: 'a', ...expected.call },
      { id: 'b', ...expected.secondCall },
    ],
  },
  'split-arguments': { toolCalls: [{ id: 'a', ...expected.unicodeCall }] },
  empty: {},
  'hang-first': { deltas: [expected.firstWords] },
  'hang-middle': { deltas: [expected.firstWords, ' see'] },
  'status-429': { error: failed('backend/rate-limited', said) },
  'status-503': { error: failed('backend/overloaded', said) },
  'error-in-stream': {
    deltas: [expected.firstWords],
    error: failed('backend/bad-response', said),
  },
  'broken-stream': {
    deltas: [expected.firstWords],
    error: failed('backend/bad-response', 'The stream broke.'),
  },
  disconnect: {
    deltas: [expected.firstWords],
    error: failed('backend/network', 'The connection broke.'),
  },
  'malformed-arguments': {
    toolCalls: [{ id: 'a', name: expected.call.name, argumentsJson: expected.malformedArguments }],
  },
  unicode: { deltas: [expected.unicode] },
};

const noService = 'a recording has no service';
const ownTools = 'a recording makes the calls that it knows';
const noQuestions = 'a recording answers no question of a run';
const notRecorded = 'a recording does not keep it';

/** A recording of one call; for `hang-*` the pause at that place is long and the clock stands still. */
function recordingOf(situation: Situation): string {
  const place = { slot: 1, turnNo: 1, call: 1 };
  const { deltas = [], toolCalls = [], error } = played[situation] ?? {};
  let at = 1000;
  const events: unknown[] = [{ at, event: { type: 'model-call-started', ...place } }];
  for (const [i, text] of deltas.entries()) {
    const isHanging = situation === 'hang-first' || (situation === 'hang-middle' && i === 1);
    at += isHanging ? 60_000 : 0;
    events.push({ at, event: { type: 'text-delta', ...place, text } });
  }
  const end = {
    type: 'model-call-ended',
    ...place,
    text: deltas.join(''),
    toolCalls,
    usage: { inputTokens: 40, outputTokens: 9 },
    costUsd: null,
    ...(error === undefined ? {} : { error }),
  };
  events.push({ at, event: end });
  const header = { v: 1, kind: 'recording', task: 'Fix the parser.' };
  return [header, ...events].map((line) => JSON.stringify(line)).join('\n');
}

/** The `offline` adapter playing a recording of the situation. */
export const stageOffline: BackendStage = {
  cannot: {
    ...{ thinking: notRecorded, 'thinking-kept': notRecorded, usage: notRecorded },
    ...{
      'long-tool-name': ownTools,
      schemas: ownTools,
      'retry-after': noService,
      stall: noService,
    },
    'hang-call': 'a recorded call comes whole',
    ...{ 'status-401': noService, 'status-403': noService, 'status-404': noService },
    ...{ 'status-408': noService, 'status-413': noService, 'status-500': noService },
    ...{ 'status-529': noService, 'early-end': noService, truncation: notRecorded },
    ...{ 'truncated-call': notRecorded, refusal: notRecorded, 'content-filter': noService },
    ...{ structured: noQuestions, 'structured-refused': noQuestions },
    'structured-cut': noQuestions,
    ...{ 'context-overflow': noService, 'unknown-fields': noService, images: noService },
  },
  async open(situation, clock) {
    const dir = await mkdtemp(join(tmpdir(), 'massgen-recording-'));
    await writeFile(join(dir, 'one.jsonl'), recordingOf(situation));
    const isHanging = situation.startsWith('hang');
    const backend = await createOfflineKind(dir).create(
      { type: 'offline', model: 'm', apiKeyName: undefined, options: { recording: 'one.jsonl' } },
      servicesWith({}, isHanging ? frozenClock : clock),
      new AbortController().signal,
    );
    return {
      backend,
      async close() {
        await backend.close();
        await rm(dir, { recursive: true });
      },
    };
  },
};
