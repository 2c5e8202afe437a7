import { toLabel } from '../../base/ids';
import type { Slot } from '../../base/ids';
import type { ProtocolErrorCode } from '../../run/facts';
import { hasChecks } from '../../run/checks';
import type { AgentState, RunState, TurnState } from '../../run/state';
import { formalRefusal, refusalOfText } from './answer-checks';
import type { Answer, AnswerRefusal } from './answer-checks';
import { beginChecks } from './checks';
import { deliverAtSafePoint } from './delivery';
import { intentOf } from './enforcement';
import type { Stop } from './enforcement';
import { isTooFarAhead, longestHold } from './fairness';
import { failTurn } from './failure';
import type { RawAction, Toolset, TurnReport, WorkflowReply } from './inputs';
import { voidedBy } from './invalidation';
import { agentAt, currentRevision } from './ledger';
import { grantCall } from './grant';
import { refusalMessage } from './messages';
import { onOvertime } from './overtime';
import { checkPoll } from './poll';
import { unseenBy } from './staleness';
import type { Step } from './step';
import { isAtAnswerLimit, isDecomposition, toolsetFor } from './toolset';
import { direct, endTurn, holdTurn } from './turn-end';
import type { Reporter } from './turn-end';
import { onRepeats } from './turn-limits';
import { onVote } from './vote';

/** One response of a model in a coordination turn. */
export function onResponse(
  step: Step,
  reporter: Reporter,
  turn: TurnState,
  actions: readonly RawAction[],
): void {
  const intent = intentOf(step.state, actions);
  switch (intent.kind) {
    case 'answer':
      onAnswer(step, reporter, { turn, actions, answer: intent.answer });
      return;
    case 'vote': {
      const refused = onVote(step, reporter, turn, intent.vote);
      if (refused !== undefined) {
        onBreach(step, reporter, actions, { code: refused });
      }
      return;
    }
    case 'stop':
      onStop(step, reporter, intent.stop);
      return;
    case 'breach':
      onBreach(step, reporter, actions, { code: intent.code });
  }
}

interface Submission {
  readonly turn: TurnState;
  readonly actions: readonly RawAction[];
  readonly answer: Answer;
}

function onAnswer(step: Step, reporter: Reporter, submission: Submission): void {
  const { slot, turnNo } = reporter;
  const { answer, turn } = submission;
  const agent = agentAt(step.state, slot);
  const formal = formalRefusal(step.state, agent, answer);
  if (formal === undefined && isTooFarAhead(step.state, agent, step.at)) {
    hold(step, reporter, answer);
    return;
  }
  const refusal = formal ?? refusalOfText(step.state, agent, answer);
  if (refusal !== undefined) {
    onBreach(step, reporter, submission.actions, refusal);
    return;
  }
  const label = toLabel(slot, agent.revisions.length + 1);
  const reopens = reopenedBy(step.state, slot);
  step.emit({
    type: 'answer-submitted',
    slot,
    turnNo,
    label,
    text: answer.content,
    snapshotId: answer.snapshotId,
    changes: answer.changes,
    ...(answer.isUnsettled === true ? { isUnsettled: true } : {}),
    hadUnseen: unseenBy(step.state, agent, turn),
    ...(reopens.length === 0 ? {} : { reopens }),
  });
  endTurn(step, reporter, 'answer');
  direct(step, reporter, { kind: 'end' });
  if (isDecomposition(step.state) && isAtAnswerLimit(step.state, agentAt(step.state, slot))) {
    const status = 'complete';
    step.emit({ type: 'agent-stopped', slot, turnNo, by: 'limit', status, summary: '' });
  }
  const voters = voidedBy(step.state, slot);
  if (voters.length > 0) {
    step.emit({ type: 'votes-voided', cause: label, voters });
  }
  const submitted = currentRevision(agentAt(step.state, slot));
  if (submitted !== undefined) {
    beginChecks(step, submitted);
  }
  checkPoll(step);
}

/** Agents that had done their part and have reason to go on; not those that the limit for all keeps from it. */
function reopenedBy(state: RunState, author: Slot): readonly Slot[] {
  const { reopenOnUpdate = false, maxNewAnswersGlobal } = state.settings;
  const mayGoOn = (agent: AgentState): boolean =>
    maxNewAnswersGlobal === null || !isAtAnswerLimit(state, agent);
  return state.agents
    .filter((agent) => reopenOnUpdate && agent.status === 'done' && mayGoOn(agent))
    .map(({ info }) => info.slot)
    .filter((slot) => slot !== author);
}

