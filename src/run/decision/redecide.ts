// What another rule would have made of the votes that were cast. Nobody is asked, so some of it cannot be known.
import type { Label, Slot } from '../../base/ids';
import { checkFacts } from '../checks';
import type { CoordinationSettings } from '../coordination-settings';
import type { Agreement, AgentInfo, DecidedBy } from '../facts';
import type { RunState } from '../state';
import { agreementFrom } from './agreement';
import { changesBetween } from './redecide-changes';
import type { Redecided } from './redecide-changes';
import { reasonFor } from './reason';
import { recordedRounds } from './recorded-rounds';
import { replayRounds } from './replay-rounds';
import { unknownOf } from './unknown-words';

/** What can be tried. `weights`: by slot, in place of those of the team. */
export type RuleOverrides = Partial<
  Pick<
    CoordinationSettings,
    | 'rule'
    | 'threshold'
    | 'minAgreement'
    | 'quorum'
    | 'margin'
    | 'selfVote'
    | 'families'
    | 'tieBreak'
    | 'stop'
    | 'electorate'
    | 'onSplit'
  >
> & { readonly weights?: Readonly<Record<Slot, number>> };

export interface Redecision {
  /** What the team decided; what the user chose instead of it is left aside. */
  readonly before: Redecided;
  readonly after: Redecided;
  /** What is different, one sentence each; empty when nothing is. */
  readonly changes: readonly string[];
  /** What only new ballots could tell. `after` then is what the ballots that exist come to. */
  readonly unknown: readonly string[];
}

export function redecide(state: RunState, overrides: RuleOverrides): Redecision {
  const before = decidedByTeam(state);
  if (before.agreement === null) {
    return { before, after: before, changes: [], unknown: ['The vote has not been decided yet.'] };
  }
  const { weights, ...changed } = overrides;
  const rules = { ...state.settings, ...changed };
  const electors = electorsOf(state, before.agreement, rules.electorate, weights);
  const rounds = recordedRounds(state, electors);
  const circumstances = { electors, wasCutShort: cutShort(before.agreement.decidedBy) };
  const replayed = replayRounds(state, rounds, rules, circumstances);
  const { choice, course } = replayed;
  const { poll, tally } = replayed.closed;
  const newest = state.agents.flatMap(({ revisions }) => revisions.at(-1)?.label ?? []);
  const checks = checkFacts(state, newest);
  const agreement = agreementFrom(poll, rules, tally, { ...choice, ...course, ...checks });
  const winner = poll.candidates.find(({ slot }) => slot === choice.winner)?.label ?? null;
  const after = redecided(agreement, winner, poll.candidates.length);
  const unknown = unknownOf(state, replayed, rules, circumstances);
  return { before, after, changes: changesBetween(before, after), unknown };
}

function redecided(agreement: Agreement, winner: Label | null, answers: number): Redecided {
  const { result: outcome } = agreement;
  return { winner, outcome, reason: reasonFor(agreement, winner, answers), agreement };
}

function decidedByTeam({ selection, override, agents }: RunState): Redecided {
  if (selection === null) {
    return {
      winner: null,
      outcome: 'none',
      reason: 'Nothing has been decided yet.',
      agreement: null,
    };
  }
  const answers = agents.filter(({ revisions }) => revisions.length > 0).length;
  const { team, previous } = override ?? {};
  return team === undefined
    ? redecided(selection.agreement, selection.winner?.label ?? null, answers)
    : redecided({ ...selection.agreement, decidedBy: team.decidedBy }, previous ?? null, answers);
}

/** Ends that would have come whatever the rule is. */
function cutShort(decidedBy: DecidedBy): 'timeout' | 'budget' | null {
  return decidedBy === 'timeout' || decidedBy === 'budget' ? decidedBy : null;
}

/** Who could have voted: those who could, those who were left out as not needed, and those who count now. */
function electorsOf(
  state: RunState,
  agreement: Agreement,
  electorate: CoordinationSettings['electorate'],
  weights: RuleOverrides['weights'],
): readonly AgentInfo[] {
  const isWidened = electorate === 'all' && state.settings.electorate === 'answered';
  const isCutOff = agreement.earlyStop?.by === 'posterior';
  return state.agents
    .filter(({ info, status, revisions }) => {
      const isAble = status !== 'failed' && status !== 'abstained';
      const isNew = info.weight === 0 || isCutOff || (isWidened && revisions.length === 0);
      return (
        (agreement.electorate.includes(info.slot) || (isAble && isNew)) &&
        (electorate === 'all' || revisions.length > 0)
      );
    })
    .map(({ info }) => ({ ...info, weight: weights?.[info.slot] ?? info.weight }))
    .filter(({ weight }) => weight > 0);
}
