import { join } from 'node:path';
import { MassGenError, isMassGenError } from '../../core/errors';
import type { DecisionSink, FileVersions, LiveFiles } from '../../core/ports/review';
import type { SnapshotId } from '../../base/ids';
import type { Alternative, PickResult, ReviewResult, ReviewSession } from '../../core/ports/review';
import type { ReviewSubject, ReviewTarget } from '../../core/ports/review';
import type { ContextRootInfo, FileChange } from '../../run/facts';
import type { ManifestEntry } from '../manifest';
import { Serial } from '../serial';
import type { SnapshotStore } from '../snapshot-store';
import { foldersAbove, inWriteOrder } from './apply-order';
import type { WriteParts, WriteRequest, Written } from './file-writer';
import { writeGuarded } from './file-writer';
import type { Plan, SideNames, Version } from './plan-change';
import { planChange } from './plan-change';
import type { AppliedChange } from './review-journal';
import { ReviewJournal } from './review-journal';
import { ReviewState, keyOf } from './review-state';
import { bytesOf, loadBase, loadProposed, loadVersion, toVersion } from './stored-versions';
import { findTarget } from './target-place';

export interface ReviewSessionOptions {
  readonly subject: ReviewSubject;
  readonly store: SnapshotStore;
  readonly live: LiveFiles;
  /** Folder for the journal; one file per snapshot. */
  readonly journalDir: string;
  readonly onDecision: DecisionSink;
}

/** Reads the journal at once; writes nothing until something is decided. */
export function createReviewSession(options: ReviewSessionOptions): ReviewSession {
  return new SnapshotReview(options);
}

class SnapshotReview implements ReviewSession {
  readonly subject: ReviewSubject;
  readonly #options: ReviewSessionOptions;
  readonly #parts: WriteParts;
  readonly #turns = new Serial();
  readonly #names: SideNames;
  /** Tokens of the live files as they were shown last. */
  readonly #shown = new Map<string, string | undefined>();

  /** Files whose last decision the run's log does not have. */
  readonly #untold = new Set<string>();

  constructor(options: ReviewSessionOptions) {
    this.subject = options.subject;
    this.#options = options;
    const name = `review-${options.subject.snapshotId.slice(0, 16)}.jsonl`;
    const journal = new ReviewJournal(join(options.journalDir, name));
    const state = new ReviewState(journal.read());
    this.#parts = { store: options.store, live: options.live, journal, state };
    this.#names = { live: 'your file', proposed: options.subject.label };
  }

  async versions(target: ReviewTarget, signal: AbortSignal): Promise<FileVersions> {
    const entry = this.#entry(target);
    const proposed = entry === undefined ? undefined : loadProposed(this.#options.store, entry.now);
    const base = entry === undefined ? undefined : loadBase(this.#options.store, entry.base);
    const root = this.#root(target);
    if (root === undefined) {
      return { ...nothing, proposed: bytesOf(proposed), merged: bytesOf(proposed) };
    }
    const place = await findTarget(root, target.path);
    const file = await this.#options.live.read(place.path, signal);
    this.#shown.set(keyOf(target), file?.token);
    const live = toVersion(file);
    const plan = planChange({ base, proposed, live }, this.#names);
    return {
      base: bytesOf(base),
      proposed: bytesOf(proposed),
      live: bytesOf(live),
      merged: mergedBytes(plan, live),
      mergedWithMarkers: plan.type === 'conflict' ? plan.withMarkers : undefined,
      isConflict: plan.type === 'conflict',
      hunks: [],
    };
  }

  async accept(
    targets: readonly ReviewTarget[] | undefined,
    signal: AbortSignal,
  ): Promise<readonly ReviewResult[]> {
    return this.#each(targets ?? this.#acceptable(), signal, (target) =>
      this.#accept(target, signal),
    );
  }

  async reject(targets: readonly ReviewTarget[] | undefined): Promise<readonly ReviewResult[]> {
    this.#catchUp();
    const undecided = ({ root, path }: FileChange): boolean =>
      ['pending', 'uncertain'].includes(this.#parts.state.get({ root, path }).type);
    const asked = targets ?? this.subject.files.filter(undecided);
    return this.#each(asked, new AbortController().signal, async (target) => {
      const state = this.#parts.state.get(target).type;
      if (state === 'accepted' || this.#change(target) === undefined) {
        return this.#answer(
          target,
          'skipped',
          state === 'accepted' ? 'It was accepted; undo that first.' : notInProposal,
        );
      }
      const record = { type: 'rejected', root: target.root, path: target.path } as const;
      this.#parts.journal.append(record);
      this.#parts.state.apply(record);
      this.#decide(target, 'rejected');
      return this.#answer(target, 'done');
    });
  }

