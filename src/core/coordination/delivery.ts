import type { Label } from '../../base/ids';
import type { UpdateDelivered } from '../../run/turn-events';
import type { AgentState, RunState, TurnState } from '../../run/state';
import { agentAt } from './ledger';
import { unseenBy } from './staleness';
import type { Step } from './step';
import { canAnswer } from './toolset';

export type Delivery =
  { readonly kind: 'update'; readonly labels: readonly Label[] } | { readonly kind: 'restart' };

const nothing: Delivery = { kind: 'update', labels: [] };

/** First answers are independent: nothing reaches an agent that may still produce its own first one. */
function isProtected(state: RunState, agent: AgentState, turn: TurnState): boolean {
  return (
    state.settings.firstAnswerProtection &&
    agent.revisions.length === 0 &&
    !turn.hasWaivedProtection &&
    canAnswer(state, agent)
  );
}

/** Puts peers' new answers into a running turn at an ordinary safe point, as far as the settings let it. */
export function deliverAtSafePoint(
  step: Step,
  where: { readonly slot: number; readonly turnNo: number },
  turn: TurnState,
  at: Exclude<UpdateDelivered['at'], 'stale-vote'>,
): Delivery {
  const { state } = step;
  const { updateDelivery, maxMidstreamInjections: limit } = state.settings;
  const agent = agentAt(state, where.slot);
  const labels = unseenBy(state, agent, turn);
  if (labels.length === 0 || isProtected(state, agent, turn)) {
    return nothing;
  }
  if (updateDelivery === 'restart') {
    return { kind: 'restart' };
  }
  if (updateDelivery !== 'inject' || (limit !== null && turn.deliveries >= limit)) {
    return nothing;
  }
  const { slot, turnNo } = where;
  step.emit({ type: 'update-delivered', slot, turnNo, labels, at });
  return { kind: 'update', labels };
}
