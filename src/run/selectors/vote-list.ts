import type { Slot } from '../../base/ids';
import type { Ballot } from '../facts';
import type { RunState, TimelineEntry } from '../state';
import { isOwnLabel } from './names';

/** One vote of the present attempt, whether it counts or not. */
export interface VoteRow {
  readonly key: string;
  readonly slot: Slot;
  /** The answer voted for, as the voter named it. */
  readonly label: string;
  /** In the words of the voter; may be empty. */
  readonly reason: string;
  readonly isValid: boolean;
  /** What is special about it: `its own`, `also approves agent1.1`, `void: agent2.2 arrived`. */
  readonly notes: readonly string[];
}

/** Valid votes first, by slot; then those that do not count, in the order of their time. */
export function selectVoteList(state: RunState): readonly VoteRow[] {
  const ballots = state.agents.flatMap((agent) => agent.ballots);
  const valid = ballots.filter((ballot) => ballot.void === undefined);
  const voided = ballots.filter((ballot) => ballot.void !== undefined);
  const since = state.timeline.findLastIndex(({ kind }) => kind === 'attempt') + 1;
  const ignored = state.timeline.slice(since).filter(({ kind }) => kind === 'vote-ignored');
  return [
    ...valid.toSorted((a, b) => a.voter - b.voter).map(toRow),
    ...[...voided.toSorted((a, b) => a.seq - b.seq).map(toRow), ...ignored.flatMap(ignoredRow)],
  ];
}

function toRow(ballot: Ballot): VoteRow {
  const { id, voter, target, reason, approve = [] } = ballot;
  const others = approve.filter((label) => label !== target);
  return {
    key: id,
    slot: voter,
    label: target,
    reason,
    isValid: ballot.void === undefined,
    notes: [
      ...(isOwnLabel(target, voter) ? ['its own'] : []),
      ...(ballot.phase === 'vote' ? [] : [phases[ballot.phase]]),
      ...(others.length === 0 ? [] : [`also approves ${others.join(', ')}`]),
      ...(ballot.isInformed ? [] : ['had not seen every answer']),
      ...(ballot.void === undefined
        ? []
        : [`void: ${causes[ballot.void.by] ?? `${ballot.void.by} arrived`}`]),
    ],
  };
}

const phases: Readonly<Record<Exclude<Ballot['phase'], 'vote'>, string>> = {
  runoff: 'in the runoff',
  extra_round: 'in a further round',
  dual_pass: 'compared again',
};

const causes: Readonly<Record<string, string>> = {
  runoff: 'a runoff began',
  extra_round: 'a further round began',
  dual_pass: 'the closest were compared again',
};

/** A vote for something that had been replaced meanwhile was never recorded as a ballot. */
function ignoredRow({ seq, slot, text, labels }: TimelineEntry): readonly VoteRow[] {
  return slot === null
    ? []
    : [
        {
          key: `ignored-${seq}`,
          slot,
          label: text,
          reason: '',
          isValid: false,
          notes: [`stale: ${labels.join(', ')} had arrived`],
        },
      ];
}
