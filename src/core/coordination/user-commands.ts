import type { Slot } from '../../base/ids';
import type { UserCommand } from './inputs';
import { onSteer } from './steering';
import type { Step } from './step';
import { reachSoftLimit } from './turn-limits';

/** What the user wants of a run that goes on. What cannot be done any more changes nothing. */
export function onUserCommand(
  step: Step,
  command: Exclude<UserCommand, { readonly kind: 'override' }>,
): void {
  switch (command.kind) {
    case 'answer-now':
      answerNow(step, command.slot);
      return;
    case 'steer':
      onSteer(step, command);
      return;
    case 'revive':
      revive(step, command.slot);
  }
}

/** The same as the limit of time, but at once. An agent that has no turn, or was asked already, is not asked. */
function answerNow(step: Step, slot: Slot): void {
  const turn = step.state.agents[slot - 1]?.turn;
  if (turn !== null && turn !== undefined && turn.softLimitAt === undefined) {
    step.emit({ type: 'answer-now-requested', slot });
    reachSoftLimit(step, { slot, turnNo: turn.turnNo }, 'user');
  }
}

/** An agent that failed starts again, as long as there is something to decide. */
function revive(step: Step, slot: Slot): void {
  const { agents, poll } = step.state;
  const isOpen = poll.kind === 'open' || poll.kind === 'runoff';
  if (isOpen && agents[slot - 1]?.status === 'failed') {
    step.emit({ type: 'agent-revived', slot });
  }
}
