// A run of two attempts: the first is found wanting, the second is accepted.
import type { RunEvent } from '../../src/run/events';
import { sampleRunEvents } from './sample-run';

const [started, ...course] = sampleRunEvents.slice(0, -1);

export const restartedRunEvents: readonly RunEvent[] = [
  started?.type === 'run-started'
    ? { ...started, settings: { ...started.settings, maxRestarts: 1 } }
    : { type: 'run-resumed' },
  ...course,
  { type: 'evaluation-started', slot: 2, turnNo: 3 },
  {
    type: 'evaluation-ended',
    ...{ slot: 2, decision: 'restart', reason: 'Days are missing.', instructions: 'Add days.' },
    by: 'evaluator',
  },
  { type: 'agent-turn-ended', slot: 2, turnNo: 3, outcome: 'submit' },
  {
    type: 'orchestration-restarted',
    ...{ attempt: 2, reason: 'Days are missing.', instructions: 'Add days.' },
  },
  ...course.map((event): RunEvent => {
    const later = 'turnNo' in event ? { ...event, turnNo: event.turnNo + 3 } : event;
    return later.type === 'agent-turn-started'
      ? { ...later, attempt: 2 }
      : later.type === 'final-answer'
        ? { ...later, text: 'Done, with days.' }
        : later;
  }),
  { type: 'run-ended', outcome: 'completed' },
];
