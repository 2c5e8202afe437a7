import type { Label, Slot } from '../../base/ids';
import type { Ballot } from '../facts';
import type { RunState } from '../state';
import { currentRevision } from './candidates';
import { voters } from './phases';

export interface TallyRow {
  readonly slot: Slot;
  readonly label: Label;
  readonly isWinner: boolean;
  /** Votes that count under the rule (weighted where weights are set). */
  readonly votes: number;
  /** Without the candidate's vote for itself. */
  readonly votesFromOthers: number;
  /** Parts of the bar, 0 to 1; together at most 1. */
  readonly shareFromOthers: number;
  readonly shareSelf: number;
  /** Each valid vote for this candidate. */
  readonly voters: readonly {
    readonly slot: Slot;
    readonly isSelf: boolean;
    readonly reason: string;
  }[];
}

export interface Tally {
  /** The winner first, then by votes, then by slot. */
  readonly rows: readonly TallyRow[];
  /** Weight of all who may vote. */
  readonly eligible: number;
  readonly hasSelfVotes: boolean;
}

/** The vote as it stands, or as it was decided once it is. */
export function selectTally(state: RunState): Tally {
  const ballots = state.agents.flatMap(({ ballot }) => (ballot === null ? [] : [ballot]));
  const agreement = state.selection?.agreement;
  const eligible =
    agreement?.eligibleWeight ?? voters(state).reduce((sum, agent) => sum + agent.info.weight, 0);
  const winner = state.selection?.winner?.label;
  const rows = candidateLabels(state, winner).map(([slot, label]): TallyRow => {
    const own = ballots.filter((ballot) => ballot.target === label);
    const votes = agreement?.votes[label] ?? countedWeight(state, own, slot);
    const fromOthers =
      agreement?.votesFromOthers[label] ?? weight(own.filter(({ voter }) => voter !== slot));
    return {
      slot,
      label,
      isWinner: label === winner,
      votes,
      votesFromOthers: fromOthers,
      shareFromOthers: share(fromOthers, eligible),
      shareSelf: share(Math.max(0, votes - fromOthers), eligible),
      voters: own.map(({ voter, reason }) => ({ slot: voter, isSelf: voter === slot, reason })),
    };
  });
  const order = (a: TallyRow, b: TallyRow): number =>
    Number(b.isWinner) - Number(a.isWinner) || b.votes - a.votes || a.slot - b.slot;
  return {
    rows: rows.toSorted(order),
    eligible,
    hasSelfVotes: rows.some((row) => row.voters.some((voter) => voter.isSelf)),
  };
}

/** Current answers, and the winner where it is not one of them. */
function candidateLabels(
  state: RunState,
  winner: Label | undefined,
): readonly (readonly [slot: Slot, label: Label])[] {
  return state.agents.flatMap((agent): (readonly [Slot, Label])[] => {
    const isWinners = agent.revisions.some((revision) => revision.label === winner);
    const label = isWinners ? winner : currentRevision(agent)?.label;
    return label === undefined ? [] : [[agent.info.slot, label]];
  });
}

function countedWeight(state: RunState, ballots: readonly Ballot[], slot: Slot): number {
  const isCounted = state.settings.selfVote !== 'ignore';
  return weight(ballots.filter(({ voter }) => isCounted || voter !== slot));
}

function weight(ballots: readonly Ballot[]): number {
  return ballots.reduce((sum, ballot) => sum + ballot.weight, 0);
}

function share(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.min(1, part / whole);
}
