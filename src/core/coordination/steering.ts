import type { Slot } from '../../base/ids';
import type { AgentState, RunState, SteeringMessage } from '../../run/state';
import type { UserCommand } from './inputs';
import { agentAt } from './ledger';
import { steeringMessage } from './messages';
import { stageOf } from './stage';
import type { Step } from './step';
import { canAnswer, isDecomposition, votable } from './toolset';

type Steer = Extract<UserCommand, { readonly kind: 'steer' }>;

/**
 * A message of the user. Whoever is at work gets it at the next safe point; whoever starts later has it as part of the
 * task. It wakes nobody who has done its part, unless it names that agent: an agent that is woken keeps its ballot,
 * and nothing has to be decided anew when it does nothing. While the final text is written it goes to the presenter.
 */
export function onSteer(step: Step, { id, text, targets: asked }: Steer): void {
  const { state } = step;
  const targets = targetsOf(state, asked);
  if (text.trim() === '' || targets?.length === 0) {
    return;
  }
  const wakes = (targets ?? []).filter((slot) => isWoken(state, agentAt(state, slot)));
  step.emit({
    type: 'steering-received',
    ...{ id, text, targets },
    ...(wakes.length === 0 ? {} : { wakes }),
  });
}

function targetsOf(state: RunState, asked: readonly Slot[] | null): readonly Slot[] | null {
  if (stageOf(state) === 'presentation' && state.presentation !== null) {
    return [state.presentation.slot];
  }
  return asked === null
    ? null
    : state.agents.map(({ info }) => info.slot).filter((slot) => asked.includes(slot));
}

function isWoken(state: RunState, agent: AgentState): boolean {
  const isOpen = state.poll.kind === 'open' || state.poll.kind === 'runoff';
  const hasDoneItsPart = ['voted', 'abstained', 'done'].includes(agent.status);
  const hasAction =
    isDecomposition(state) || canAnswer(state, agent) || votable(state, agent).length > 0;
  return isOpen && hasDoneItsPart && hasAction;
}

/** Messages for an agent that it has not got. */
function pending(state: RunState, slot: Slot): readonly SteeringMessage[] {
  return state.steering.filter(
    ({ targets, deliveredTo }) =>
      (targets === null || targets.includes(slot)) && !deliveredTo.includes(slot),
  );
}

/** Hands over what waits for an agent, each message once; answers with the texts. At the start they are in the task. */
export function deliverSteering(
  step: Step,
  { slot, turnNo }: { readonly slot: Slot; readonly turnNo: number },
): readonly string[] {
  const messages = pending(step.state, slot);
  if (messages.length > 0) {
    step.emit({ type: 'steering-delivered', slot, turnNo, ids: messages.map(({ id }) => id) });
  }
  return messages.map(({ text }) => steeringMessage(text));
}
