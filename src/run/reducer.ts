import { assertNever } from '../base/assert';
import { eventSince } from './events';
import type { DecidedEvent, ObservedEvent, RecordedEvent, RunEvent } from './events';
import { hostedToolUsed, toolServerChanged } from './reducer/agent-tools';
import { withAgent } from './reducer/agents';
import { approvalRequested, approvalResolved } from './reducer/approvals';
import * as checks from './reducer/checks';
import { answerSubmitted, voteCast, votesVoided } from './reducer/ballots';
import { initialState, runStarted } from './reducer/initial-state';
import { evaluationEnded, evaluationStarted, orchestrationRestarted } from './reducer/attempts';
import { afterStreak, isOfOneAgent, ofOneAgent, type OneAgentEvent } from './reducer/one-agent';
import * as records from './reducer/records';
import { runResumed } from './reducer/resumption';
import { changeSetReady, fileDecided, mixPicked } from './reducer/review';
import { withTimeline } from './reducer/timeline';
import * as turns from './reducer/turns';
import { agentHeld, agentStopped, finalAnswer, runEnded, runoffStarted } from './reducer/whole-run';
import type { RunState } from './state';

export { initialState };

/**
 * The only reducer: the state after one more event of the log. `undefined` is the state before the first event.
 * Pure and total; an event that this version does not know advances `seq` and changes nothing else, so that the log
 * of a newer version stays readable.
 */
export function apply(state: RunState | undefined, recorded: RecordedEvent): RunState {
  const before = state ?? initialState;
  const { seq, at, event } = recorded;
  if (!Object.hasOwn(eventSince, event.type)) {
    return { ...before, seq };
  }
  const after = withTimeline(reduce(before, event, { seq, at }), event, { seq, at });
  return { ...after, seq, lastEventAt: at };
}

/**
 * The state after many events: the same as `apply` for each of them, in a fraction of the time. `undefined` when there
 * is neither a state nor an event.
 */
export function applyAll(
  state: RunState | undefined,
  events: readonly RecordedEvent[],
): RunState | undefined {
  let current = state;
  let next = 0;
  while (next < events.length) {
    const recorded = events[next];
    if (recorded === undefined) {
      break;
    }
    if (isOfOneAgent(recorded.event)) {
      ({ state: current, next } = afterStreak(current ?? initialState, events, next));
    } else {
      current = apply(current, recorded);
      next++;
    }
  }
  return current;
}

interface Place {
  readonly seq: number;
  readonly at: number;
}

function reduce(state: RunState, event: RunEvent, place: Place): RunState {
  switch (event.type) {
    case 'run-started':
      return runStarted(event, place.at);
    case 'model-call-started':
    case 'text-delta':
    case 'model-call-ended':
    case 'tool-call-started':
    case 'tool-call-ended':
    case 'tool-round-ended':
    case 'agent-waiting':
      return ofOneAgent(state, event, place.at);
    case 'approval-requested':
    case 'approval-resolved':
    case 'workspace-opened':
    case 'turn-opened':
    case 'snapshot-taken':
    case 'instructions-read':
    case 'system-call-started':
    case 'system-call-ended':
    case 'effect-recorded':
    case 'effect-replayed':
    case 'hosted-tool-used':
    case 'tool-server-changed':
    case 'change-set-ready':
    case 'file-decided':
    case 'mix-picked':
    case 'checks-started':
    case 'check-ended':
    case 'warning-raised':
      return observed(state, event, place.at);
    default:
      return decided(state, event, place);
  }
}

function observed(
  state: RunState,
  event: Exclude<ObservedEvent, OneAgentEvent>,
  at: number,
): RunState {
  switch (event.type) {
    case 'approval-requested':
      return approvalRequested(state, event, at);
    case 'approval-resolved':
      return approvalResolved(state, event, at);
    case 'change-set-ready':
      return changeSetReady(state, event);
    case 'file-decided':
      return fileDecided(state, event);
    case 'mix-picked':
      return mixPicked(state, event);
    case 'checks-started':
      return checks.checksStarted(state, event);
    case 'check-ended':
      return checks.checkEnded(state, event);
    case 'instructions-read':
      return records.instructionsRead(state, event);
    case 'system-call-started':
      return records.systemCallStarted(state, event);
    case 'system-call-ended':
      return records.systemCallEnded(state, event);
    case 'effect-recorded':
      return records.effectRecorded(state, event);
    case 'hosted-tool-used':
      return withAgent(state, event.slot, (agent) => hostedToolUsed(agent, event, at));
    case 'tool-server-changed':
      return withAgent(state, event.slot, (agent) => toolServerChanged(agent, event));
    case 'workspace-opened':
    case 'turn-opened':
    case 'snapshot-taken':
    case 'effect-replayed':
    case 'warning-raised':
      return state;
    default:
      return assertNever(event, 'observed event');
  }
}

