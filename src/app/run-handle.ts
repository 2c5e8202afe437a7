import type { Disposable } from '../base/disposable';
import type { Label, SnapshotId, Slot } from '../base/ids';
import type { UserCommand } from '../core/coordination/inputs';
import type { ApprovalDecision } from '../core/ports/approvals';
import type { Clock } from '../core/ports/clock';
import { MassGenError } from '../core/errors';
import type { ReviewResult, ReviewSession } from '../core/ports/review';
import type { CheckReport } from '../run/check-facts';
import { chooseAfterEnd } from '../core/orchestrator/late-choice';
import type { RunRecord } from '../core/orchestrator/run-record';
import type { RecordedEvent } from '../run/events';
import type { RunState } from '../run/state';
import type { RunHandle } from './app-contract';
import type { StoredFiles } from './run-files';

export interface HandleParts {
  readonly record: RunRecord;
  readonly files: StoredFiles;
  readonly clock: Clock;
  readonly artifactsDir: string;
}

/** What only a run that is being played can do. */
export interface LiveRun {
  readonly ended: Promise<RunState>;
  stop(): void;
  command(command: UserCommand): void;
  resolveApproval(approvalId: string, hash: string, decision: ApprovalDecision): boolean;
}

/** A run as shells see it. Its review writes decisions into the same record, also after the end. */
export class Run implements RunHandle {
  readonly ended: Promise<RunState>;
  readonly #parts: HandleParts;
  readonly #live: LiveRun | undefined;
  #isLive: boolean;
  /** Messages sent to the agents. */
  #messages = 0;
  #review: { readonly snapshotId: SnapshotId; readonly session: ReviewSession } | undefined;

  /** Without `live`: a run read from its log. */
  constructor(parts: HandleParts, live?: LiveRun) {
    this.#parts = parts;
    this.#live = live;
    this.#isLive = live !== undefined;
    this.ended =
      live === undefined
        ? Promise.resolve(parts.record.state)
        : live.ended.then(() => {
            this.#isLive = false;
            return parts.record.state;
          });
  }

  get runId(): string {
    return this.#parts.record.state.runId;
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  state(): RunState {
    return this.#parts.record.state;
  }

  onEvents(listener: (events: readonly RecordedEvent[], state: RunState) => void): Disposable {
    return this.#parts.record.onEvents(listener);
  }

  get artifactsDir(): string {
    return this.#parts.artifactsDir;
  }

  answerNow(slot: Slot): boolean {
    const turn = this.state().agents[slot - 1]?.turn ?? null;
    return turn !== null && this.#command({ kind: 'answer-now', slot });
  }

  steer(text: string, slots: readonly Slot[] | null): boolean {
    if (text.trim() === '') {
      return false;
    }
    // A message may be written before the one before it has been taken up.
    this.#messages = Math.max(this.#messages, this.state().steering.length) + 1;
    const id = `message${this.#messages}`;
    return this.#command({ kind: 'steer', id, text, targets: slots });
  }

  override(label: Label): boolean {
    const isKnown = this.state().agents.some(({ revisions }) =>
      revisions.some((revision) => revision.label === label),
    );
    if (!isKnown) {
      return false;
    }
    const { record, clock } = this.#parts;
    return this.state().outcome === null
      ? this.#command({ kind: 'override', label })
      : chooseAfterEnd(record, label, clock.now());
  }

  revive(slot: Slot): boolean {
    const isFailed = this.state().agents[slot - 1]?.status === 'failed';
    return isFailed && this.#command({ kind: 'revive', slot });
  }

  #command(command: UserCommand): boolean {
    if (this.#live === undefined || !this.#isLive) {
      return false;
    }
    this.#live.command(command);
    return true;
  }

  stop(): void {
    this.#live?.stop();
  }

  resolveApproval(approvalId: string, hash: string, decision: ApprovalDecision): boolean {
    return this.#live?.resolveApproval(approvalId, hash, decision) ?? false;
  }

  review(): ReviewSession | undefined {
    const { review, runId, contextRoots } = this.state();
    if (review === null) {
      return undefined;
    }
    const { label, snapshotId, files } = review;
    const candidates = this.state().agents.flatMap(({ revisions }) =>
      revisions.flatMap((each) =>
        each.snapshotId === null
          ? []
          : [{ label: each.label, snapshotId: each.snapshotId, files: each.changes }],
      ),
    );
    if (this.#review?.snapshotId !== snapshotId) {
      const { record, clock, files: stored } = this.#parts;
      const session = stored.openReview(
        { runId, label, snapshotId, contextRoots, files, candidates },
        (event) => record.append([event], clock.now()),
      );
      this.#review = { snapshotId, session };
    }
    return this.#review.session;
  }

  async checkMix(): Promise<CheckReport | undefined> {
    return undefined;
  }

  async applyAutomatically(): Promise<readonly ReviewResult[]> {
    return [];
  }

  keepBase(): void {
    // Filled with the layers' own part.
  }

  async tryAnswer(): Promise<string> {
    throw new MassGenError('bug/invariant', 'Answers cannot be tried yet.');
  }

  async readSnapshotFile(
    snapshotId: SnapshotId,
    root: string,
    path: string,
  ): Promise<Uint8Array | undefined> {
    return this.#parts.files.readSnapshotFile(snapshotId, root, path);
  }
}
