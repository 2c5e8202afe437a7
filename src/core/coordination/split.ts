import type { Slot } from '../../base/ids';
import type { RunState } from '../../run/state';
import { liveAgents } from './ledger';
import type { Step } from './step';
import type { Tally } from './tally';
import { abandonTurns } from './turn-end';

/** What follows a poll whose rule was not met, before anything is decided without it. */
export type NextRound =
  { readonly kind: 'runoff'; readonly candidates: readonly Slot[] } | { readonly kind: 'extra' };

export function nextRound(state: RunState, tally: Tally): NextRound | undefined {
  const { onSplit, maxRunoffs, maxExtraRounds } = state.settings;
  if (onSplit === 'another_round' && state.extraRounds < maxExtraRounds) {
    return { kind: 'extra' };
  }
  if (onSplit !== 'runoff' || state.runoffs >= maxRunoffs) {
    return undefined;
  }
  const candidates = runoffCandidates(tally);
  const live = liveAgents(state);
  const isAmongThemselves =
    live.length <= 2 && live.every(({ info }) => candidates.includes(info.slot));
  return candidates.length < 2 || isAmongThemselves ? undefined : { kind: 'runoff', candidates };
}

/** All leaders; a lone leader meets those with the second most votes. */
function runoffCandidates(tally: Tally): readonly Slot[] {
  if (tally.top.length !== 1) {
    return tally.top;
  }
  const others = [...tally.votes].filter(([slot, votes]) => !tally.top.includes(slot) && votes > 0);
  const second = Math.max(...others.map(([, votes]) => votes));
  const runnersUp = others.filter(([, votes]) => votes === second).map(([slot]) => slot);
  return [...tally.top, ...runnersUp].sort((a, b) => a - b);
}

/** Everybody votes again; ballots cast so far are history. */
export function startRound(step: Step, next: NextRound): void {
  abandonTurns(step);
  const cause = next.kind === 'runoff' ? 'runoff' : 'extra_round';
  const voters = step.state.agents
    .filter(({ ballot, status }) => ballot !== null || status === 'abstained')
    .map(({ info }) => info.slot);
  step.emit({ type: 'votes-voided', cause, voters });
  step.emit(
    next.kind === 'runoff'
      ? { type: 'runoff-started', candidates: next.candidates }
      : { type: 'extra-round-started' },
  );
}
