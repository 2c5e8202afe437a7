// What only new ballots could tell about a decision that is tried again, in sentences.
import type { Slot } from '../../base/ids';
import { isUnchecked } from '../checks';
import { agentName } from '../selectors/names';
import type { RunState } from '../state';
import { isSettled } from './early-stop';
import type { RuleSettings } from './poll';
import type { Circumstances, Closed, Replayed } from './replay-rounds';
import { selfVotePolicy } from './self-votes';
import { leadersAndRunnersUp } from './tally';

export function unknownOf(
  state: RunState,
  { closed, goesOn }: Replayed,
  rules: RuleSettings,
  circumstances: Circumstances,
): readonly string[] {
  return [
    ...refusedVotes(closed, rules),
    ...missingVotes(closed, rules, circumstances),
    ...uncheckedAnswers(state, closed),
    ...votesForOneself(state.settings, rules, closed),
    ...voidedVotes(state, rules),
    ...emptyElements(state.settings, rules, closed),
    ...(goesOn ? [furtherRound(closed, rules)] : []),
  ];
}

function refusedVotes({ refused, tally }: Closed, rules: RuleSettings): readonly string[] {
  return refused.length === 0 || isSettled(rules, tally)
    ? []
    : [
        `${named(refused)} voted for ${refused.length === 1 ? 'its' : 'their'} own answer, which would not have been allowed; another vote could change this.`,
      ];
}

/** Where the time was up, nobody would have voted any more. */
function missingVotes(
  { poll, tally, isWaiting, refused }: Closed,
  rules: RuleSettings,
  { wasCutShort }: Circumstances,
): readonly string[] {
  const voters = [...poll.ballots.map(({ voter }) => voter), ...refused];
  const missing = poll.electors.map(({ slot }) => slot).filter((slot) => !voters.includes(slot));
  const isOpen = isWaiting && wasCutShort === null && !isSettled(rules, tally);
  return missing.length === 0 || !isOpen
    ? []
    : [`There is no vote of ${named(missing)} that these rules would count; it could change this.`];
}

/** An answer that fails would have been out, and its voters would have chosen another. */
function uncheckedAnswers(state: RunState, { poll }: Closed): readonly string[] {
  const labels = poll.candidates
    .map(({ label }) => label)
    .filter((label) => isUnchecked(state, label));
  return labels.length === 0
    ? []
    : [`The checks of ${joined(labels)} had not ended; a failure would have kept it out.`];
}

function votesForOneself(
  before: RuleSettings,
  rules: RuleSettings,
  { poll }: Closed,
): readonly string[] {
  const size = poll.electors.length;
  const wasForbidden = selfVotePolicy(before.selfVote, size) === 'forbid';
  const isForbidden = selfVotePolicy(rules.selfVote, size) === 'forbid';
  const authors = poll.electors.filter((elector) =>
    poll.candidates.some(({ slot }) => slot === elector.slot),
  );
  return wasForbidden && !isForbidden && authors.length > 0
    ? ['Votes for oneself were not allowed, so nobody could cast one; some might have.']
    : [];
}

/** With an earlier end, votes for answers that were replaced later might have counted. */
function voidedVotes({ agents, settings }: RunState, rules: RuleSettings): readonly string[] {
  const isEarlier =
    rules.quorum < settings.quorum || (rules.stop === 'posterior' && settings.stop !== 'posterior');
  const voided = agents
    .flatMap(({ ballots }) => ballots)
    .filter(({ void: end }) => end?.by.startsWith('agent') === true).length;
  return voided === 0 || !isEarlier
    ? []
    : [
        `${voided === 1 ? '1 vote' : `${voided} votes`} became void when a newer answer came; with an earlier end that might have counted.`,
      ];
}

/** Parts of a tie chain that nobody was asked for when the votes were cast. */
function emptyElements(
  before: RuleSettings,
  rules: RuleSettings,
  { poll, tally }: Closed,
): readonly string[] {
  const isNew = (element: RuleSettings['tieBreak'][number]): boolean =>
    rules.tieBreak.includes(element) && !before.tieBreak.includes(element);
  if (tally.top.length < 2) {
    return [];
  }
  return [
    ...(isNew('approvals') && poll.ballots.every(({ approve }) => approve.length === 0)
      ? [
          'No voter named further answers that it would accept; approvals could have decided the tie.',
        ]
      : []),
    ...(isNew('evidence') && poll.candidates.some(({ evidence }) => evidence === null)
      ? ['Not every answer was checked; checks could have decided the tie.']
      : []),
  ];
}

function furtherRound({ poll, tally }: Closed, rules: RuleSettings): string {
  const slots = leadersAndRunnersUp(tally);
  const labels = poll.candidates.filter(({ slot }) => slots.includes(slot)).map((one) => one.label);
  const among = joined(labels);
  switch (rules.onSplit) {
    case 'runoff':
      return `A runoff between ${among} would have been held; its votes are not known.`;
    case 'another_round':
      return 'A further round would have been held, with new answers and votes that are not known.';
    case 'human':
      return `You would have been asked to choose between ${among}.`;
    default:
      return `A judge would have been asked to compare ${among}.`;
  }
}

function named(slots: readonly Slot[]): string {
  return joined(slots.map(agentName));
}

function joined(names: readonly string[]): string {
  const last = names.slice(-1);
  return names.length < 2
    ? names.join('')
    : `${names.slice(0, -1).join(', ')} and ${last.join('')}`;
}
