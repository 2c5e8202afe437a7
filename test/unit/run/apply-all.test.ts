import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RecordedEvent, RunEvent } from '../../../src/run/events';
import { apply, applyAll } from '../../../src/run/reducer';
import type { RunState } from '../../../src/run/state';
import { startedBy } from '../../support/engine';
import { sampleRunEvents } from '../../support/sample-run';

const sampleRun: readonly RecordedEvent[] = sampleRunEvents.map((event, seq) => ({
  seq,
  at: 1_000 + seq,
  event,
}));

const turn = fc.record({ slot: fc.integer({ min: 1, max: 3 }), turnNo: fc.constantFrom(1, 1, 2) });
/** Long enough that the newest 8,000 characters begin inside a piece, and inside a pair of surrogates. */
const text = fc.oneof(
  fc.constantFrom('', 'a', '\n', 'é'),
  fc.integer({ min: 3_990, max: 4_010 }).map((length) => '🙂'.repeat(length)),
  fc.integer({ min: 1, max: 9_000 }).map((length) => 'x'.repeat(length)),
);

const event: fc.Arbitrary<RunEvent> = turn.chain(({ slot, turnNo }) => {
  const inCall = { slot, turnNo, call: 1 };
  const tool = { ...inCall, index: 0, tool: 'read_file' };
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(text, fc.constantFrom(undefined, true, false))
        .map(([piece, isThinking]): RunEvent => ({
          ...{ type: 'text-delta', ...inCall, text: piece },
          ...(isThinking === undefined ? {} : { isThinking }),
        })),
    },
    { weight: 1, arbitrary: fc.constantFrom<RunEvent>(...ofCalls(inCall), ...ofTools(tool)) },
    { weight: 1, arbitrary: fc.constantFrom<RunEvent>(...ofTurns(slot, turnNo)) },
  );
});

type InCall = Readonly<Record<'slot' | 'turnNo' | 'call', number>>;

function ofCalls(inCall: InCall): readonly RunEvent[] {
  const usage = { inputTokens: 10, outputTokens: 3 };
  return [
    { type: 'model-call-started', ...inCall },
    { type: 'model-call-ended', ...inCall, text: '', toolCalls: [], usage, costUsd: 0.5 },
    { type: 'model-call-ended', ...inCall, text: '', toolCalls: [], usage: {}, costUsd: null },
    { type: 'agent-waiting', ...inCall, reason: 'retry', until: 5_000 },
  ];
}

function ofTools(tool: InCall & { readonly index: number; readonly tool: string }): RunEvent[] {
  return [
    { type: 'tool-call-started', ...tool, subject: 'a.txt' },
    { type: 'tool-call-ended', ...tool, isError: false, preview: 'x', outputBytes: 1 },
    { type: 'tool-round-ended', slot: tool.slot, turnNo: tool.turnNo, tools: ['read_file'] },
  ];
}

function ofTurns(slot: number, turnNo: number): readonly RunEvent[] {
  return [
    { type: 'agent-turn-started', slot, turnNo, attempt: 1, shown: [] },
    { type: 'agent-turn-ended', slot, turnNo, outcome: 'answer' },
    { type: 'warning-raised', code: 'note', message: 'x' },
    { type: 'run-resumed' },
  ];
}

const firstTurns = [1, 2].map((slot): RunEvent => ({
  ...{ type: 'agent-turn-started', slot, turnNo: 1, attempt: 1, shown: [] },
}));

function oneByOne(events: readonly RecordedEvent[]): RunState | undefined {
  return events.reduce<RunState | undefined>(
    (state, recorded) => apply(state, recorded),
    undefined,
  );
}

it('makes of many events at once what they make one by one, wherever they are cut', () => {
  const script = fc.tuple(fc.array(event, { maxLength: 60 }), fc.nat(60));
  fc.assert(
    fc.property(script, ([rest, cut]) => {
      const all: RunEvent[] = [startedBy({ count: 2 }), ...firstTurns, ...rest];
      const events = all.map((one, seq) => ({ seq, at: 1_000 + seq, event: one }));
      const whole = applyAll(undefined, events);
      expect(whole).toStrictEqual(oneByOne(events));
      expect(applyAll(applyAll(undefined, events.slice(0, cut)), events.slice(cut))).toStrictEqual(
        whole,
      );
    }),
    { numRuns: 300, seed: 11 },
  );
});

it('reduces a whole run like one event after the other', () => {
  expect(applyAll(undefined, sampleRun)).toStrictEqual(oneByOne(sampleRun));
});

it('changes neither the state before nor what that state holds', () => {
  const before = applyAll(undefined, sampleRun.slice(0, 4));
  const copy = structuredClone(before);
  applyAll(before, sampleRun.slice(4));
  expect(before).toEqual(copy);
});

it('is no state without a state and an event', () => {
  expect(applyAll(undefined, [])).toBeUndefined();
});
