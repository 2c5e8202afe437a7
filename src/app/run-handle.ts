import type { Disposable } from '../base/disposable';
import type { Label, SnapshotId, Slot } from '../base/ids';
import type { UserCommand } from '../core/coordination/inputs';
import type { ApprovalDecision } from '../core/ports/approvals';
import type { Clock } from '../core/ports/clock';
import { MassGenError } from '../core/errors';
import type { AutoApply, DecisionSink, ReviewResult, ReviewSession } from '../core/ports/review';
import type { CheckReport } from '../run/check-facts';
import { chooseAfterEnd } from '../core/orchestrator/late-choice';
import type { RunRecord } from '../core/orchestrator/run-record';
import { hasChecks, isExcluded } from '../run/checks';
import type { RecordedEvent } from '../run/events';
import type { Revision } from '../run/facts';
import type { RunState } from '../run/state';
import { applyAutomatically } from '../workspace/review/apply-automatically';
import type { RunHandle } from './app-contract';
import type { MixChecks } from './mix-checks';
import type { StoredFiles } from './run-files';

export interface HandleParts {
  readonly record: RunRecord;
  readonly files: StoredFiles;
  readonly clock: Clock;
  readonly artifactsDir: string;
  readonly mixes: MixChecks;
}

/** What only a run that is being played can do. */
export interface LiveRun {
  readonly ended: Promise<RunState>;
  stop(): void;
  command(command: UserCommand): void;
  keepBase(path: string, bytes: Uint8Array): void;
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
  /** Who decides at the moment; `undefined`: the user. */
  #decidedBy: 'auto' | undefined;
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
    if (this.#revision(label) === undefined) {
      return false;
    }
    const { record, clock } = this.#parts;
    return this.state().outcome === null
      ? this.#command({ kind: 'override', label })
      : chooseAfterEnd(record, label, clock.now());
  }

  #revision(label: Label): Revision | undefined {
    return this.state()
      .agents.flatMap(({ revisions }) => revisions)
      .find((revision) => revision.label === label);
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
        (event) => record.append([this.#attributed(event)], clock.now()),
      );
      this.#review = { snapshotId, session };
    }
    return this.#review.session;
  }

  #attributed(event: Parameters<DecisionSink>[0]): Parameters<DecisionSink>[0] {
    return event.type === 'file-decided' && this.#decidedBy !== undefined
      ? { ...event, by: this.#decidedBy }
      : event;
  }

  async checkMix(signal: AbortSignal): Promise<CheckReport | undefined> {
    const session = this.review();
    if (session === undefined || !hasChecks(this.state())) {
      return undefined;
    }
    return this.#parts.mixes.check(await session.composed(signal), signal);
  }

  async applyAutomatically(auto: AutoApply, signal: AbortSignal): Promise<readonly ReviewResult[]> {
    const session = this.review();
    const label = this.state().review?.label;
    if (session === undefined || label === undefined || isExcluded(this.state(), label)) {
      return [];
    }
    if (this.#revision(label)?.isUnsettled === true) {
      return skippedAsUnsettled(session);
    }
    this.#decidedBy = 'auto';
    try {
      return await applyAutomatically(session, auto, signal);
    } finally {
      this.#decidedBy = undefined;
    }
  }

  keepBase(path: string, bytes: Uint8Array): void {
    if (this.#isLive) {
      this.#live?.keepBase(path, bytes);
    }
  }

  async tryAnswer(label: Label | null, signal: AbortSignal): Promise<string> {
    const snapshotId =
      label === null
        ? await this.review()?.composed(signal)
        : (this.#revision(label)?.snapshotId ?? undefined);
    if (snapshotId === undefined) {
      throw new MassGenError('config/invalid', 'The files of this answer were not kept.');
    }
    const { files, record } = this.#parts;
    return files.writeTree({ snapshotId, folders: record.state.contextRoots }, signal);
  }

  async readSnapshotFile(
    snapshotId: SnapshotId,
    root: string,
    path: string,
  ): Promise<Uint8Array | undefined> {
    return this.#parts.files.readSnapshotFile(snapshotId, root, path);
  }
}

/** Files that may be half written are for a person to look at. */
function skippedAsUnsettled({ subject }: ReviewSession): readonly ReviewResult[] {
  const detail = 'A command still ran when it was taken, so it may be half written. Look at it.';
  return subject.files
    .filter(({ decision, caution }) => decision === 'pending' && caution === undefined)
    .map(({ root, path }) => ({ root, path, outcome: 'skipped', detail }));
}
