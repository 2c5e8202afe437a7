import { join } from 'node:path';
import type { ReviewResult, ReviewSubject, ReviewTarget } from '../../core/ports/review';
import type { ContextRootInfo } from '../../run/facts';
import type { ReviewFile } from '../../run/state';
import { foldersAbove, foldersThatGo } from './apply-order';
import type { Decided, DecisionTeller } from './decisions';
import { decisionOf, toEvents } from './decisions';
import type { AskedUnits, FileInReview, UnitOutcome } from './file-review';
import { acceptUnits, acceptedWrites, settleUnits, undoUnits, wantedUnits } from './file-review';
import type { ReviewParts, WriteRequest } from './guarded-write';
import { note, placeOf } from './guarded-write';
import type { OpenFile } from './open-write';
import { settleOpenWrite } from './open-write';
import type { Plan, Version } from './plan-change';
import type { Proposal } from './proposal';
import { loadProposal } from './proposal';
import type { FileState } from './review-state';
import { wholeUnit } from './review-state';

export const notInProposal = 'It is not part of this proposal.';
const storedFilesGone = 'The stored files of this proposal are gone or damaged.';
const noPlace = 'It has no place in a folder yet; save it to one.';
const acceptedAlready = 'It was accepted; undo that first.';

export function answer(
  { root, path, hunk }: ReviewTarget,
  outcome: ReviewResult['outcome'],
  detail = '',
): ReviewResult {
  return { root, path, ...(hunk === undefined ? {} : { hunk }), outcome, detail };
}

/** One file of a review, and what was asked for it: the whole, or some of its parts. */
export class TargetReview {
  readonly #parts: ReviewParts;
  readonly #teller: DecisionTeller;
  readonly #subject: ReviewSubject;
  readonly #target: ReviewTarget;
  readonly #asked: readonly ReviewTarget[];
  readonly #file: ReviewFile | undefined;
  readonly #root: ContextRootInfo | undefined;
  readonly #proposal: Proposal | undefined;

