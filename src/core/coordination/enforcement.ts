import { parseLabel } from '../../base/ids';
import type { ProtocolErrorCode } from '../../run/facts';
import type { RunState } from '../../run/state';
import { comparable } from './answer-checks';
import type { Answer } from './answer-checks';
import type { RawAction } from './inputs';
import { currentRevision } from './ledger';
import { isDecomposition } from './toolset';

export type Vote = Extract<RawAction, { readonly kind: 'vote' }>;

export type Stop = Extract<RawAction, { readonly kind: 'stop' }>;

/** What a response comes to: exactly one action that can end the turn, or a breach of the rules. */
export type Intent =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'vote'; readonly vote: Vote }
  | { readonly kind: 'stop'; readonly stop: Stop }
  | { readonly kind: 'breach'; readonly code: ProtocolErrorCode };

/** The same action called twice in one response counts once; two different ones are a breach. */
export function intentOf(state: RunState, actions: readonly RawAction[]): Intent {
  const answers = actions.filter((action) => action.kind === 'new_answer');
  // Of voting and stopping, a run has one; the other is a tool that does not exist.
  const isVoting = !isDecomposition(state);
  const votes = isVoting ? actions.filter((action) => action.kind === 'vote') : [];
  const stop = isVoting ? undefined : actions.find((action) => action.kind === 'stop');
  const [answer] = answers;
  const [vote] = votes;
  if (actions.some(({ kind }) => kind === 'bad_arguments')) {
    return { kind: 'breach', code: 'bad_arguments' };
  }
  if (answer !== undefined && vote !== undefined) {
    return { kind: 'breach', code: 'vote_and_answer' };
  }
  if (answer !== undefined) {
    return new Set(answers.map(({ content }) => comparable(content))).size > 1
      ? { kind: 'breach', code: 'multiple_answers' }
      : { kind: 'answer', answer };
  }
  if (vote !== undefined) {
    return new Set(votes.map((one) => targetKey(state, one))).size > 1
      ? { kind: 'breach', code: 'multiple_votes' }
      : { kind: 'vote', vote };
  }
  if (stop !== undefined) {
    return { kind: 'stop', stop };
  }
  return { kind: 'breach', code: actions.length > 0 ? 'unknown_tool' : 'no_workflow_call' };
}

/** Equal for two ways of writing one target: `agent2` and the label of that agent's current answer. */
function targetKey(state: RunState, vote: Vote): string {
  const target = parseLabel(vote.target);
  if (vote.isAbstention || target === undefined) {
    return vote.isAbstention ? 'abstention' : vote.target;
  }
  const agent = state.agents[target.slot - 1];
  const n = target.n ?? (agent === undefined ? 0 : (currentRevision(agent)?.n ?? 0));
  return `${target.slot}.${n}`;
}
