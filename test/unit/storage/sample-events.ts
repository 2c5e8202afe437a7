import { compatProfile } from '../../../src/run/profiles';
import type { RecordedEvent, RunEvent } from '../../../src/run/events';

export function recorded(seq: number, event: RunEvent): RecordedEvent {
  return { seq, at: 1_000 + seq, event };
}

export function started(runId: string, task = 'Fix the test.'): RecordedEvent {
  return recorded(0, {
    type: 'run-started',
    runId,
    task,
    agents: [],
    contextRoots: [],
    settings: { ...compatProfile, runSeed: '00' },
    caps: { durationMs: null, modelCalls: null, costUsd: null },
    teamName: 'Team',
    isScripted: false,
    unconfinedReason: null,
  });
}

export function delta(seq: number, text: string): RecordedEvent {
  return recorded(seq, { type: 'text-delta', slot: 1, turnNo: 1, call: 1, text });
}

export function warning(seq: number, message: string): RecordedEvent {
  return recorded(seq, { type: 'warning-raised', code: 'note', message });
}

export function ended(seq: number): RecordedEvent {
  return recorded(seq, { type: 'run-ended', outcome: 'completed' });
}
