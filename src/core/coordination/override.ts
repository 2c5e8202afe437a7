import type { Label, Slot } from '../../base/ids';
import type { Agreement, DecidedBy, Revision } from '../../run/facts';
import type { RunState } from '../../run/state';
import { agreementOf } from './agreement';
import { currentRevisions } from './ledger';
import { present } from './presentation';
import { closeByChoice } from './selection';
import type { Step } from './step';
import { tallyOf } from './tally';
import { endTurn } from './turn-end';

type Override = NonNullable<RunState['override']>;

/**
 * The user chooses instead of the team. Before the team has chosen, the poll closes; afterwards the chosen answer
 * changes, also when the run is over. Only an answer that stands can be chosen, and not the one that is chosen already.
 */
export function onOverride(step: Step, label: Label): void {
  const { selection, outcome } = step.state;
  const revision = currentRevisions(step.state).find((one) => one.label === label);
  if (revision === undefined || selection?.winner?.label === label) {
    return;
  }
  if (selection === null && outcome === null) {
    step.emit({ type: 'user-override', label, when: 'before', previous: null });
    closeByChoice(step, revision.slot, 'human');
  } else {
    replaceChoice(step, revision);
  }
}

function replaceChoice(step: Step, { slot, label, text }: Revision): void {
  const { state } = step;
  const { previous, team } = beforeUser(state);
  const restored = label === previous ? team : undefined;
  step.emit({ type: 'user-override', label, when: 'after', previous });
  const winner = { slot, label };
  const agreement = agreementWith(state, slot, restored?.decidedBy ?? 'human');
  step.emit({ type: 'final-agent-selected', winner, agreement });
  if (state.outcome === null) {
    endLaterTurn(step);
    present(step, winner);
  } else {
    const reused = { ...winner, text, source: 'reused' } as const;
    step.emit({ type: 'final-answer', ...(restored?.finalAnswer ?? reused) });
  }
}

/** What the team chose stays known, so that the user can go back to it: then it is the team's choice again. */
function beforeUser({ override, selection }: RunState): Pick<Override, 'previous' | 'team'> {
  return override?.team === undefined
    ? { previous: selection?.winner?.label ?? null }
    : { previous: override.previous, team: override.team };
}

/** The numbers of the vote stay as they are. */
function agreementWith(state: RunState, winner: Slot, decidedBy: DecidedBy): Agreement {
  const { selection } = state;
  return selection === null
    ? agreementOf(state, tallyOf(state), { decidedBy, winner, element: null })
    : { ...selection.agreement, decidedBy };
}

/** What the team's choice was being prepared for, its presentation or the look at it, is not wanted any more. */
function endLaterTurn(step: Step): void {
  for (const { info, turn } of step.state.agents) {
    if (turn !== null) {
      const where = { slot: info.slot, turnNo: turn.turnNo };
      step.request({ kind: 'abort-turn', ...where, reason: 'superseded' });
      endTurn(step, where, 'cancelled');
    }
  }
  step.request({ kind: 'clear-timer', timer: { kind: 'presentation' } });
  step.request({ kind: 'clear-timer', timer: { kind: 'evaluation' } });
}
