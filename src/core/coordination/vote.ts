import type { Label } from '../../base/ids';
import { parseLabel } from '../../base/ids';
import type { BallotPhase, ProtocolErrorCode } from '../../run/facts';
import type { AgentState, RunState, TurnState } from '../../run/state';
import { awaitsChecks } from './checks';
import type { Vote } from './enforcement';
import { agentAt, candidates, contenders, slotOf } from './ledger';
import { grantCall } from './grant';
import { staleMessage } from './messages';
import { checkPoll } from './poll';
import { isDualPass } from './split';
import { judgeTarget, unseenBy } from './staleness';
import type { VoteVerdict } from './staleness';
import type { Step } from './step';
import { isElector, isVotingOpen, toolsetFor } from './toolset';
import { direct, endTurn, holdTurn } from './turn-end';
import type { Reporter } from './turn-end';

/** Handles a vote; answers with a code when it breaks a rule, and has then changed nothing. */
export function onVote(
  step: Step,
  reporter: Reporter,
  turn: TurnState,
  vote: Vote,
): ProtocolErrorCode | undefined {
  const agent = agentAt(step.state, reporter.slot);
  const verdict = judge(step.state, agent, turn, vote);
  switch (verdict.kind) {
    case 'refused':
      return verdict.code;
    case 'stale':
      onStaleVote(step, reporter, vote, verdict.unseen);
      return undefined;
    case 'early':
      holdTurn(step, reporter);
      return undefined;
    case 'abstained':
      step.emit({ type: 'agent-abstained', slot: reporter.slot });
      break;
    case 'accepted':
      castVote(step, reporter, vote, { ...verdict, turn });
  }
  endTurn(step, reporter, 'vote');
  direct(step, reporter, { kind: 'end' });
  checkPoll(step);
  return undefined;
}

type Verdict = VoteVerdict | { readonly kind: 'abstained' | 'early' };

function judge(state: RunState, agent: AgentState, turn: TurnState, vote: Vote): Verdict {
  if (contenders(state).length === 0) {
    return { kind: 'refused', code: 'vote_no_answers' };
  }
  if (!isVotingOpen(state) || !isElector(state, agent)) {
    return { kind: 'refused', code: 'voting_not_open' };
  }
  if (awaitsChecks(state)) {
    return { kind: 'early' };
  }
  if (!vote.isAbstention) {
    return judgeTarget(state, agent, turn, vote.target);
  }
  const unseen = state.settings.updateDelivery === 'off' ? [] : unseenBy(state, agent, turn);
  const isStale = unseen.length > 0 && turn.staleReplies < state.settings.maxStaleRedeliveries;
  return isStale ? { kind: 'stale', unseen } : { kind: 'abstained' };
}

interface Cast {
  readonly target: Label;
  readonly isInformed: boolean;
  readonly turn: TurnState;
}

function castVote(step: Step, reporter: Reporter, vote: Vote, cast: Cast): void {
  const { slot, turnNo } = reporter;
  const agent = agentAt(step.state, slot);
  const approve = approvedLabels(step.state, vote, cast.target);
  step.emit({
    type: 'vote-cast',
    slot,
    turnNo,
    ballotId: `agent${slot}.vote${agent.ballots.length + 1}`,
    target: cast.target,
    reason: vote.reason,
    seen: cast.turn.shown,
    isInformed: cast.isInformed,
    weight: agent.info.weight,
    phase: phaseOf(step.state),
    ...(approve.length === 0 ? {} : { approve }),
  });
  if (isDualPass(step.state) && isContradicted(agent, cast.target)) {
    step.emit({ type: 'agent-abstained', slot });
  }
}

/** Who prefers another one of two as soon as they change places has no preference that could count. */
function isContradicted({ ballots }: AgentState, target: Label): boolean {
  const first = ballots.findLast((ballot) => ballot.void?.by === 'dual_pass')?.target;
  return first !== undefined && slotOf(first) !== slotOf(target);
}

/** Approvals are a courtesy: what names no answer that may win is left out, not refused. */
function approvedLabels(state: RunState, vote: Vote, target: Label): readonly Label[] {
  const slots = new Set(vote.approve.map((written) => parseLabel(written)?.slot));
  return candidates(state)
    .filter(({ slot, label }) => slots.has(slot) && label !== target)
    .map(({ label }) => label);
}

function phaseOf(state: RunState): BallotPhase {
  if (isDualPass(state)) {
    return 'dual_pass';
  }
  if (state.poll.kind === 'runoff') {
    return 'runoff';
  }
  return state.extraRounds > 0 ? 'extra_round' : 'vote';
}

/** The vote is not an error and not counted; the agent decides again with everything in front of it. */
function onStaleVote(step: Step, reporter: Reporter, vote: Vote, unseen: readonly Label[]): void {
  const { slot, turnNo } = reporter;
  step.emit({ type: 'vote-ignored', slot, turnNo, target: vote.target, unseen });
  const { updateDelivery } = step.state.settings;
  if (unseen.length > 0 && updateDelivery !== 'inject') {
    endTurn(step, reporter, 'restarted');
    direct(step, reporter, { kind: 'end' });
    return;
  }
  if (unseen.length > 0) {
    step.emit({ type: 'update-delivered', slot, turnNo, labels: unseen, at: 'stale-vote' });
  }
  const message = staleMessage(unseen.length > 0);
  grantCall(step, reporter, {
    kind: 'continue',
    replies: [{ toolCallId: vote.toolCallId, status: 'stale', message }],
    notice: '',
    update: unseen,
    toolset: toolsetFor(step.state, slot),
  });
}
