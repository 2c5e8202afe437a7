import type { Label } from '../../base/ids';
import type { RunState } from '../state';

/** Whose decision stands, and what the team had chosen where that was another answer. */
export interface Choice {
  readonly label: Label | null;
  readonly isByUser: boolean;
  /** The team's own choice in this attempt; `null` when it made none. */
  readonly ofTeam: Label | null;
}

/** The choice as it stands now. The team's one stays known after the user has chosen another answer. */
export function selectChoice(state: RunState): Choice {
  const label = state.selection?.winner?.label ?? null;
  const ofTeam = teamChoice(state);
  const isByUser = state.override !== null && label !== null && label !== ofTeam;
  return { label, isByUser, ofTeam };
}

/** True for an answer that the user may take instead of what stands. */
export function canChoose(state: RunState, label: Label): boolean {
  return selectChoice(state).label !== label;
}

/** The user did not wait for a run that was cut off, and took one of its answers: there is nothing to go on with. */
export function wasChosenAfterEnd({ timeline }: RunState): boolean {
  const last = timeline.findLastIndex(({ kind }) => kind === 'ended' || kind === 'resumed');
  return (
    timeline[last]?.kind === 'ended' &&
    timeline.slice(last + 1).some(({ kind }) => kind === 'override')
  );
}

function teamChoice({ timeline, override }: RunState): Label | null {
  if (override !== null) {
    return override.previous;
  }
  const since = timeline.findLastIndex(({ kind }) => kind === 'attempt') + 1;
  const decided = timeline
    .slice(since)
    .findLast(({ kind, text }) => kind === 'decided' && text !== 'human');
  return decided?.labels[0] ?? null;
}
