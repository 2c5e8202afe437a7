import { join } from 'node:path';
import type { Disposable } from '../../base/disposable';
import { toDisposable } from '../../base/disposable';
import type { SnapshotId } from '../../base/ids';
import type { DecisionSink, FileVersions, LiveFiles } from '../../core/ports/review';
import type { Alternative, PickResult, ReviewResult, ReviewSession } from '../../core/ports/review';
import type { ReviewSubject, ReviewTarget } from '../../core/ports/review';
import type { MixPicked } from '../../run/events';
import type { ContextRootInfo, PickedPart } from '../../run/facts';
import type { ReviewFile } from '../../run/state';
import { Serial } from '../serial';
import type { SnapshotStore } from '../snapshot-store';
import { inWriteOrder } from './apply-order';
import { faultWords } from './fault-words';
import type { ReviewParts } from './guarded-write';
import { findAlternatives } from './alternatives';
import { storeComposed } from './composed-tree';
import { DecisionTeller } from './decisions';
import { planPick } from './pick-parts';
import { entryOf } from './proposal';
import { ReviewJournal } from './review-journal';
import { ReviewState, keyOf, wholeUnit } from './review-state';
import { TargetReview, answer, notInProposal } from './target-review';
import { realRootFolder } from './target-place';
import { toPatch } from './to-patch';
import { showVersions } from './versions';

export interface ReviewSessionOptions {
  readonly subject: ReviewSubject;
  readonly store: SnapshotStore;
  readonly live: LiveFiles;
  /** Folder for the journal; one file per snapshot. */
  readonly journalDir: string;
  readonly onDecision: DecisionSink;
  /**
   * Keeps everybody else from deciding on the same proposal until it is disposed of. Throws `storage/locked` while
   * another one does. Absent: nobody else can.
   */
  readonly lock?: () => Disposable;
}

/** Reads the journal at once; writes nothing until something is decided. */
export function createReviewSession(options: ReviewSessionOptions): ReviewSession {
  return new SnapshotReview(options);
}

type Work = (file: TargetReview, signal: AbortSignal) => Promise<readonly ReviewResult[]>;

class SnapshotReview implements ReviewSession {
  readonly #parts: ReviewParts;
  readonly #turns = new Serial();
  readonly #lock: () => Disposable;
  readonly #teller: DecisionTeller;
  /** Tokens of the live files as they were shown last. */
  readonly #shown = new Map<string, string | undefined>();
  #subject: ReviewSubject;