type WiderDecision = Exclude<DecidedEvent, OneAgentEvent>;

function decided(state: RunState, event: WiderDecision, place: Place): RunState {
  switch (event.type) {
    case 'answer-submitted':
      return answerSubmitted(state, event, place);
    case 'vote-cast':
      return voteCast(state, event, place);
    case 'checks-ended':
      return checks.checksEnded(state, event);
    case 'votes-voided':
      return votesVoided(state, event, place.seq);
    case 'agent-abstained':
      return withAgent(state, event.slot, () => ({ status: 'abstained' }));
    case 'agent-held':
      return agentHeld(state, event, place.at);
    case 'agent-stopped':
      return agentStopped(state, event);
    case 'runoff-started':
      return runoffStarted(state, event);
    case 'extra-round-started':
      return { ...state, extraRounds: state.extraRounds + 1 };
    case 'cap-reached':
      return { ...state, capReached: event.cap };
    case 'poll-closed':
      return { ...state, poll: { kind: 'closed' } };
    case 'tie-broken':
      return state;
    case 'final-agent-selected':
      return { ...state, selection: { winner: event.winner, agreement: event.agreement } };
    case 'final-answer':
      return finalAnswer(state, event);
    case 'run-ended':
      return runEnded(state, event);
    case 'dual-pass-started': {
      const { candidates } = event;
      return { ...state, poll: { kind: 'runoff', candidates, isDualPass: true } };
    }
    case 'judge-asked':
      return { ...state, poll: { kind: 'judge', candidates: event.candidates } };
    case 'judge-decided':
      return { ...state, judgeVerdict: { label: event.label, reason: event.reason } };
    case 'orchestration-restarted':
      return orchestrationRestarted(state, event, place.at);
    case 'run-resumed':
      return runResumed(state, place.at);
    case 'steering-received':
      return records.steeringReceived(state, event, place.at);
    case 'user-override':
      return records.userOverride(state, event);
    case 'agent-revived':
      return records.agentRevived(state, event);
    case 'planning-decided':
      return records.planningDecided(state, event);
    case 'answer-now-requested':
      return state;
    case 'evaluation-ended':
      return evaluationEnded(state, event);
    default:
      return inTurn(state, event, place.at);
  }
}

type TurnEvent = Extract<
  DecidedEvent,
  {
    readonly type:
      | 'agent-turn-started'
      | 'agent-turn-ended'
      | 'vote-ignored'
      | 'update-delivered'
      | 'protocol-error'
      | 'backend-retried'
      | 'turn-failed'
      | 'agent-failed'
      | 'agent-cancelled'
      | 'final-presentation-started'
      | 'turn-limit-reached'
      | 'wrap-up-delivered'
      | 'steering-delivered'
      | 'evaluation-started';
  }
>;

function inTurn(state: RunState, event: TurnEvent, at: number): RunState {
  switch (event.type) {
    case 'agent-turn-started':
      return turns.turnStarted(state, event, at);
    case 'agent-turn-ended':
      return turns.turnEnded(state, event, at);
    case 'vote-ignored':
      return turns.voteIgnored(state, event);
    case 'update-delivered':
      return turns.updateDelivered(state, event);
    case 'protocol-error':
      return turns.protocolError(state, event);
    case 'backend-retried':
      return turns.backendRetried(state, event, at);
    case 'turn-failed':
      return turns.turnFailed(state, event, at);
    case 'agent-failed':
      return turns.agentFailed(state, event);
    case 'agent-cancelled':
      return turns.agentCancelled(state, event);
    case 'final-presentation-started':
      return turns.presentationStarted(state, event, at);
    case 'turn-limit-reached':
      return records.turnLimitReached(state, event, at);
    case 'wrap-up-delivered':
      return records.wrapUpDelivered(state, event, at);
    case 'steering-delivered':
      return records.steeringDelivered(state, event);
    case 'evaluation-started':
      return evaluationStarted(state, event, at);
    default:
      return assertNever(event, 'turn event');
  }
}
