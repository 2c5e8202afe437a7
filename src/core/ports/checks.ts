import type { CheckReport, CheckResult, CheckSpec } from '../../run/check-facts';
import type { SnapshotId } from '../../base/ids';

/** Told about each check as it ends, in the order in which they end. */
export type OnCheckEnded = (result: CheckResult) => void;

/**
 * Runs the checks of a run: each in a tree of its own, confined like commands of agents, never in the user's folders.
 * Not more at a time than the machine has cores. A result is kept by tree and command, and told again at once.
 */
export interface CheckRunner {
  /** The checks on the folders as a new agent finds them. Asked for once per run; later calls answer the same. */
  baseline(onEnded: OnCheckEnded, signal: AbortSignal): Promise<CheckReport>;
  /**
   * The checks on a snapshot, compared with the baseline, which is waited for. Tests that the snapshot changed are put
   * back for the gates. Rejects with `cancelled/*` only: what cannot be run has the status `not-run` with the reason.
   */
  candidate(
    snapshotId: SnapshotId,
    onEnded: OnCheckEnded,
    signal: AbortSignal,
  ): Promise<CheckReport>;
  /** Ends checks that still run and removes their trees. Idempotent. */
  close(): Promise<void>;
}

/** A command of the project that looks like a check, offered to the user and never run without being chosen. */
export interface CheckProposal {
  readonly spec: CheckSpec;
  /** Where it was found, e.g. `package.json, script "test"`. */
  readonly source: string;
}
