import type { RunEvent } from '../../src/run/events';
import { sampleRunEvents } from './sample-run';

/** The sample run with `text` wherever a model, a service, a server or a file has the word. */
export function runWithText(
  text: string,
  events: readonly RunEvent[] = sampleRunEvents,
): readonly RunEvent[] {
  return events.map((event): RunEvent => {
    switch (event.type) {
      case 'run-started':
        return {
          ...event,
          task: text,
          teamName: text,
          unconfinedReason: text,
          agents: event.agents.map((agent) => ({ ...agent, model: text, id: text })),
          contextRoots: event.contextRoots.map((root) => ({ ...root, path: text })),
        };
      case 'answer-submitted':
      case 'final-answer':
        return { ...event, text };
      case 'vote-cast':
        return { ...event, reason: text };
      case 'model-call-ended':
        return { ...event, text };
      case 'change-set-ready':
        return { ...event, files: event.files.map((file) => ({ ...file, path: text })) };
      default:
        return event;
    }
  });
}

/** What models say beside answers and votes, and what is asked for. */
export function furtherWords(text: string): readonly RunEvent[] {
  const asked = { slot: 1, turnNo: 1, approvalId: 'a', command: text, cwd: text };
  return [
    { type: 'approval-requested', ...asked, isConfined: false, hash: 'h' },
    { type: 'tool-server-changed', slot: 1, server: text, status: 'failed', message: text },
    {
      type: 'agent-failed',
      slot: 2,
      error: { code: 'backend/server', message: text, retryable: false },
    },
  ];
}
