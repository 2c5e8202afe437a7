import { parseLabel } from '../../base/ids';
import type { Slot } from '../../base/ids';
import type { AgentInfo } from '../facts';
import type { RunState } from '../state';
import type { Choice, Course } from './agreement';
import { chooseAmong, whoMayWin } from './decide';
import { castOnly, closeLead, earlyStop } from './early-stop';
import { toleranceOf } from './poll';
import type { Poll, RuleSettings } from './poll';
import type { RecordedRound } from './recorded-rounds';
import { hasQuorum, isSatisfied } from './rules';
import { selfVotePolicy } from './self-votes';
import { leadersAndRunnersUp, leadOf, tallyPoll } from './tally';
import type { Tally } from './tally';

/** How the rounds go by the rules that are tried. */
export interface Replayed {
  readonly closed: Closed;
  readonly choice: Choice;
  readonly course: Course;
  /** The rules would have gone on with a round, or a question, that was not held. */
  readonly goesOn: boolean;
}

export interface Closed {
  readonly poll: Poll;
  readonly tally: Tally;
  readonly stop: Choice['stop'];
  /** The rules would have waited for more ballots than there are. */
  readonly isWaiting: boolean;
  /** Voters whose ballot for themselves would not have been taken. */
  readonly refused: readonly Slot[];
}

export interface Circumstances {
  /** With the weights that are tried. */
  readonly electors: readonly AgentInfo[];
  /** What ended the vote, whatever the rule was. */
  readonly wasCutShort: 'timeout' | 'budget' | null;
}

/** Counts the rounds that were held again, by other rules, as far as they would have been the same rounds. */
export function replayRounds(
  state: RunState,
  rounds: readonly RecordedRound[],
  rules: RuleSettings,
  circumstances: Circumstances,
): Replayed {
  const [round, ...later] = rounds;
  const counts = { runoffs: 0, extraRounds: 0 };
  return replayRound({ state, rules, circumstances }, round, later, counts);
}

interface Trial {
  readonly state: RunState;
  readonly rules: RuleSettings;
  readonly circumstances: Circumstances;
}

type Counts = Pick<Course, 'runoffs' | 'extraRounds'>;

function replayRound(
  trial: Trial,
  round: RecordedRound | undefined,
  later: readonly RecordedRound[],
  counts: Counts,
): Replayed {
  const { state, rules } = trial;
  const { poll, next } = round ?? { poll: nobody, next: null };
  const closed = closing(trial, poll);
  const following = closed.isWaiting ? 'none' : whatFollows(trial, closed, next, counts);
  if (following === 'same' && next !== null) {
    const [held, ...rest] = later;
    return replayRound(trial, held, rest, {
      runoffs: counts.runoffs + (next.kind === 'runoff' ? 1 : 0),
      extraRounds: counts.extraRounds + (next.kind === 'extra_round' ? 1 : 0),
    });
  }
  const cut = cutOf(trial, closed, following);
  return {
    closed,
    choice: { ...choiceOf(trial, closed, counts, cut), stop: closed.stop },
    course: { ...counts, voidBallots: voidBallots(state) },
    goesOn: following === 'other' && cut === null && judged(state, rules) === null,
  };
}

/** The time was up before the votes were in, or before anybody outside had answered. */
function cutOf(
  { rules, circumstances }: Trial,
  { isWaiting }: Closed,
  following: Following,
): Circumstances['wasCutShort'] {
  const isAsking = rules.onSplit === 'judge' || rules.onSplit === 'human';
  return isWaiting || (following === 'other' && isAsking) ? circumstances.wasCutShort : null;
}

const nobody: Poll = { candidates: [], electors: [], ballots: [] };

/** The poll as it stood when the rules would have closed it. */
function closing({ state, rules, circumstances }: Trial, recorded: Poll): Closed {
  const weights = new Map(circumstances.electors.map(({ slot, weight }) => [slot, weight]));
  const electors = recorded.electors.map((elector) => ({
    ...elector,
    weight: weights.get(elector.slot) ?? elector.weight,
  }));
  const isRefused = selfVotePolicy(rules.selfVote, electors.length) === 'forbid';
  const taken = recorded.ballots.filter(({ voter, target }) => !isRefused || voter !== target);
  const refused = recorded.ballots.filter((one) => !taken.includes(one)).map(({ voter }) => voter);
  const poll = { ...recorded, electors, ballots: taken };
  // Only a lower quorum or a stop on likelihood can end a poll at another result than that of all its ballots.
  const { quorum, stop } = state.settings;
  const isEarlier = rules.quorum < quorum || (rules.stop === 'posterior' && stop !== 'posterior');
  for (let count = isEarlier ? 1 : taken.length; count <= taken.length; count++) {
    const closed = closedBy({ ...poll, ballots: taken.slice(0, count) }, rules);
    if (closed !== undefined) {
      return { ...closed, isWaiting: false, refused };
    }
  }
  return { poll, tally: tallyPoll(poll, rules), stop: undefined, isWaiting: true, refused };
}

