import type { RunState } from '../../run/state';
import type { Effect } from '../coordination/effects';
import type { TurnInput } from '../ports/agent-runtime';

type TurnStart = Extract<
  Effect,
  { readonly kind: 'start-turn' | 'start-presentation' | 'start-evaluation' }
>;

/** What a turn is given to begin with; whoever finishes a run sees all current answers and has tools to read. */
export function turnInput(state: RunState, effect: TurnStart): TurnInput {
  const { slot, turnNo } = effect;
  const turn = { slot, turnNo, attempt: state.attempt, state };
  if (effect.kind === 'start-turn') {
    const { shown, toolset } = effect;
    return { ...turn, purpose: 'coordinate', shown, toolset };
  }
  return {
    ...turn,
    purpose: effect.kind === 'start-presentation' ? 'present' : 'evaluate',
    shown: state.agents.flatMap(({ revisions }) => revisions.at(-1)?.label ?? []),
    toolset: { hasNewAnswer: false, hasVote: false, hasOrdinaryTools: true, targets: [] },
  };
}
