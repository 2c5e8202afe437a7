import type { Slot } from '../../base/ids';
import { checkedFirst, evidenceOf, isExcluded } from '../checks';
import type { AgentInfo, Ballot, Revision, VoidCause } from '../facts';
import type { RunState, TimelineEntry } from '../state';
import type { Poll } from './poll';
import { pollOf } from './poll-of';

/** One round of voting as it was held, ballots in the order in which they were cast. */
export interface RecordedRound {
  readonly poll: Poll;
  /** What followed because this round did not decide; `null` for the last one. */
  readonly next: { readonly kind: RoundCause; readonly candidates: readonly Slot[] } | null;
}

type RoundCause = Extract<VoidCause, 'runoff' | 'extra_round' | 'dual_pass'>;

/** The rounds of the last attempt, oldest first. `electors`: who could vote at its end. */
export function recordedRounds(
  state: RunState,
  electors: readonly AgentInfo[],
): readonly RecordedRound[] {
  const held = laterRounds(state);
  const ends = endsOfRounds(state);
  const rounds = ends.map(({ by, seq }, index): RecordedRound => {
    const ballots = ballotsWhere(state, (ballot) => ballot.void?.seq === seq);
    const { agents } = state;
    const last = electors.map(({ slot }) => slot);
    const slots = [...ballots.map(({ voter }) => voter), ...leftAfter(state, seq), ...last];
    const since = (slot: Slot): number =>
      ballots.find(({ voter }) => voter === slot)?.seq ?? ends[index - 1]?.seq ?? 0;
    return {
      poll: pollOf({
        candidates: answersAt(state, seq, held[index - 1]?.slots),
        electors: agents
          .map(({ info }) => info)
          .filter(({ weight }) => weight > 0)
          .filter(({ slot }) => slots.includes(slot) && !hasLeft(state, slot, since(slot), seq)),
        ballots,
        evidenceOf: (label) => evidenceOf(state, label),
      }),
      next: { kind: by, candidates: held[index]?.slots ?? [] },
    };
  });
  const ballots = ballotsWhere(state, (ballot) => ballot.void === undefined);
  const standing = answersAt(state, Infinity, held[ends.length - 1]?.slots);
  const last = pollOf({
    candidates: ballots.length === 0 ? checkedFirst(state, standing) : standing,
    ...{ electors, ballots },
    evidenceOf: (label) => evidenceOf(state, label),
  });
  return [...rounds, { poll: last, next: null }];
}

/** Who failed or abstained later could still vote then. */
function leftAfter({ timeline }: RunState, seq: number): readonly Slot[] {
  return timeline.filter((entry) => entry.seq > seq && isLeaving(entry)).flatMap(slotOf);
}

/** Who failed or abstained before a round ended, and after its own vote in it, does not count into it. */
function hasLeft({ timeline }: RunState, slot: Slot, from: number, end: number): boolean {
  return timeline
    .filter((entry) => entry.seq > from && entry.seq < end && isLeaving(entry))
    .some((entry) => entry.slot === slot);
}

function isLeaving({ kind }: TimelineEntry): boolean {
  return kind === 'agent-failed' || kind === 'agent-abstained';
}

function slotOf({ slot }: TimelineEntry): readonly Slot[] {
  return slot === null ? [] : [slot];
}

interface RoundEnd {
  readonly by: RoundCause;
  readonly seq: number;
}

function endsOfRounds({ agents }: RunState): readonly RoundEnd[] {
  const found = new Map<number, RoundEnd>();
  for (const { void: end } of agents.flatMap(({ ballots }) => ballots)) {
    if (end?.by === 'runoff' || end?.by === 'extra_round' || end?.by === 'dual_pass') {
      found.set(end.seq, { by: end.by, seq: end.seq });
    }
  }
  return [...found.values()].sort((a, b) => a.seq - b.seq);
}

/** Rounds after the first with their candidates; a further round of all has none of its own. */
function laterRounds({ timeline }: RunState): readonly { readonly slots?: readonly Slot[] }[] {
  const since = timeline.findLastIndex(({ kind }) => kind === 'attempt') + 1;
  return timeline.slice(since).flatMap(({ kind, slots }) => {
    if (kind === 'extra-round') {
      return [{}];
    }
    return kind === 'runoff' || kind === 'dual-pass' ? [{ slots }] : [];
  });
}

/** The answers that could win before event `seq`, of `slots` only where these are given. */
function answersAt(
  state: RunState,
  seq: number,
  slots: readonly Slot[] | undefined,
): readonly Revision[] {
  return state.agents
    .flatMap(({ revisions }) => revisions.findLast((revision) => revision.seq < seq) ?? [])
    .filter(({ slot }) => slots === undefined || slots.includes(slot))
    .filter(({ label }) => !isExcluded(state, label));
}

/** One ballot of each agent, its last: who is woken by a message may vote once more. */
function ballotsWhere(state: RunState, isMeant: (ballot: Ballot) => boolean): readonly Ballot[] {
  return state.agents
    .flatMap(({ ballots }) => ballots.findLast(isMeant) ?? [])
    .sort((a, b) => a.seq - b.seq);
}
