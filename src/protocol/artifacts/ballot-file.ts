// `vote.json`, both kinds: one beside each accepted vote, and one with the result of an attempt.
import type { Ballot } from '../../run/facts';
import { selectReason } from '../../run/selectors/verdict';
import type { AgentState, RunState } from '../../run/state';
import { toStatusAgreement } from '../status-results';
import type { StatusAgreement } from '../status-shape';
import { stamp, toSeconds } from './places';

const schemaVersion = 1;

export interface BallotFile {
  readonly schema_version: number;
  readonly ballot_label: string;
  /** Configured id. */
  readonly voter_id: string;
  /** As models see it: `agent<slot>`. */
  readonly voter_anon_id: string;
  readonly voted_for: string;
  readonly voted_for_anon: string;
  /** The answer that the voter saw and chose. */
  readonly voted_for_label: string;
  readonly reason: string;
  /** Further answers that the voter would accept. */
  readonly approve: readonly string[];
  /** Universal time, `YYYYMMDD_HHMMSS_ffffff`. */
  readonly timestamp: string;
  readonly unix_timestamp: number;
  readonly iteration: number;
  readonly coordination_round: number;
  readonly available_options: readonly string[];
  readonly available_options_anon: readonly string[];
  readonly available_options_labels: readonly string[];
  readonly answer_label_to_agent: Readonly<Record<string, string>>;
  readonly agent_mapping: Readonly<Record<string, string>>;
  /** Labels that the voter had been shown. */
  readonly seen: readonly string[];
  readonly informed: boolean;
  readonly void: boolean;
  /** The label of the answer, or the kind of vote, that made it void. */
  readonly voided_by: string | null;
  readonly weight: number;
  readonly phase: string;
  readonly vote_context: {
    readonly total_agents: number;
    readonly agents_with_answers: number;
    readonly current_task: string;
  };
}

export interface BallotCounts {
  readonly iteration: number;
  readonly round: number;
}

/** `state`: after the vote. */
export function toBallotFile(ballot: Ballot, state: RunState, counts: BallotCounts): BallotFile {
  const author = authorOf(ballot.target, state);
  const options = state.agents.flatMap(({ info, revisions }) => {
    const newest = revisions.findLast(({ label }) => ballot.seen.includes(label));
    return newest === undefined ? [] : [{ info, label: newest.label }];
  });
  return {
    schema_version: schemaVersion,
    ballot_label: ballot.id,
    voter_id: idOf(state.agents[ballot.voter - 1]),
    voter_anon_id: `agent${ballot.voter}`,
    voted_for: idOf(author),
    voted_for_anon: ballot.target.split('.')[0] ?? '',
    voted_for_label: ballot.target,
    reason: ballot.reason,
    approve: ballot.approve ?? [],
    timestamp: stamp(ballot.at, ballot.seq),
    unix_timestamp: toSeconds(ballot.at),
    iteration: counts.iteration,
    coordination_round: counts.round,
    available_options: options.map(({ info }) => info.id),
    available_options_anon: options.map(({ info }) => `agent${info.slot}`),
    available_options_labels: options.map(({ label }) => label),
    answer_label_to_agent: Object.fromEntries(options.map(({ info, label }) => [label, info.id])),
    agent_mapping: agentMapping(state),
    seen: ballot.seen,
    informed: ballot.isInformed,
    void: ballot.void !== undefined,
    voided_by: ballot.void?.by ?? null,
    weight: ballot.weight,
    phase: ballot.phase,
    vote_context: {
      total_agents: state.agents.length,
      agents_with_answers: state.agents.filter(({ revisions }) => revisions.length > 0).length,
      current_task: state.task,
    },
  };
}

export interface ResultFile {
  readonly schema_version: number;
  /** By configured id of the voter: its valid vote, or else the last one, which is void then. */
  readonly votes: Readonly<
    Record<
      string,
      {
        readonly voted_for: string;
        readonly voted_for_label: string;
        readonly reason: string;
        readonly valid: boolean;
      }
    >
  >;
  readonly winner: string | null;
  readonly winner_label: string | null;
  readonly consensus_reached: boolean;
  readonly agreement: StatusAgreement | null;
  /** Why, in one or a few sentences for people. */
  readonly reason: string | null;
}

export function toResultFile(state: RunState): ResultFile {
  const { selection } = state;
  const winner = selection?.winner ?? null;
  const votes = state.agents.flatMap((agent) => {
    const last = agent.ballot ?? agent.ballots.at(-1);
    return last === undefined ? [] : [[agent.info.id, toVote(last, state)] as const];
  });
  return {
    schema_version: schemaVersion,
    votes: Object.fromEntries(votes),
    winner: winner === null ? null : idOf(state.agents[winner.slot - 1]),
    winner_label: winner?.label ?? null,
    consensus_reached: selection?.agreement.isSatisfied ?? false,
    agreement: selection === null ? null : toStatusAgreement(selection.agreement),
    reason: selectReason(state) ?? null,
  };
}

function toVote(ballot: Ballot, state: RunState): ResultFile['votes'][string] {
  return {
    voted_for: idOf(authorOf(ballot.target, state)),
    voted_for_label: ballot.target,
    reason: ballot.reason,
    valid: ballot.void === undefined,
  };
}

/** `{agent1: <configured id>, …}`. */
export function agentMapping({ agents }: RunState): Readonly<Record<string, string>> {
  return Object.fromEntries(agents.map(({ info }) => [`agent${info.slot}`, info.id]));
}

export function authorOf(label: string, state: RunState): AgentState | undefined {
  return state.agents.find(({ revisions }) => revisions.some((each) => each.label === label));
}

function idOf(agent: AgentState | undefined): string {
  return agent?.info.id ?? '';
}