  constructor(
    parts: ReviewParts,
    subject: ReviewSubject,
    teller: DecisionTeller,
    what: { readonly target: ReviewTarget; readonly asked: readonly ReviewTarget[] },
  ) {
    const { target, asked } = what;
    this.#parts = parts;
    this.#teller = teller;
    this.#subject = subject;
    this.#target = target;
    this.#asked = asked;
    this.#file = subject.files.find(
      ({ root, path }) => root === target.root && path === target.path,
    );
    this.#root = subject.contextRoots.find(({ name }) => name === target.root);
    this.#proposal =
      this.#file === undefined ? undefined : loadProposal(parts.store, subject, this.#file);
  }

  /** Finds out how a write ended whose end is not known, and tells the run what came of it. */
  async settleOpen(signal: AbortSignal): Promise<void> {
    const before = this.#state();
    if (before.open === undefined || this.#root === undefined) {
      return;
    }
    const open: OpenFile = {
      root: this.#root,
      target: this.#target,
      foldersThatGo: (type, folder) =>
        type === 'writing' ? this.#foldersThatGo(folder) : this.#ownFolders(folder),
    };
    await settleOpenWrite(this.#parts, open, signal);
    const units = new Set([...before.units.keys(), ...this.#state().units.keys()]);
    const changed = [...units].filter(
      (unit) => decisionOf(before, unit).decision !== decisionOf(this.#state(), unit).decision,
    );
    this.#tell(new Map(changed.map((unit) => [unit, decisionOf(this.#state(), unit)])));
  }

  async accept(signal: AbortSignal): Promise<readonly ReviewResult[]> {
    const file = await this.#inReview();
    if (typeof file === 'string') {
      return this.#refuseAll(file);
    }
    const outcomes: UnitOutcome[] = [];
    for (const asked of this.#requests()) {
      if (hasWork(file.proposal, this.#state(), asked)) {
        outcomes.push(await acceptUnits(file, asked, signal));
      }
    }
    this.#tellOutcomes(outcomes, 'accepted');
    return this.#answers(outcomes, ({ units }, unit) => units.get(unit)?.type === 'accepted');
  }

  /** `chosen`: bytes for the file, `undefined` for none. */
  async settle(
    chosen: Uint8Array | undefined,
    isAsShown: (token: string | undefined) => boolean,
    signal: AbortSignal,
  ): Promise<readonly ReviewResult[]> {
    const file = await this.#inReview();
    if (typeof file === 'string') {
      return this.#refuseAll(file);
    }
    const [asked = 'file'] = this.#requests();
    if (!hasWork(file.proposal, this.#state(), asked)) {
      return this.#asked.map((each) => answer(each, 'skipped', acceptedAlready));
    }
    const plan: WriteRequest['plan'] = (live, token) => ({
      plan: isAsShown(token) ? planChosen(file.proposal, live, chosen) : changedSinceShown,
      units: [],
    });
    const outcomes = [await settleUnits(file, asked, plan, signal)];
    this.#tellOutcomes(outcomes, 'accepted');
    return this.#answers(outcomes, ({ units }, unit) => units.get(unit)?.type === 'accepted');
  }

  async reject(): Promise<readonly ReviewResult[]> {
    if (this.#file === undefined) {
      return this.#asked.map((each) => answer(each, 'skipped', notInProposal));
    }
    const ids = this.#ids();
    const { units } = this.#state();
    const isOpen = (unit: string): boolean => units.get(unit)?.type !== 'accepted';
    const results = this.#asked.map((target): ReviewResult => {
      const named = target.hunk === undefined ? this.#units() : [target.hunk];
      if (target.hunk !== undefined && !ids.includes(target.hunk)) {
        return answer(target, 'failed', notInProposal);
      }
      return named.some(isOpen)
        ? answer(target, 'done')
        : answer(target, 'skipped', acceptedAlready);
    });
    const named = this.#asked.flatMap(({ hunk }) => (hunk === undefined ? this.#units() : [hunk]));
    const rejected = [...new Set(named)].filter(
      (unit) => isOpen(unit) && this.#units().includes(unit),
    );
    if (rejected.length > 0) {
      this.#note('rejected', rejected);
      this.#tell(new Map(rejected.map((unit) => [unit, { decision: 'rejected' }])));
    }
    return results;
  }

  /** `isNamed`: rejected units become undecided again. */
  async undo(isNamed: boolean, signal: AbortSignal): Promise<readonly ReviewResult[]> {
    const reopened = isNamed ? this.#reopen() : [];
    const accepted = acceptedWrites(this.#state());
    const outcomes: UnitOutcome[] = [];
    for (const asked of this.#requests()) {
      const isAccepted = [...accepted.keys()].some(
        (unit) => asked === 'file' || asked.includes(unit),
      );
      const file = isAccepted ? await this.#inReview() : undefined;
      if (typeof file === 'string') {
        return this.#refuseAll(file);
      }
      if (file !== undefined) {
        outcomes.push(await undoUnits(file, asked, signal));
      }
    }
    this.#tellOutcomes(outcomes, 'pending', reopened);
    return this.#asked.map((target): ReviewResult => {
      const named = target.hunk === undefined ? undefined : [target.hunk];
      const isDone = [...reopened, ...outcomes.flatMap(({ done }) => done)].some(
        (unit) => named?.includes(unit) ?? true,
      );
      const trouble = this.#trouble(outcomes, named);
      if (trouble !== undefined) {
        return answer(target, trouble.outcome, trouble.detail);
      }
      return isDone ? answer(target, 'done') : answer(target, 'skipped', 'It was not accepted.');
    });
  }

  #reopen(): readonly string[] {
    const { units } = this.#state();
    const named = this.#asked.flatMap(({ hunk }) =>
      hunk === undefined ? [...units.keys()] : [hunk],
    );
    const rejected = [...new Set(named)].filter((unit) => units.get(unit)?.type === 'rejected');
    if (rejected.length > 0) {
      this.#note('reopened', rejected);
    }
    return rejected;
  }

  #note(type: 'rejected' | 'reopened', units: readonly string[]): void {
    const { root, path } = this.#target;
    const isWhole = this.#ids().length === 0;
    note(this.#parts, { type, root, path, ...(isWhole ? {} : { units }) });
  }

  /** The file with all that writing needs, or why nothing can be written. */
  async #inReview(): Promise<FileInReview | string> {
    if (this.#file === undefined) {
      return notInProposal;
    }
    if (this.#root === undefined) {
      return noPlace;
    }
    if (this.#proposal === undefined) {
      return storedFilesGone;
    }
    const { folder } = await placeOf(this.#parts, this.#root, this.#target.path);
    return {
      parts: this.#parts,
      root: this.#root,
      target: this.#target,
      proposal: this.#proposal,
      names: { live: 'your file', proposed: this.#file.parts?.[0]?.label ?? this.#subject.label },
      ownFolders: this.#ownFolders(folder),
      foldersThatGo: this.#foldersThatGo(folder),
    };
  }

  #ownFolders(folder: string): readonly string[] {
    return foldersAbove(this.#target.path)
      .map((path) => join(folder, path))
      .filter((each) => this.#parts.state.isOwnFolder(each));
  }

  #foldersThatGo(folder: string): readonly string[] {
    const file = this.#file ?? this.#target;
    return foldersThatGo(this.#parts.store, this.#subject, file, folder);
  }

  #refuseAll(why: string): readonly ReviewResult[] {
    const outcome = why === noPlace ? 'skipped' : 'failed';
    return this.#asked.map((each) => answer(each, outcome, why));
  }

  /** The whole file first, then single parts, those of the file's own only. */
  #requests(): readonly AskedUnits[] {
    const ids = this.#asked.flatMap(({ hunk }) =>
      hunk !== undefined && this.#ids().includes(hunk) ? [hunk] : [],
    );
    const isFile = this.#asked.some(({ hunk }) => hunk === undefined);
    return [...(isFile ? (['file'] as const) : []), ...(ids.length > 0 ? [ids] : [])];
  }

  #answers(
    outcomes: readonly UnitOutcome[],
    isDone: (state: FileState, unit: string) => boolean,
  ): readonly ReviewResult[] {
    const remark = outcomes.find((each) => each.note !== '')?.note;
    return this.#asked.map((target) => {
      const named = target.hunk === undefined ? undefined : [target.hunk];
      if (target.hunk !== undefined && !this.#ids().includes(target.hunk)) {
        return answer(target, 'failed', notInProposal);
      }
      const trouble = this.#trouble(outcomes, named);
      if (trouble === undefined) {
        return answer(target, 'done', remark);
      }
      const done = this.#ids().filter((id) => isDone(this.#state(), id)).length;
      const isPartial = named === undefined && done > 0;
      const detail = isPartial
        ? `${done} of ${this.#ids().length} parts are in the file. ${trouble.detail}`
        : trouble.detail;
      return answer(target, trouble.outcome, detail);
    });
  }

  #trouble(
    outcomes: readonly UnitOutcome[],
    named: readonly string[] | undefined,
  ): { readonly outcome: 'conflict' | 'skipped'; readonly detail: string } | undefined {
    const isNamed = ([unit]: readonly [string, string]): boolean =>
      named === undefined || named.includes(unit);
    const conflict = outcomes.flatMap(({ conflicts }) => [...conflicts]).find(isNamed);
    if (conflict !== undefined) {
      return { outcome: 'conflict', detail: conflict[1] };
    }
    const skip = outcomes.flatMap(({ skipped }) => [...skipped]).find(isNamed);
    return skip === undefined ? undefined : { outcome: 'skipped', detail: skip[1] };
  }

  #tellOutcomes(
    outcomes: readonly UnitOutcome[],
    decision: 'accepted' | 'pending',
    more: readonly string[] = [],
  ): void {
    const changed = new Map<string, Decided>(more.map((unit) => [unit, { decision: 'pending' }]));
    for (const { done, conflicts } of outcomes) {
      done.forEach((unit) => changed.set(unit, { decision }));
      // A part that could not be taken back stays accepted.
      if (decision === 'accepted') {
        conflicts.forEach((detail, unit) => changed.set(unit, { decision: 'conflict', detail }));
      }
    }
    this.#tell(changed);
  }

  /** Also tells what the run could not record before. */
  #tell(changed: ReadonlyMap<string, Decided>): void {
    this.#teller.tell(this.#target, toEvents(this.#target, this.#proposal, changed, this.#state()));
  }

  #state(): FileState {
    return this.#parts.state.get(this.#target);
  }

  #ids(): readonly string[] {
    return this.#proposal?.parts.map(({ id }) => id) ?? [];
  }

  #units(): readonly string[] {
    const isFramed = this.#proposal?.hasFrame !== false || this.#ids().length === 0;
    return isFramed ? [...this.#ids(), wholeUnit] : this.#ids();
  }
}

function hasWork(proposal: Proposal, state: FileState, asked: AskedUnits): boolean {
  const isOpen = state.units.get(wholeUnit)?.type !== 'accepted';
  if (proposal.parts.length === 0) {
    return asked === 'file' && isOpen;
  }
  const isFrameOpen = asked === 'file' && proposal.hasFrame && isOpen;
  return isFrameOpen || wantedUnits(proposal, state, asked).length > 0;
}

const changedSinceShown: Plan = {
  type: 'conflict',
  detail: 'The file changed again since it was shown.',
};

function planChosen(
  { proposed }: Proposal,
  live: Version | 'other',
  chosen: Uint8Array | undefined,
): Plan {
  if (live === 'other' || (live?.kind === 'folder' && !live.isEmpty)) {
    return { type: 'conflict', detail: 'Something that is no regular file stands in this place.' };
  }
  if (chosen === undefined) {
    return live === undefined ? { type: 'nothing' } : { type: 'remove' };
  }
  const proposedMode = proposed?.kind === 'file' ? proposed.mode : 0o644;
  const mode = live?.kind === 'file' ? live.mode : proposedMode;
  return { type: 'write', version: { kind: 'file', bytes: chosen, mode } };
}
