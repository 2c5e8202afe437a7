import type { Label } from '../../base/ids';
import type { ChangeSetReady, RunEvent } from '../../run/events';
import type { FileChange } from '../../run/facts';
import type { RunState } from '../../run/state';
import { findRevision } from '../agent/prompt/answers';

interface AnswerFiles {
  readonly snapshotId: string | null;
  readonly changes: readonly FileChange[];
}

/**
 * Puts the change set of the chosen answer right behind the choice, so that it is there before the run ends. Nothing is
 * added when the answer has no stored files or changed none.
 */
export function withChangeSet(
  state: RunState | undefined,
  events: readonly RunEvent[],
): readonly RunEvent[] {
  return events.flatMap((event): RunEvent[] => {
    if (event.type !== 'final-agent-selected' || event.winner === null) {
      return [event];
    }
    const { label } = event.winner;
    const files = filesOf(state, events, label);
    return files === undefined || files.snapshotId === null || files.changes.length === 0
      ? [event]
      : [event, changeSet(label, files.snapshotId, files.changes)];
  });
}

function changeSet(label: Label, snapshotId: string, files: readonly FileChange[]): ChangeSetReady {
  return { type: 'change-set-ready', label, snapshotId, files };
}

/** The chosen answer may have been accepted in the same step. */
function filesOf(
  state: RunState | undefined,
  events: readonly RunEvent[],
  label: Label,
): AnswerFiles | undefined {
  const fresh = events.find((event) => event.type === 'answer-submitted' && event.label === label);
  if (fresh?.type === 'answer-submitted') {
    return fresh;
  }
  return state === undefined ? undefined : findRevision(state, label);
}