function closedBy(
  poll: Poll,
  rules: RuleSettings,
): Pick<Closed, 'poll' | 'tally' | 'stop'> | undefined {
  const tally = tallyPoll(poll, rules);
  if (hasQuorum(rules, tally)) {
    return { poll, tally, stop: undefined };
  }
  const stop = earlyStop(poll, rules);
  if (stop === undefined) {
    return undefined;
  }
  const counted = stop.by === 'exact' ? poll : castOnly(poll);
  return { poll: counted, tally: tallyPoll(counted, rules), stop };
}

/** `same`: the round that was held. `other`: something that was not. `none`: the poll is decided here. */
type Following = 'same' | 'other' | 'none';

function whatFollows(
  { state, rules }: Trial,
  { tally }: Closed,
  next: RecordedRound['next'],
  counts: Counts,
): Following {
  const isClose = leadOf(tally) <= closeLead(rules, tally) + toleranceOf(tally.eligibleWeight);
  if (next?.kind === 'dual_pass' && isClose && isAbout(next, tally)) {
    return 'same';
  }
  const isDecided = tally.ballots.length === 0 || isSatisfied(rules, tally);
  if (isDecided || wasDualPass(state, next) || !mayGoOn(state, rules, counts)) {
    return 'none';
  }
  switch (rules.onSplit) {
    case 'runoff':
      return runoffAfter(state, tally, next);
    case 'another_round':
      return next?.kind === 'extra_round' ? 'same' : 'other';
    default:
      return 'other';
  }
}

/** Whether a split leads to anything but the tie chain, and has not done so too often. */
function mayGoOn(
  { settings }: RunState,
  { onSplit }: RuleSettings,
  { runoffs, extraRounds }: Counts,
): boolean {
  switch (onSplit) {
    case 'runoff':
      return runoffs < settings.maxRunoffs;
    case 'another_round':
      return extraRounds < settings.maxExtraRounds;
    case 'judge':
    case 'human':
      // Where the run had nobody to ask, that is what it would have been again.
      return settings.hasJudge || settings.onSplit !== onSplit;
    case 'tie_break':
    case 'fail':
      return false;
  }
}

/** No runoff is held between two agents about their own answers: advisers count as agents here. */
function runoffAfter({ agents }: RunState, tally: Tally, next: RecordedRound['next']): Following {
  if (next?.kind === 'runoff' && isAbout(next, tally)) {
    return 'same';
  }
  const named = leadersAndRunnersUp(tally);
  const live = agents.filter(({ status }) => status !== 'failed');
  const isAmongThemselves = live.length <= 2 && live.every(({ info }) => named.includes(info.slot));
  return named.length < 2 || isAmongThemselves ? 'none' : 'other';
}

function isAbout({ candidates }: NonNullable<RecordedRound['next']>, tally: Tally): boolean {
  const named = leadersAndRunnersUp(tally);
  return named.length === candidates.length && named.every((slot) => candidates.includes(slot));
}

/** After a comparison in the opposite order there is no further round. */
function wasDualPass({ agents }: RunState, next: RecordedRound['next']): boolean {
  const last = agents.flatMap(({ ballot }) => ballot ?? []);
  return next === null && last.some(({ phase }) => phase === 'dual_pass');
}

function choiceOf(
  { state, rules }: Trial,
  { poll, tally }: Closed,
  { runoffs }: Counts,
  cut: Circumstances['wasCutShort'],
): Choice {
  if (poll.candidates.length === 0 && hasAnswers(state)) {
    return { decidedBy: 'gate_failed', winner: null, element: null };
  }
  if (cut !== null && tally.ballots.length > 0 && state.settings.onTimeout !== 'fail') {
    return { decidedBy: cut, ...chooseAmong(poll, rules, tally, tally.top) };
  }
  if (cut !== null && state.settings.onTimeout === 'fail') {
    return { decidedBy: cut, winner: null, element: null };
  }
  const isMet = isSatisfied(rules, tally);
  const word = isMet || tally.ballots.length === 0 ? null : judged(state, rules);
  if (word !== null) {
    return { decidedBy: 'judge', winner: word, element: null };
  }
  const chosen = chooseAmong(poll, rules, tally, whoMayWin(poll, rules, tally));
  return { decidedBy: cut ?? regularly(tally, { isMet, runoffs, ...chosen }), ...chosen };
}

/** Then there is a candidate, unless all have failed their checks. */
function hasAnswers({ agents }: RunState): boolean {
  return agents.some(({ revisions }) => revisions.length > 0);
}

/** The judge that was asked did not know the rule: its word would have been the same. */
function judged({ judgeVerdict }: RunState, { onSplit }: RuleSettings): Slot | null {
  const label = onSplit === 'judge' ? (judgeVerdict?.label ?? null) : null;
  return label === null ? null : (parseLabel(label)?.slot ?? null);
}

function regularly(
  { ballots, top }: Tally,
  how: { readonly isMet: boolean; readonly winner: Slot | null; readonly runoffs: number },
): Choice['decidedBy'] {
  if (ballots.length === 0) {
    return 'no_vote';
  }
  if (how.winner === null) {
    return 'no_consensus';
  }
  if (how.isMet) {
    return how.runoffs > 0 ? 'runoff' : 'rule';
  }
  return top.length === 1 ? 'fallback_plurality' : 'tie_break';
}

function voidBallots({ agents }: RunState): number {
  return agents.flatMap(({ ballots }) => ballots).filter((one) => one.void !== undefined).length;
}