  async resolve(
    target: ReviewTarget,
    chosen: Uint8Array | undefined,
    signal: AbortSignal,
  ): Promise<ReviewResult> {
    this.#catchUp();
    if (this.#parts.state.get(target).type === 'accepted') {
      return this.#answer(target, 'skipped', 'It was accepted; undo that first.');
    }
    const [result] = await this.#each([target], signal, (each) =>
      this.#write(each, signal, (live, token) => {
        const isAsShown = !this.#shown.has(keyOf(each)) || this.#shown.get(keyOf(each)) === token;
        return isAsShown ? this.#planChosen(each, live, chosen) : changedSinceShown;
      }),
    );
    return result ?? this.#answer(target, 'failed', notInProposal);
  }

  async undo(
    targets: readonly ReviewTarget[] | undefined,
    signal: AbortSignal,
  ): Promise<readonly ReviewResult[]> {
    this.#catchUp();
    const isWritten = ({ root, path }: ReviewTarget): boolean =>
      ['accepted', 'uncertain'].includes(this.#parts.state.get({ root, path }).type);
    const asked = targets ?? this.subject.files.filter(isWritten);
    return this.#each(asked, signal, (target) => this.#undo(target, signal), 'undo');
  }

  async alternatives(): Promise<readonly Alternative[]> {
    return [];
  }

  async pick(): Promise<PickResult> {
    return { kind: 'refused', detail: notInProposal };
  }

  async composed(): Promise<SnapshotId> {
    return this.subject.snapshotId;
  }

  async patch(): Promise<Uint8Array> {
    return new Uint8Array();
  }

  async #accept(target: ReviewTarget, signal: AbortSignal): Promise<ReviewResult> {
    const entry = this.#entry(target);
    if (this.#parts.state.get(target).type === 'accepted') {
      if (this.#untold.has(keyOf(target))) {
        this.#decide(target, 'accepted');
      }
      return this.#answer(target, 'done');
    }
    if (entry === undefined) {
      const isGone = this.#change(target) !== undefined;
      return this.#answer(target, 'failed', isGone ? storedFilesGone : notInProposal);
    }
    const base = loadBase(this.#options.store, entry.base);
    const proposed = loadProposed(this.#options.store, entry.now);
    return this.#write(target, signal, (live) => planChange({ base, proposed, live }, this.#names));
  }

  async #write(
    target: ReviewTarget,
    signal: AbortSignal,
    plan: WriteRequest['plan'],
  ): Promise<ReviewResult> {
    const root = this.#root(target);
    if (root === undefined) {
      return this.#answer(target, 'skipped', 'It has no place in a folder yet; save it to one.');
    }
    const emptyFolders = await this.#foldersInTheWay(root, target);
    const request = { root, target, plan, kind: 'writing', emptyFolders } as const;
    const written = await writeGuarded(this.#parts, request, signal);
    if (written.type === 'conflict') {
      this.#decide(target, 'conflict', written.detail);
      return this.#answer(target, 'conflict', written.detail);
    }
    this.#decide(target, 'accepted');
    return this.#answer(target, 'done');
  }

  /** Where the proposal puts a file or link in the place of a folder, that folder goes with the last of its files. */
  async #foldersInTheWay(root: ContextRootInfo, target: ReviewTarget): Promise<readonly string[]> {
    const above = foldersAbove(target.path);
    const top = above.findLastIndex((path) => {
      const now = this.#entry({ root: target.root, path })?.now;
      return now !== undefined && now.kind !== 'deleted';
    });
    if (top < 0) {
      return [];
    }
    const { folder } = await findTarget(root, target.path);
    return above.slice(0, top + 1).map((path) => join(folder, path));
  }

  async #undo(target: ReviewTarget, signal: AbortSignal): Promise<ReviewResult> {
    const state = this.#parts.state.get(target);
    if (state.type === 'rejected') {
      return this.#reopen(target);
    }
    const root = this.#root(target);
    if (root === undefined || (state.type !== 'accepted' && state.type !== 'uncertain')) {
      return this.#answer(target, 'skipped', 'It was not accepted.');
    }
    const written = await this.#takeBack(root, target, state.change, signal);
    if (written.type === 'conflict') {
      return this.#answer(target, 'conflict', written.detail);
    }
    this.#decide(target, 'pending');
    return this.#answer(target, 'done');
  }

  /** A rejected file was never written, so only the decision is taken back. */
  #reopen(target: ReviewTarget): ReviewResult {
    const record = { type: 'undone', root: target.root, path: target.path } as const;
    this.#parts.journal.append(record);
    this.#parts.state.apply(record);
    this.#decide(target, 'pending');
    return this.#answer(target, 'done');
  }

  async #takeBack(
    root: ContextRootInfo,
    target: ReviewTarget,
    change: AppliedChange,
    signal: AbortSignal,
  ): Promise<Written> {
    const { store } = this.#options;
    const base = loadVersion(store, change.after);
    const proposed = loadVersion(store, change.before);
    const names = { ...this.#names, proposed: 'before accepting' };
    const plan = (live: Version | 'other'): Plan => planChange({ base, proposed, live }, names);
    const request = { root, target, plan, kind: 'undoing', emptyFolders: change.folders } as const;
    return writeGuarded(this.#parts, request, signal);
  }

  #planChosen(target: ReviewTarget, live: Version | 'other', chosen: Uint8Array | undefined): Plan {
    if (live === 'other') {
      return {
        type: 'conflict',
        detail: 'Something that is no regular file stands in this place.',
      };
    }
    if (chosen === undefined) {
      return live === undefined ? { type: 'nothing' } : { type: 'remove' };
    }
    const now = this.#entry(target)?.now;
    const proposedMode = now?.kind === 'file' ? now.mode : 0o644;
    const mode = live?.kind === 'file' ? live.mode : proposedMode;
    return { type: 'write', version: { kind: 'file', bytes: chosen, mode } };
  }

  /** One file after the other, in the order that leaves room for each; answers in the order asked. */
  async #each(
    targets: readonly ReviewTarget[],
    signal: AbortSignal,
    work: (target: ReviewTarget) => Promise<ReviewResult>,
    direction: 'write' | 'undo' = 'write',
  ): Promise<readonly ReviewResult[]> {
    const results = new Map<string, ReviewResult>();
    const plain = targets.map(({ root, path }) => ({ root, path }));
    const order = inWriteOrder(plain, (each) => this.#entry(each));
    await this.#turns.run(async () => {
      this.#catchUp();
      for (const target of direction === 'undo' ? order.toReversed() : order) {
        results.set(keyOf(target), await this.#attempt(target, signal, work));
      }
    }, new AbortController().signal);
    return targets.map(
      (target) => results.get(keyOf(target)) ?? this.#answer(target, 'failed', notInProposal),
    );
  }

  async #attempt(
    target: ReviewTarget,
    signal: AbortSignal,
    work: (target: ReviewTarget) => Promise<ReviewResult>,
  ): Promise<ReviewResult> {
    if (signal.aborted) {
      return this.#answer(target, 'skipped', 'Stopped before this file.');
    }
    try {
      return await work(target);
    } catch (error) {
      if (hasAborted(signal)) {
        return this.#answer(target, 'skipped', 'Stopped at this file.');
      }
      const message = error instanceof Error ? error.message : String(error);
      const isOwn = isMassGenError(error);
      return this.#answer(
        target,
        'failed',
        isOwn ? message : `The file was not changed: ${message}`,
      );
    }
  }

  /** Another window may have decided on files of the same proposal: what it replaced must not be forgotten. */
  #catchUp(): void {
    this.#parts.state.reload(this.#parts.journal.read());
  }

  #acceptable(): readonly ReviewTarget[] {
    this.#catchUp();
    return this.subject.files.filter(
      (file) =>
        file.caution === undefined &&
        this.#root(file) !== undefined &&
        ['pending', 'uncertain'].includes(this.#parts.state.get(file).type),
    );
  }

  #change(target: ReviewTarget): FileChange | undefined {
    return this.subject.files.find(
      (file) => file.root === target.root && file.path === target.path,
    );
  }

  #entry(target: ReviewTarget): ManifestEntry | undefined {
    return this.#change(target) === undefined
      ? undefined
      : this.#options.store.readEntry(this.subject.snapshotId, target.root, target.path);
  }

  #root(target: ReviewTarget): ContextRootInfo | undefined {
    return this.subject.contextRoots.find((root) => root.name === target.root);
  }

  #decide(
    target: ReviewTarget,
    decision: 'accepted' | 'rejected' | 'conflict' | 'pending',
    detail?: string,
  ): void {
    const { root, path } = target;
    const more = detail === undefined ? {} : { detail };
    const event = { type: 'file-decided', root, path, decision, ...more } as const;
    this.#untold.add(keyOf(target));
    try {
      this.#options.onDecision(event);
    } catch (error) {
      // By now the file is as decided: whoever reads the answer must not believe that nothing happened.
      const why = error instanceof Error ? error.message : String(error);
      throw new MassGenError('storage/failed', `Done, but the run could not record it: ${why}`, {
        cause: error,
        hint: 'Try again: only the record is missing.',
      });
    }
    this.#untold.delete(keyOf(target));
  }

  #answer(
    { root, path }: ReviewTarget,
    outcome: ReviewResult['outcome'],
    detail = '',
  ): ReviewResult {
    return { root, path, outcome, detail };
  }
}

const storedFilesGone = 'The stored files of this proposal are gone or damaged.';

const notInProposal = 'It is not part of this proposal.';

const changedSinceShown: Plan = {
  type: 'conflict',
  detail: 'The file changed again since it was shown.',
};

const nothing: FileVersions = {
  base: undefined,
  proposed: undefined,
  live: undefined,
  merged: undefined,
  mergedWithMarkers: undefined,
  isConflict: false,
  hunks: [],
};

/** A call, because a signal may abort between two looks at it. */
function hasAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

function mergedBytes(plan: Plan, live: Version | 'other'): Uint8Array | undefined {
  if (plan.type === 'nothing') {
    return bytesOf(live);
  }
  return plan.type === 'write' ? bytesOf(plan.version) : undefined;
}
