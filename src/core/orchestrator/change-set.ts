import type { Label } from '../../base/ids';
import type { ChangeSetReady, RunEnded, RunEvent } from '../../run/events';
import type { FileChange } from '../../run/facts';
import type { RunState } from '../../run/state';
import { findRevision } from '../agent/prompt/answers';

interface AnswerFiles {
  readonly snapshotId: string | null;
  readonly changes: readonly FileChange[];
}

/**
 * Puts the change set of the chosen answer right behind the choice, so that it is there before the run ends. When the
 * work may still be found wanting it comes with the end instead: what is begun anew is never offered to the user.
 * Nothing is added when the answer has no stored files or changed none.
 */
export function withChangeSet(
  state: RunState | undefined,
  events: readonly RunEvent[],
): readonly RunEvent[] {
  const isOpen = state !== undefined && mayBeginAnew(state);
  const chosen = chosenLabel(state, events);
  return events.flatMap((event): RunEvent[] => {
    if (event.type === 'final-agent-selected' && !isOpen) {
      return [event, ...changeSetOf(state, events, event.winner?.label)];
    }
    return event.type === 'run-ended' && isOpen && isAccepted(event)
      ? [...changeSetOf(state, events, chosen), event]
      : [event];
  });
}

function mayBeginAnew({ outcome, attempt, settings }: RunState): boolean {
  return outcome === null && attempt <= settings.maxRestarts;
}

function isAccepted({ outcome }: RunEnded): boolean {
  return outcome !== 'cancelled' && outcome !== 'interrupted' && outcome !== 'error';
}

function chosenLabel(state: RunState | undefined, events: readonly RunEvent[]): Label | undefined {
  const fresh = events.findLast((event) => event.type === 'final-agent-selected');
  const winner = fresh?.type === 'final-agent-selected' ? fresh.winner : state?.selection?.winner;
  return winner?.label;
}

function changeSetOf(
  state: RunState | undefined,
  events: readonly RunEvent[],
  label: Label | undefined,
): readonly ChangeSetReady[] {
  const files = label === undefined ? undefined : filesOf(state, events, label);
  const snapshotId = files?.snapshotId ?? null;
  if (label === undefined || files === undefined || snapshotId === null) {
    return [];
  }
  return files.changes.length === 0 ? [] : [changeSet(label, snapshotId, files.changes)];
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
