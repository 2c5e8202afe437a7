import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOfflineKind } from '../../src/backends/offline/index';
import type { ErrorInfo, RecordedToolCall } from '../../src/run/facts';
import {
  type BackendStage,
  type Situation,
  expected,
  frozenClock,
  servicesWith,
  systemClock,
} from './backend-kit';

interface Played {
  readonly deltas?: readonly string[];
  readonly toolCalls?: readonly RecordedToolCall[];
  readonly error?: ErrorInfo;
}

const failed = (code: string, message: string): ErrorInfo => ({ code, message, retryable: true });

const situations: Readonly<Record<Situation, Played>> = {
  text: { deltas: expected.text.match(/.{1,7}/gu) ?? [] },
  'tool-call': { toolCalls: [{ id: 'a', ...expected.call }] },
  'parallel-tool-calls': {
    toolCalls: [
      { id: 'a', ...expected.call },
      { id: 'b', ...expected.secondCall },
    ],
  },
  empty: {},
  'hang-first': { deltas: [expected.firstWords] },
  'hang-middle': { deltas: [expected.firstWords, ' see'] },
  'rate-limit': { error: failed('backend/rate-limited', 'Slow down.') },
  overload: { error: failed('backend/overloaded', 'Too busy.') },
  'broken-stream': {
    deltas: [expected.firstWords],
    error: failed('backend/bad-response', 'The stream broke.'),
  },
  unicode: { deltas: [expected.unicode] },
};

/** A recording of one call; for `hang-*` the pause at that place is long and the clock stands still. */
function recordingOf(situation: Situation): string {
  const place = { slot: 1, turnNo: 1, call: 1 };
  const played = situations[situation];
  let at = 1000;
  const events: unknown[] = [{ at, event: { type: 'model-call-started', ...place } }];
  for (const [i, text] of (played.deltas ?? []).entries()) {
    const isHanging = situation === 'hang-first' || (situation === 'hang-middle' && i === 1);
    at += isHanging ? 60_000 : 0;
    events.push({ at, event: { type: 'text-delta', ...place, text } });
  }
  const end = {
    type: 'model-call-ended',
    ...place,
    text: (played.deltas ?? []).join(''),
    toolCalls: played.toolCalls ?? [],
    usage: { inputTokens: 40, outputTokens: 9 },
    costUsd: null,
    ...(played.error === undefined ? {} : { error: played.error }),
  };
  events.push({ at, event: end });
  const header = { v: 1, kind: 'recording', task: 'Fix the parser.' };
  return [header, ...events].map((line) => JSON.stringify(line)).join('\n');
}

/** The `offline` adapter playing a recording of the situation. */
export const stageOffline: BackendStage = async (situation) => {
  const dir = await mkdtemp(join(tmpdir(), 'massgen-recording-'));
  await writeFile(join(dir, 'one.jsonl'), recordingOf(situation));
  const clock = situation.startsWith('hang') ? frozenClock : systemClock;
  const backend = await createOfflineKind(dir).create(
    { type: 'offline', model: 'm', apiKeyName: undefined, options: { recording: 'one.jsonl' } },
    servicesWith({}, clock),
    new AbortController().signal,
  );
  return {
    backend,
    async close() {
      await backend.close();
      await rm(dir, { recursive: true });
    },
  };
};
