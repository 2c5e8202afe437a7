import type { AnswerSubmitted, VoteCast, VotesVoided } from '../turn-events';
import type { Ballot, Revision } from '../facts';
import type { AgentState, RunState } from '../state';
import { withAgent, withAgents } from './agents';
import { answeredAgain } from './peers-seen';

interface Place {
  readonly seq: number;
  readonly at: number;
}

export function answerSubmitted(state: RunState, event: AnswerSubmitted, place: Place): RunState {
  return withAgent(reopened(state, event.reopens), event.slot, (agent) => {
    const revision: Revision = {
      label: event.label,
      slot: event.slot,
      n: agent.revisions.length + 1,
      text: event.text,
      snapshotId: event.snapshotId,
      changes: event.changes,
      ...(event.isUnsettled === true ? { isUnsettled: true } : {}),
      ...citedBy(agent),
      turnNo: event.turnNo,
      unseenAtSubmit: event.hadUnseen,
      seq: place.seq,
      at: place.at,
    };
    return {
      revisions: [...agent.revisions, revision],
      ...withoutDraft(agent),
      ...answeredAgain(state, agent),
      failedTurns: 0,
      lastActivityAt: place.at,
    };
  });
}

function citedBy({ citations = [] }: AgentState): Pick<Revision, 'citations'> {
  return citations.length === 0 ? {} : { citations };
}

function reopened(state: RunState, slots: AnswerSubmitted['reopens'] = []): RunState {
  return slots.length === 0
    ? state
    : withAgents(state, ({ info }) =>
        slots.includes(info.slot) ? { status: 'idle', stop: null } : undefined,
      );
}

export function voteCast(state: RunState, event: VoteCast, place: Place): RunState {
  const ballot: Ballot = {
    id: event.ballotId,
    voter: event.slot,
    target: event.target,
    reason: event.reason,
    seen: event.seen,
    isInformed: event.isInformed,
    weight: event.weight,
    phase: event.phase,
    seq: place.seq,
    at: place.at,
    ...(event.approve === undefined ? {} : { approve: event.approve }),
  };
  return withAgent(state, event.slot, (agent) => ({
    ballot,
    ballots: [...agent.ballots, ballot],
    status: 'voted',
    ...withoutDraft(agent),
    failedTurns: 0,
    lastActivityAt: place.at,
  }));
}

function withoutDraft(agent: AgentState): Partial<AgentState> {
  return (agent.draft ?? null) === null ? {} : { draft: null };
}

/** Voters are free to vote again. Ahead of a runoff or an extra round, so are those who abstained. */
export function votesVoided(state: RunState, event: VotesVoided, seq: number): RunState {
  return withAgents(state, (agent) => {
    if (!event.voters.includes(agent.info.slot)) {
      return undefined;
    }
    return {
      ballot: null,
      status: agent.status === 'voted' || agent.status === 'abstained' ? 'idle' : agent.status,
      ballots: agent.ballots.map((ballot) =>
        ballot.id === agent.ballot?.id ? { ...ballot, void: { by: event.cause, seq } } : ballot,
      ),
    };
  });
}
