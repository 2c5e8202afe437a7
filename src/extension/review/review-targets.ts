// What of a run's review is named by a command, a row or an address.
import { join } from 'node:path';
import type { RunHandle } from '../../app/app-contract';
import type { ReviewTarget } from '../../core/ports/review';
import type { ReviewFile } from '../../run/state';
import { type FilePart, partsOf } from './parts';
import type { ProposalTarget } from './proposal-uri';

export type Decision = 'accept' | 'reject' | 'undo';

/** What the views read of a run. */
export type ShownRun = Pick<RunHandle, 'runId' | 'state'>;

export type FileTarget = ProposalTarget & { readonly file: ReviewFile };

/** The files of a run's review as targets, in the order of the change set. */
export function targetsOf(run: ShownRun): readonly FileTarget[] {
  const { review } = run.state();
  return review === null
    ? []
    : review.files.map((file) => ({
        runId: run.runId,
        label: review.label,
        root: file.root,
        path: file.path,
        file,
      }));
}

export function fileOf(run: ShownRun, target: ReviewTarget): ReviewFile | undefined {
  return run
    .state()
    .review?.files.find(({ root, path }) => root === target.root && path === target.path);
}

export function partOf(run: ShownRun, target: ReviewTarget): FilePart | undefined {
  const file = fileOf(run, target);
  const { review } = run.state();
  const parts = file === undefined || review === null ? [] : partsOf(file, review.label);
  return parts.find(({ hunk }) => hunk.id === target.hunk);
}

/** Without what the review itself does not know. */
export function toReviewTarget({ root, path, hunk }: ReviewTarget): ReviewTarget {
  return hunk === undefined ? { root, path } : { root, path, hunk };
}

/** Where the file is or would be on disk; `undefined` for files of an agent's own folder. */
export function livePathOf(run: ShownRun, target: ReviewTarget): string | undefined {
  const root = run.state().contextRoots.find(({ name }) => name === target.root);
  return root === undefined ? undefined : join(root.path, target.path);
}
