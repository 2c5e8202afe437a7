// Polls by hand: who votes for whom, in numbers, without a run around it.
import type { Slot } from '../../../src/base/ids';
import { toLabel } from '../../../src/base/ids';
import { compatProfile, recommendedProfile } from '../../../src/run/profiles';
import type {
  Elector,
  Poll,
  PollBallot,
  PollCandidate,
  RuleSettings,
} from '../../../src/run/decision/poll';

export function rulesWith(changes: Partial<RuleSettings> = {}): RuleSettings {
  return { ...compatProfile, runSeed: 'seed', tieBreak: [], ...changes };
}

/** What this product proposes, with the rules changed as given. */
export function recommendedWith(changes: Partial<RuleSettings> = {}): RuleSettings {
  return { ...recommendedProfile, runSeed: 'seed', ...changes };
}

export function candidate(slot: Slot, changes: Partial<PollCandidate> = {}): PollCandidate {
  return {
    slot,
    label: toLabel(slot, 1),
    seq: slot,
    changedLines: 10,
    changedFiles: 1,
    evidence: null,
    contentHash: `content ${slot}`,
    ...changes,
  };
}

export function elector(slot: Slot, changes: Partial<Elector> = {}): Elector {
  return { slot, weight: 1, family: '', model: `model-${slot}`, ...changes };
}

export function ballot(voter: Slot, target: Slot, approve: readonly Slot[] = []): PollBallot {
  return { voter, target, approve, isInformed: true };
}

export const range = (count: number): readonly number[] =>
  Array.from({ length: count }, (_unused, index) => index + 1);

/** Jurors are numbered behind all candidates, so that nobody votes for itself. */
const firstJuror = 100;

/** Candidates 1 to m and n jurors; `choices[i]` is what juror i votes for, absent where it has not voted. */
export function jury(
  m: number,
  n: number,
  choices: readonly (Slot | undefined)[],
  changes: (index: number) => Partial<Elector> = () => ({}),
): Poll {
  return {
    candidates: range(m).map((slot) => candidate(slot)),
    electors: range(n).map((_unused, index) => elector(firstJuror + index, changes(index))),
    ballots: choices.flatMap((target, index) =>
      target === undefined ? [] : [ballot(firstJuror + index, target)],
    ),
  };
}

/** Everybody is author and voter; `choices[i]` is what agent i + 1 votes for. */
export function panel(choices: readonly (Slot | undefined)[]): Poll {
  const slots = range(choices.length);
  return {
    candidates: slots.map((slot) => candidate(slot)),
    electors: slots.map((slot) => elector(slot)),
    ballots: choices.flatMap((target, index) =>
      target === undefined ? [] : [ballot(index + 1, target)],
    ),
  };
}

/** All ways in which n voters can choose among m candidates. */
export function* allChoices(m: number, n: number): Generator<readonly Slot[]> {
  const total = m ** n;
  for (let code = 0; code < total; code++) {
    yield Array.from({ length: n }, (_unused, i) => (Math.floor(code / m ** i) % m) + 1);
  }
}