  constructor(options: ReviewSessionOptions) {
    this.#subject = options.subject;
    this.#lock = options.lock ?? (() => toDisposable(() => undefined));
    const name = `review-${options.subject.snapshotId.slice(0, 16)}.jsonl`;
    const journal = new ReviewJournal(join(options.journalDir, name));
    const realRoots = options.subject.contextRoots.flatMap((root) => {
      const real = realRootFolder(root);
      return real === undefined ? [] : [[root.name, real] as const];
    });
    this.#parts = {
      store: options.store,
      live: options.live,
      journal,
      state: new ReviewState(journal.read()),
      realRoots: new Map(realRoots),
    };
    this.#teller = new DecisionTeller(options.onDecision);
  }

  get subject(): ReviewSubject {
    return this.#subject;
  }

  async versions(target: ReviewTarget, signal: AbortSignal): Promise<FileVersions> {
    this.#catchUp();
    const shown = await showVersions(this.#parts, this.#subject, target, signal);
    if (shown.place !== undefined) {
      this.#shown.set(keyOf(target), shown.token);
    }
    return shown.versions;
  }

  async accept(
    targets: readonly ReviewTarget[] | undefined,
    signal: AbortSignal,
  ): Promise<readonly ReviewResult[]> {
    const asked = (): readonly ReviewTarget[] => targets ?? this.#acceptable();
    return this.#each(asked, signal, async (file) => file.accept(signal));
  }

  async reject(targets: readonly ReviewTarget[] | undefined): Promise<readonly ReviewResult[]> {
    const asked = (): readonly ReviewTarget[] =>
      targets ?? this.#subject.files.filter((file) => this.#isUndecided(file));
    const signal = new AbortController().signal;
    return this.#each(asked, signal, async (file) => file.reject());
  }

  async resolve(
    target: ReviewTarget,
    chosen: Uint8Array | undefined,
    signal: AbortSignal,
  ): Promise<ReviewResult> {
    const key = keyOf(target);
    const isAsShown = (token: string | undefined): boolean =>
      !this.#shown.has(key) || this.#shown.get(key) === token;
    const [result] = await this.#each(
      () => [target],
      signal,
      async (file) => file.settle(chosen, isAsShown, signal),
    );
    return result ?? { ...target, outcome: 'failed', detail: notInProposal };
  }

  async undo(
    targets: readonly ReviewTarget[] | undefined,
    signal: AbortSignal,
  ): Promise<readonly ReviewResult[]> {
    const isNamed = targets !== undefined;
    const asked = (): readonly ReviewTarget[] =>
      targets ?? this.#subject.files.filter((file) => this.#isWritten(file));
    return this.#each(asked, signal, async (file) => file.undo(isNamed, signal), 'undo');
  }

  async alternatives(target: ReviewTarget, signal: AbortSignal): Promise<readonly Alternative[]> {
    signal.throwIfAborted();
    return findAlternatives(this.#parts.store, this.#subject, target);
  }

  async pick(
    target: ReviewTarget,
    parts: readonly PickedPart[],
    signal: AbortSignal,
  ): Promise<PickResult> {
    return this.#turns.run(async () => {
      this.#catchUp();
      const state = this.#parts.state.get(target);
      const planned = planPick(this.#parts.store, this.#subject, { target, parts, state });
      if (planned.kind !== 'picked') {
        return planned;
      }
      const { event } = planned;
      this.#subject = { ...this.#subject, files: withPicked(this.#subject.files, event) };
      this.#teller.tell(target, [event]);
      return { kind: 'picked' };
    }, signal);
  }

  async composed(signal: AbortSignal): Promise<SnapshotId> {
    return this.#turns.run(async () => {
      this.#catchUp();
      return storeComposed(this.#parts, this.#subject);
    }, signal);
  }

  async patch(signal: AbortSignal): Promise<Uint8Array> {
    return this.#turns.run(async () => {
      this.#catchUp();
      return toPatch(this.#parts, this.#subject);
    }, signal);
  }

  /**
   * One file after the other, in the order that leaves room for each; answers in the order asked. What is meant without
   * naming it is found out when its turn has come: what was decided before counts.
   */
  async #each(
    asked: () => readonly ReviewTarget[],
    signal: AbortSignal,
    work: Work,
    direction: 'write' | 'undo' = 'write',
  ): Promise<readonly ReviewResult[]> {
    const results = new Map<string, ReviewResult>();
    let targets: readonly ReviewTarget[] = [];
    let refusal = notInProposal;
    await this.#turns.run(async () => {
      const lock = this.#tryLock();
      this.#catchUp();
      targets = asked();
      if (typeof lock === 'string') {
        refusal = lock;
        return;
      }
      try {
        const files = grouped(targets);
        const order = inWriteOrder(
          files.map(([target]) => this.#withOldPlace(target)),
          ({ root, path }) => this.#entry(root, path),
        );
        for (const { root, path } of direction === 'undo' ? order.toReversed() : order) {
          const target = { root, path };
          const units = files.find(([each]) => keyOf(each) === keyOf(target))?.[1] ?? [];
          for (const result of await this.#attempt(target, units, signal, work)) {
            results.set(unitKey(result), result);
          }
        }
      } finally {
        lock.dispose();
      }
    }, new AbortController().signal);
    return targets.map(
      (target) => results.get(unitKey(target)) ?? answer(target, 'failed', refusal),
    );
  }

  /** The lock, or why nothing can be decided now. */
  #tryLock(): Disposable | string {
    try {
      return this.#lock();
    } catch (error) {
      return faultWords(error);
    }
  }

  async #attempt(
    target: ReviewTarget,
    asked: readonly ReviewTarget[],
    signal: AbortSignal,
    work: Work,
  ): Promise<readonly ReviewResult[]> {
    const all = (outcome: ReviewResult['outcome'], detail: string): readonly ReviewResult[] =>
      asked.map((each) => answer(each, outcome, detail));
    if (signal.aborted) {
      return all('skipped', 'Stopped before this file.');
    }
    try {
      const file = new TargetReview(this.#parts, this.#subject, this.#teller, { target, asked });
      await file.settleOpen(signal);
      return await work(file, signal);
    } catch (error) {
      if (hasAborted(signal)) {
        return all('skipped', 'Stopped at this file.');
      }
      return all('failed', faultWords(error));
    }
  }

  /** Another window may have decided on files of the same proposal: what it replaced must not be forgotten. */
  #catchUp(): void {
    this.#parts.state.reload(this.#parts.journal.read());
  }

  #acceptable(): readonly ReviewTarget[] {
    this.#catchUp();
    return this.#subject.files.filter(
      (file) =>
        file.caution === undefined && this.#root(file) !== undefined && this.#isUndecided(file),
    );
  }

  #isUndecided(file: ReviewFile): boolean {
    const { units, open } = this.#parts.state.get(file);
    const ids = unitIds(file);
    return open !== undefined || ids.some((id) => !units.has(id));
  }

  #isWritten(file: ReviewFile): boolean {
    const { units, open } = this.#parts.state.get(file);
    return open !== undefined || [...units.values()].some(({ type }) => type === 'accepted');
  }

  #withOldPlace({ root, path }: ReviewTarget): ReviewTarget & { readonly from?: string } {
    const file = this.#subject.files.find((each) => each.root === root && each.path === path);
    return { root, path, ...(file?.from === undefined ? {} : { from: file.from }) };
  }

  #entry(root: string, path: string): ReturnType<typeof entryOf> {
    const file = this.#subject.files.find((each) => each.root === root && each.path === path);
    const label = file?.parts?.[0]?.label ?? this.#subject.label;
    return file === undefined ? undefined : entryOf(this.#parts.store, this.#subject, label, file);
  }

  #root({ root }: ReviewTarget): ContextRootInfo | undefined {
    return this.#subject.contextRoots.find(({ name }) => name === root);
  }
}

