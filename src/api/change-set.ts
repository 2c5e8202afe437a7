import type { RunHandle } from '../app/app-contract';
import type { ReviewFile } from '../run/state';
import {
  type AppliedFile,
  type ChangedFile,
  type ChangeSet,
  type Hunk,
  RunError,
} from './contract';

type Review = NonNullable<ReturnType<RunHandle['review']>>;
type Results = Awaited<ReturnType<Review['accept']>>;

export interface ChangeSetParts {
  readonly patch: Uint8Array;
  readonly applied: readonly AppliedFile[];
  readonly apply: ChangeSet['apply'];
}

/** What a run proposes, as it stood when the run ended. */
export function changeSet(handle: RunHandle, { patch, applied, apply }: ChangeSetParts): ChangeSet {
  const files = (handle.state().review?.files ?? []).map(changedFile);
  return { files, patch, patchText: new TextDecoder().decode(patch), applied, apply };
}

export async function patchOf(handle: RunHandle, signal: AbortSignal): Promise<Uint8Array> {
  const review = handle.review();
  return review === undefined ? new Uint8Array() : review.patch(signal);
}

/** Without `files`: whatever is undecided and needs no second look. Throws `RunError` for a file that is not of the set. */
export async function applyChanges(
  handle: RunHandle,
  files: readonly Pick<ChangedFile, 'root' | 'path'>[] | undefined,
  signal: AbortSignal,
): Promise<readonly AppliedFile[]> {
  const review = handle.review();
  const known = handle.state().review?.files ?? [];
  const stray = files?.find((file) => !known.some((each) => isSame(each, file)));
  if (stray !== undefined) {
    throw new RunError({
      code: 'config/invalid',
      message: `${stray.root}/${stray.path} is not in this change set.`,
    });
  }
  const targets = known
    .filter((each) =>
      files === undefined
        ? each.decision === 'pending' && each.caution === undefined
        : files.some((file) => isSame(each, file)),
    )
    .map(({ root, path }) => ({ root, path }));
  return review === undefined || targets.length === 0
    ? []
    : (await review.accept(targets, signal)).map(appliedFile);
}

function isSame(
  a: Pick<ChangedFile, 'root' | 'path'>,
  b: Pick<ChangedFile, 'root' | 'path'>,
): boolean {
  return a.root === b.root && a.path === b.path;
}

function appliedFile({ root, path, outcome, detail }: Results[number]): AppliedFile {
  return { root, path, outcome, detail };
}

function changedFile(file: ReviewFile): ChangedFile {
  const { root, path, kind, from, added, removed, isBinary, caution, hunks = [] } = file;
  return {
    ...{ root, path, kind, added, removed, isBinary },
    ...(from === undefined ? {} : { from }),
    ...(caution === undefined ? {} : { caution }),
    hunks: hunks.map(hunkOf),
  };
}

function hunkOf({
  id,
  baseStart,
  baseLines,
  newStart,
  newLines,
}: NonNullable<ReviewFile['hunks']>[number]): Hunk {
  return { id, oldStart: baseStart + 1, oldLines: baseLines, newStart: newStart + 1, newLines };
}
