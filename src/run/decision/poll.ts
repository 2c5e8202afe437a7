import type { Label, Slot } from '../../base/ids';
import type { CoordinationSettings } from '../coordination-settings';

/** An answer that may win. Everything a decision may look at, and nothing else. */
export interface PollCandidate {
  readonly slot: Slot;
  readonly label: Label;
  /** Position in the log; larger is later. */
  readonly seq: number;
  /** Lines added and removed. */
  readonly changedLines: number;
  readonly changedFiles: number;
  /** Result of the checks of the answer, larger is better; `null`: not checked. */
  readonly evidence: number | null;
  /** The same for equal text with equal files, whoever wrote it. */
  readonly contentHash: string;
}

/** A voter whose ballot counts. */
export interface Elector {
  readonly slot: Slot;
  readonly weight: number;
  /** Empty when not known; such a model is a family of its own. */
  readonly family: string;
  readonly model: string;
}

/** A valid ballot; at most one of each voter. */
export interface PollBallot {
  readonly voter: Slot;
  readonly target: Slot;
  /** Others that the voter would accept. */
  readonly approve: readonly Slot[];
  readonly isInformed: boolean;
}

/** What is decided about, as plain data: no run, no clock, no names but slots. */
export interface Poll {
  readonly candidates: readonly PollCandidate[];
  readonly electors: readonly Elector[];
  readonly ballots: readonly PollBallot[];
}

/** The settings that a decision depends on. */
export type RuleSettings = Pick<
  CoordinationSettings,
  | 'profile'
  | 'rule'
  | 'threshold'
  | 'minAgreement'
  | 'quorum'
  | 'margin'
  | 'selfVote'
  | 'families'
  | 'stop'
  | 'posteriorAt'
  | 'dualPass'
  | 'onSplit'
  | 'tieBreak'
  | 'runSeed'
>;

/** Weights are sums of fractions; differences below this share of the whole are none. */
const relativeTolerance = 1e-9;

/** What may be lost to rounding when weights that add up to `total` are compared. */
export function toleranceOf(total: number): number {
  return total * relativeTolerance;
}
