// Checks: commands that are run in every candidate, and what they came to.
import type { Label, SnapshotId } from '../base/ids';
import type { PayloadRef } from './facts';

export type CheckKind = 'build' | 'types' | 'test' | 'lint' | 'format' | 'other';

/** A command that is run in every candidate before the ballot, and first of all on the untouched folders. */
export interface CheckSpec {
  /** Unique in the team. */
  readonly name: string;
  /** Shell text, run in the first context root. */
  readonly command: string;
  readonly kind: CheckKind;
  readonly timeoutMs: number;
  /** `gate`: a candidate that fails it anew cannot be voted for. `inform`: it is only told. */
  readonly mode: 'gate' | 'inform';
}

export interface CheckResult {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'timed-out' | 'not-run';
  /** `null` when it was killed or not run. */
  readonly exitCode: number | null;
  readonly durationMs: number;
  /** Last lines of the output for people and models, at most 2,000 characters; untrusted text. Why, when it was not run. */
  readonly tail: string;
  /** The whole output as it was kept; absent when `tail` is all. */
  readonly output?: PayloadRef;
  /** Answered from an earlier run of the same command on the same tree. */
  readonly isCached: boolean;
  /** Failed once and passed when it was run again. */
  readonly isFlaky: boolean;
  /** Against the untouched folders; `unknown` when there is no result to compare with, and always for the baseline. */
  readonly comparison: 'same' | 'regression' | 'fixed' | 'unknown';
}

/** Test files that a candidate changed. Paths are `root/path`. */
export interface ChangedTests {
  readonly edited: readonly string[];
  readonly deleted: readonly string[];
  /** Tests are skipped that were not skipped before. */
  readonly skipped: readonly string[];
  /** The checks were run with the tests of the base in their place. */
  readonly isRestored: boolean;
  /** Other files that say what a check does, e.g. a makefile, changed or new; used as the candidate has them. Absent: none. */
  readonly rules?: readonly string[];
}

/** What the checks of one tree came to, in the order of the settings. */
export interface CheckReport {
  readonly results: readonly CheckResult[];
  readonly tests: ChangedTests;
}

/** Which tree was checked: the untouched folders, an answer, or what the user put together of several. */
export type CheckSubject =
  | { readonly kind: 'baseline' }
  | { readonly kind: 'answer'; readonly label: Label }
  | { readonly kind: 'mix'; readonly snapshotId: SnapshotId };