/** The targets of one file together; the file that stands for them names no part. */
function grouped(
  targets: readonly ReviewTarget[],
): readonly (readonly [ReviewTarget, readonly ReviewTarget[]])[] {
  const groups = new Map<string, ReviewTarget[]>();
  for (const target of targets) {
    const known = groups.get(keyOf(target)) ?? [];
    groups.set(keyOf(target), known);
    known.push(target);
  }
  return [...groups.values()].map((all) => {
    const { root = '', path = '' } = all[0] ?? {};
    return [{ root, path }, all] as const;
  });
}

function withPicked(files: readonly ReviewFile[], event: MixPicked): readonly ReviewFile[] {
  const { root, path, change, parts } = event;
  const picked: ReviewFile = { ...change, parts, decision: 'pending' };
  const isKnown = files.some((file) => file.root === root && file.path === path);
  return isKnown
    ? files.map((file) => (file.root === root && file.path === path ? picked : file))
    : [...files, picked];
}

/** What has to be decided about a file before nothing of it is open. */
function unitIds({ hunks, from }: ReviewFile): readonly string[] {
  const ids = (hunks ?? []).map(({ id }) => id);
  return ids.length === 0 || from !== undefined ? [...ids, wholeUnit] : ids;
}

function unitKey(target: ReviewTarget): string {
  return `${keyOf(target)}\n${target.hunk ?? ''}`;
}

/** A call, because a signal may abort between two looks at it. */
function hasAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
