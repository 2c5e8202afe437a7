// What each event of the log is called in files for scripts, and which of its members have a name of their own there.
import { parseLabel, type Slot } from '../../base/ids';
import type { ProtocolErrorCode } from '../../run/facts';
import type { RunEvent } from '../../run/events';

type EventType = RunEvent['type'];

/** The first name is the usual one; the others are for special cases, see `eventName`. */
const names = {
  'run-started': ['session_start'],
  'model-call-started': ['model_call_started'],
  'text-delta': ['text'],
  'model-call-ended': ['model_call_ended'],
  'tool-call-started': ['tool_start'],
  'tool-call-ended': ['tool_complete'],
  'approval-requested': ['approval_requested'],
  'approval-resolved': ['approval_resolved'],
  'agent-waiting': ['agent_waiting'],
  'change-set-ready': ['changes_staged'],
  'file-decided': ['changes_decided', 'changes_applied', 'changes_rejected'],
  'warning-raised': ['warning'],
  'workspace-opened': ['workspace_opened'],
  'turn-opened': ['prompt_opened'],
  'snapshot-taken': ['snapshot_taken'],
  'instructions-read': ['instructions_read'],
  'system-call-started': ['system_call_started'],
  'system-call-ended': ['system_call_ended'],
  'effect-recorded': ['effect_recorded'],
  'effect-replayed': ['effect_replayed'],
  'hosted-tool-used': ['hosted_tool_used'],
  'tool-server-changed': ['tool_server_changed'],
  'agent-turn-started': ['agent_turn_started'],
  'agent-turn-ended': ['agent_turn_ended'],
  'answer-submitted': ['new_answer'],
  'vote-cast': ['vote_cast'],
  'vote-ignored': ['vote_ignored'],
  'votes-voided': ['votes_voided'],
  'update-delivered': ['update_injected'],
  'protocol-error': ['protocol_error', 'answer_rejected', 'vote_rejected'],
  'tool-round-ended': ['tool_round_ended'],
  'backend-retried': ['backend_retried'],
  'turn-failed': ['agent_error', 'agent_timeout'],
  'agent-failed': ['agent_failed'],
  'agent-abstained': ['agent_abstained'],
  'agent-held': ['agent_held', 'answer_held'],
  'agent-stopped': ['agent_stopped'],
  'agent-cancelled': ['agent_cancelled'],
  'runoff-started': ['runoff_started'],
  'dual-pass-started': ['dual_pass_started'],
  'judge-asked': ['judge_asked'],
  'judge-decided': ['judge_decision'],
  'turn-limit-reached': ['turn_limit_reached'],
  'wrap-up-delivered': ['wrap_up_delivered'],
  'steering-received': ['steering_received'],
  'steering-delivered': ['steering_delivered'],
  'answer-now-requested': ['answer_now_requested'],
  'user-override': ['user_override'],
  'agent-revived': ['agent_revived'],
  'planning-decided': ['planning_decision'],
  'evaluation-started': ['post_evaluation_start'],
  'evaluation-ended': ['post_evaluation_result'],
  'orchestration-restarted': ['orchestration_restart'],
  'run-resumed': ['run_resumed'],
  'mix-picked': ['changes_mixed'],
  'checks-started': ['checks_started'],
  'check-ended': ['check_ended'],
  'checks-ended': ['checks_ended'],
  'extra-round-started': ['extra_round_started'],
  'cap-reached': ['cap_reached', 'orchestrator_timeout'],
  'poll-closed': ['poll_closed'],
  'tie-broken': ['tie_broken'],
  'final-agent-selected': ['final_agent_selected'],
  'final-presentation-started': ['final_round_start'],
  'final-answer': ['final_answer'],
  'run-ended': ['session_end'],
} as const satisfies Record<EventType, readonly [string, ...string[]]>;

export type EventName = (typeof names)[EventType][number];

/** Every name that the `type` of a line of `events.jsonl` can have. */
export const eventNames: readonly EventName[] = Object.values(names).flat();

const typeOfName: ReadonlyMap<string, string> = new Map(
  Object.entries(names).flatMap(([type, all]) => all.map((name) => [name, type] as const)),
);

/** `undefined` for a name that this version does not know. */
export function eventTypeOf(name: string): string | undefined {
  return typeOfName.get(name);
}

/** `undefined` for an event of a newer version. */
export function eventName(event: RunEvent): EventName | undefined {
  switch (event.type) {
    case 'protocol-error':
      return protocolErrorName(event.code);
    case 'turn-failed':
      return event.cause === 'turn_timeout' ? 'agent_timeout' : 'agent_error';
    case 'agent-held':
      return event.draft === undefined ? 'agent_held' : 'answer_held';
    case 'cap-reached':
      return event.cap === 'duration' ? 'orchestrator_timeout' : 'cap_reached';
    case 'file-decided':
      return decisionNames[event.decision];
    default:
      return Object.hasOwn(names, event.type) ? names[event.type][0] : undefined;
  }
}

const decisionNames = {
  accepted: 'changes_applied',
  rejected: 'changes_rejected',
  conflict: 'changes_decided',
  pending: 'changes_decided',
} as const;

const ofAnswers: readonly ProtocolErrorCode[] = [
  ...(['answer_limit', 'answers_closed', 'answer_duplicate', 'answer_novelty'] as const),
  ...(['answer_too_long', 'empty_answer', 'multiple_answers'] as const),
];
const ofVotes: readonly ProtocolErrorCode[] = [
  ...(['multiple_votes', 'vote_no_answers', 'invalid_target', 'self_vote'] as const),
  'voting_not_open',
];

function protocolErrorName(code: ProtocolErrorCode): EventName {
  if (ofAnswers.includes(code)) {
    return 'answer_rejected';
  }
  return ofVotes.includes(code) ? 'vote_rejected' : 'protocol_error';
}

/** Members with a name of their own; all others keep theirs, with underscores. */
const ownNames: Readonly<Partial<Record<EventType, Readonly<Record<string, string>>>>> = {
  'answer-submitted': { snapshotId: 'snapshot' },
  'vote-cast': { ballotId: 'ballot_label', target: 'voted_for_label', isInformed: 'informed' },
  'update-delivered': { at: 'safe_point' },
  'run-started': { task: 'prompt' },
  'run-ended': { outcome: 'finish_reason' },
};

/** `[name in the log, name in files]` of the members that are not spelled alike. */
export function memberNames(type: string): readonly (readonly [string, string])[] {
  const own = Object.entries(ownNames).find(([of]) => of === type)?.[1] ?? {};
  return Object.entries(own);
}

/** The agent that an event without a slot of its own is about; `null`: the whole team. */
export function subjectOf(event: RunEvent): Slot | null {
  switch (event.type) {
    case 'votes-voided':
      return parseLabel(event.cause)?.slot ?? null;
    case 'final-agent-selected':
      return event.winner?.slot ?? null;
    default:
      return null;
  }
}