/** The answer is kept as a draft; the agent decides again when its peers have caught up. */
function hold(step: Step, reporter: Reporter, answer: Answer): void {
  const { slot } = reporter;
  const { content: text, snapshotId, changes } = answer;
  endTurn(step, reporter, 'held');
  const draft = { text, snapshotId, changes };
  step.emit({ type: 'agent-held', slot, reason: 'fairness', draft });
  const heldAt = agentAt(step.state, slot).draft?.heldAt ?? step.at;
  const delayMs = Math.max(0, heldAt + longestHold(step.state) - step.at);
  step.request({ kind: 'set-timer', timer: { kind: 'back-off', slot }, delayMs });
  direct(step, reporter, { kind: 'end' });
}

/** The agent has done its part. */
function onStop(step: Step, reporter: Reporter, stop: Stop): void {
  const { slot, turnNo } = reporter;
  const { status, summary } = stop;
  step.emit({ type: 'agent-stopped', slot, turnNo, by: 'agent', status, summary });
  endTurn(step, reporter, 'stop');
  direct(step, reporter, { kind: 'end' });
  checkPoll(step);
}

/** A breach of the rules: the agent is told and tries again, until the turn has had its share of errors. */
function onBreach(
  step: Step,
  reporter: Reporter,
  actions: readonly RawAction[],
  refusal: AnswerRefusal,
): void {
  const { slot, turnNo } = reporter;
  const { code } = refusal;
  const before = agentAt(step.state, slot).turn;
  const attemptNo = (before?.protocolErrors ?? 0) + 1;
  const message = refusalMessage(code, toolsetFor(step.state, slot), refusal);
  step.emit({ type: 'protocol-error', slot, turnNo, code, attemptNo, message });
  if (attemptNo >= step.state.settings.maxProtocolErrors) {
    direct(step, reporter, { kind: 'end' });
    const error = { code: 'protocol/attempts-exhausted', message, retryable: false };
    failTurn(step, reporter, 'protocol', error);
    return;
  }
  const replies = actions.map(({ toolCallId }) => rejected(toolCallId, code, message));
  goOn(step, reporter, 'protocol-error', { replies, notice: actions.length === 0 ? message : '' });
}

function rejected(toolCallId: string, code: ProtocolErrorCode, message: string): WorkflowReply {
  return { toolCallId, status: 'rejected', code, message };
}

/** Ordinary tool calls have run; the turn goes on, with what its peers have handed in meanwhile. */
export function onToolRound(
  step: Step,
  reporter: Reporter,
  report: Extract<TurnReport, { readonly kind: 'tool-round' }>,
): void {
  const { slot, turnNo } = reporter;
  step.emit({ type: 'tool-round-ended', slot, turnNo, tools: report.tools });
  onRepeats(step, reporter, report.repeats);
  if (onOvertime(step, reporter)) {
    return;
  }
  goOn(step, reporter, 'tool-result', { replies: [], notice: '' });
}

interface Replies {
  readonly replies: readonly WorkflowReply[];
  readonly notice: string;
}

function goOn(
  step: Step,
  reporter: Reporter,
  at: 'tool-result' | 'protocol-error',
  said: Replies,
): void {
  const { turn } = agentAt(step.state, reporter.slot);
  const delivery = turn === null ? undefined : deliverAtSafePoint(step, reporter, turn, at);
  if (delivery?.kind === 'restart') {
    endTurn(step, reporter, 'restarted');
    direct(step, reporter, { kind: 'end' });
    return;
  }
  const toolset = toolsetFor(step.state, reporter.slot);
  if (isIdle(step.state, toolset)) {
    holdTurn(step, reporter);
    return;
  }
  const update = delivery?.labels ?? [];
  grantCall(step, reporter, { kind: 'continue', ...said, update, toolset });
}

/** What the agent could have voted for waits for its checks or has failed them, and it may hand in nothing more. */
function isIdle(state: RunState, { hasNewAnswer, hasVote, hasStop }: Toolset): boolean {
  return hasChecks(state) && !hasNewAnswer && !hasVote && hasStop !== true;
}
