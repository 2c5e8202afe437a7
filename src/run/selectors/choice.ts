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
