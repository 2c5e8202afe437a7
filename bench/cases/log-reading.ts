// How long a run's log takes to become a state: all of it, against JSON.parse alone on the same lines in the same
// process, and with the checkpoint that its writer has left beside it.
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileEventStore } from '../../src/storage/file-event-store';
import { logVersion, type RecordedEvent, type RunEvent } from '../../src/run/events';
import { compatProfile } from '../../src/run/profiles';
import { realClock } from '../../test/support/real-clock';

const eventCount = 1_000_000;
const runId = 'million';
const rounds = 5;

const openings = 20;

export const cases = [
  { name: 'log-reading', unit: 'x', budget: 2.5, measure: onLog(ratios) },
  { name: 'run-opening', unit: 'ms', budget: 50, measure: onLog(openingTimes) },
];

/** A measurement on a log that is made for it and removed afterwards. */
function onLog(measure: (log: StoredLog) => Promise<number[]>): () => Promise<number[]> {
  return async () => {
    const dir = mkdtempSync(join(tmpdir(), 'massgen-bench-log-'));
    try {
      return await measure({ dir, path: writeLog(dir) });
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  };
}

interface StoredLog {
  /** The storage folder. */
  readonly dir: string;
  readonly path: string;
}

/** Ratios of the two, measured one after the other so that both meet the same machine. */
async function ratios({ dir, path }: StoredLog): Promise<number[]> {
  const samples: number[] = [];
  while (samples.length < rounds) {
    const bareMs = parseAll(path);
    samples.push((await readIntoState(dir)) / bareMs);
  }
  return samples;
}

async function openingTimes({ dir }: StoredLog): Promise<number[]> {
  await createFileEventStore({ dir, clock: realClock }).reopen(runId).close();
  const samples: number[] = [];
  while (samples.length < openings) {
    samples.push(await readIntoState(dir));
  }
  return samples;
}

/** The time of JSON.parse alone, in ms: the lines are in memory already, and nothing of them is kept. */
function parseAll(path: string): number {
  const lines = readFileSync(path, 'latin1').trimEnd().split('\n');
  let found = 0;
  const begun = performance.now();
  for (const line of lines) {
    const value: unknown = JSON.parse(line);
    found += value === null ? 0 : 1;
  }
  const ms = performance.now() - begun;
  if (found !== eventCount + 1) {
    throw new Error(`${found} lines were parsed`);
  }
  return ms;
}

/** Answers the time, in ms. */
async function readIntoState(dir: string): Promise<number> {
  const begun = performance.now();
  const { state } = await createFileEventStore({ dir, clock: realClock }).open(runId);
  const ms = performance.now() - begun;
  if (state?.seq !== eventCount - 1) {
    throw new Error(`the state ends at ${state?.seq}`);
  }
  return ms;
}

function writeLog(dir: string): string {
  const folder = join(dir, 'runs', runId);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'run.jsonl');
  const fd = openSync(path, 'wx');
  let text = `${JSON.stringify({ v: logVersion, runId })}\n`;
  for (const line of lines()) {
    text += line;
    if (text.length > 1_000_000) {
      writeSync(fd, text);
      text = '';
    }
  }
  writeSync(fd, text);
  closeSync(fd);
  return path;
}

function* lines(): Generator<string> {
  let seq = 0;
  for (const event of events()) {
    if (seq === eventCount) {
      return;
    }
    const recorded: RecordedEvent = { seq, at: 1_790_000_000_000 + seq * 17, event };
    yield `${JSON.stringify(recorded)}\n`;
    seq++;
  }
}

const slots = [1, 2, 3];
const piecesPerCall = 12;
const callsPerTurn = 20;

/** Three agents whose calls overlap, as a log has them: mostly pieces of text, then calls and tools. */
function* events(): Generator<RunEvent> {
  yield started();
  for (let turnNo = 1; ; turnNo++) {
    for (const slot of slots) {
      yield { type: 'agent-turn-started', slot, turnNo, attempt: 1, shown: [] };
    }
    for (let call = 1; call <= callsPerTurn; call++) {
      yield* callsOfAll(turnNo, call);
    }
    for (const slot of slots) {
      yield { type: 'agent-turn-ended', slot, turnNo, outcome: 'answer' };
    }
  }
}

function* callsOfAll(turnNo: number, call: number): Generator<RunEvent> {
  for (const slot of slots) {
    yield { type: 'model-call-started', slot, turnNo, call };
  }
  for (let piece = 0; piece < piecesPerCall; piece++) {
    for (const slot of slots) {
      const text = `piece ${piece} of call ${call}, `;
      yield { type: 'text-delta', slot, turnNo, call, text };
    }
  }
  for (const slot of slots) {
    yield modelCallEnded(slot, turnNo, call);
    const at = { slot, turnNo, call, index: 0, tool: 'read_file' };
    yield { type: 'tool-call-started', ...at, subject: 'src/duration.js' };
    const preview = 'export function parse(text) {\n  return Number(text);\n}\n';
    yield { type: 'tool-call-ended', ...at, isError: false, preview, outputBytes: preview.length };
    yield { type: 'tool-round-ended', slot, turnNo, tools: ['read_file'] };
  }
}

function modelCallEnded(slot: number, turnNo: number, call: number): RunEvent {
  return {
    ...{ type: 'model-call-ended', slot, turnNo, call },
    text: Array.from({ length: piecesPerCall }, (_no, i) => `piece ${i} of call ${call}, `).join(
      '',
    ),
    toolCalls: [{ id: 'call_1', name: 'read_file', argumentsJson: '{"path":"src/duration.js"}' }],
    usage: { inputTokens: 4_000, cachedInputTokens: 3_000, outputTokens: 90 },
    costUsd: 0.004,
  };
}

function started(): RunEvent {
  return {
    type: 'run-started',
    runId,
    task: 'Fix the parser of durations.',
    agents: slots.map((slot) => ({
      slot,
      id: `agent${slot}`,
      backend: 'chatcompletion',
      model: `model-${slot}`,
      family: '',
      weight: 1,
    })),
    contextRoots: [{ name: 'project', path: '/home/user/project', permission: 'write' }],
    settings: { ...compatProfile, runSeed: '00' },
    caps: { durationMs: null, modelCalls: null, costUsd: null },
    teamName: 'Team',
    isScripted: false,
    unconfinedReason: null,
  };
}
