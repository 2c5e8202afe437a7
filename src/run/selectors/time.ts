import type { RunState } from '../state';

export function isEnded(state: RunState): boolean {
  return state.outcome !== null;
}

/** Unix ms of the end, or of the newest event when the log has none. Reviewing later does not move it. */
export function endedAt(state: RunState): number {
  return state.timeline.findLast((entry) => entry.kind === 'ended')?.at ?? state.lastEventAt;
}

/** Time the run has taken, ms; `now` counts only while it runs. */
export function elapsedMs(state: RunState, now: number): number {
  const end = isEnded(state) ? endedAt(state) : Math.max(now, state.lastEventAt);
  return Math.max(0, end - state.startedAt);
}
