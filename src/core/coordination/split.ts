import type { Slot } from '../../base/ids';
import { closeLead } from '../../run/decision/early-stop';
import { toleranceOf } from '../../run/decision/poll';
import { leadersAndRunnersUp, leadOf } from '../../run/decision/tally';
import type { Tally } from '../../run/decision/tally';
import type { RunState } from '../../run/state';
import { liveAgents } from './ledger';
import type { Step } from './step';
import { abandonTurns } from './turn-end';

/** What follows a poll before anything is decided. */
export type NextRound =
  | { readonly kind: 'dual_pass'; readonly candidates: readonly Slot[] }
  | { readonly kind: 'runoff'; readonly candidates: readonly Slot[] }
  | { readonly kind: 'extra_round' };

/** A further round of voting where the rule was not met; none once a close pair was compared again. */
export function nextRound(state: RunState, tally: Tally): NextRound | undefined {
  const { onSplit, maxRunoffs, maxExtraRounds } = state.settings;
  if (isDualPass(state)) {
    return undefined;
  }
  if (onSplit === 'another_round' && state.extraRounds < maxExtraRounds) {
    return { kind: 'extra_round' };
  }
  if (onSplit !== 'runoff' || state.runoffs >= maxRunoffs) {
    return undefined;
  }
  const candidates = leadersAndRunnersUp(tally);
  const live = liveAgents(state);
  const isAmongThemselves =
    live.length <= 2 && live.every(({ info }) => candidates.includes(info.slot));
  return candidates.length < 2 || isAmongThemselves ? undefined : { kind: 'runoff', candidates };
}

/** Two leaders that are one vote apart or less are compared once more, in the opposite order, whatever the rule says. */
export function dualPass(state: RunState, tally: Tally): NextRound | undefined {
  const { settings } = state;
  const candidates = leadersAndRunnersUp(tally);
  const isClose = leadOf(tally) <= closeLead(settings, tally) + toleranceOf(tally.eligibleWeight);
  return settings.dualPass === 'close' && !isDualPass(state) && isClose && candidates.length === 2
    ? { kind: 'dual_pass', candidates }
    : undefined;
}

export function isDualPass({ poll }: RunState): boolean {
  return poll.kind === 'runoff' && poll.isDualPass === true;
}

/** Everybody votes again; ballots cast so far are history. */
export function startRound(step: Step, next: NextRound): void {
  abandonTurns(step);
  const voters = step.state.agents
    .filter(({ ballot, status }) => ballot !== null || status === 'abstained')
    .map(({ info }) => info.slot);
  step.emit({ type: 'votes-voided', cause: next.kind, voters });
  switch (next.kind) {
    case 'dual_pass':
      step.emit({ type: 'dual-pass-started', candidates: next.candidates });
      return;
    case 'runoff':
      step.emit({ type: 'runoff-started', candidates: next.candidates });
      return;
    case 'extra_round':
      step.emit({ type: 'extra-round-started' });
  }
}
