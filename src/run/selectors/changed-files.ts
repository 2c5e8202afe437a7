import type { ReviewFile, RunState } from '../state';
import { isDeliverable } from './deliverables';
import { formatAdded, formatRemoved } from './formats';

export interface ChangedFile {
  readonly root: string;
  readonly path: string;
  readonly name: string;
  /** Folder of the file, with the root's name where there are several roots; may be empty. */
  readonly folder: string;
  /** What is special about it: `new`, `deleted`, `binary`, `ignored file` … */
  readonly tags: readonly string[];
  /** Lines, as `+18` and `−6`; both empty for a binary file. */
  readonly added: string;
  readonly removed: string;
  readonly decision: ReviewFile['decision'];
  /** From the agent's own folder: it is saved to a place of the user's choice. */
  readonly isDeliverable: boolean;
  /** `Accepted`, `Rejected`, `Conflict`, or empty. */
  readonly decisionText: string;
  readonly detail: string;
  /** `duration.ts, 18 added, 6 removed, not decided`, with the detail of the decision if there is one. */
  readonly accessibleName: string;
}

export interface ChangedFiles {
  readonly files: readonly ChangedFile[];
  readonly count: string;
  readonly added: string;
  readonly removed: string;
  /** Undecided files with a place in the user's folders. */
  readonly pending: number;
  /** Pending files that Accept All would take; the others need their own decision. */
  readonly pendingForAll: number;
  readonly accepted: number;
}

/** Files of the voted snapshot that differ from the user's folder, with what was decided about each. */
export function selectChangedFiles(state: RunState, language: string): ChangedFiles {
  const files = state.review?.files ?? [];
  const hasSeveralRoots = new Set(files.map((file) => file.root)).size > 1;
  const pending = files.filter(
    (file) => file.decision === 'pending' && !isDeliverable(state, file.root),
  );
  const sum = (of: (file: ReviewFile) => number): number =>
    files.reduce((total, file) => total + of(file), 0);
  return {
    files: files.map((file) => toChangedFile(state, file, { hasSeveralRoots, language })),
    count: `${files.length} ${files.length === 1 ? 'file' : 'files'}`,
    added: formatAdded(
      sum((file) => file.added),
      language,
    ),
    removed: formatRemoved(
      sum((file) => file.removed),
      language,
    ),
    pending: pending.length,
    pendingForAll: pending.filter((file) => file.caution === undefined).length,
    accepted: files.filter((file) => file.decision === 'accepted').length,
  };
}

const decisions: Readonly<Record<ReviewFile['decision'], string>> = {
  pending: '',
  accepted: 'Accepted',
  rejected: 'Rejected',
  conflict: 'Conflict',
};

function toChangedFile(
  state: RunState,
  file: ReviewFile,
  { hasSeveralRoots, language }: { readonly hasSeveralRoots: boolean; readonly language: string },
): ChangedFile {
  const cut = file.path.lastIndexOf('/');
  const name = file.path.slice(cut + 1);
  const folder = cut < 0 ? '' : file.path.slice(0, cut);
  const isOwn = isDeliverable(state, file.root);
  const showsRoot = hasSeveralRoots || isOwn;
  const fileTags = tags(file);
  const decisionText = decisions[file.decision];
  return {
    root: file.root,
    path: file.path,
    name,
    folder: [...(showsRoot ? [file.root] : []), ...(folder === '' ? [] : [folder])].join('/'),
    tags: fileTags,
    added: file.isBinary ? '' : formatAdded(file.added, language),
    removed: file.isBinary ? '' : formatRemoved(file.removed, language),
    decision: file.decision,
    isDeliverable: isOwn,
    decisionText,
    detail: file.detail ?? '',
    accessibleName: [
      name,
      ...fileTags,
      ...(file.isBinary ? [] : [`${file.added} added`, `${file.removed} removed`]),
      isOwn ? 'to be saved' : decisionText === '' ? 'not decided' : decisionText.toLowerCase(),
      ...(file.detail === undefined ? [] : [file.detail]),
    ].join(', '),
  };
}

const kindTags: Readonly<Record<ReviewFile['kind'], readonly string[]>> = {
  add: ['new'],
  modify: [],
  delete: ['deleted'],
  rename: ['moved'],
  mode: ['mode'],
  link: ['link'],
  folder: ['folder'],
};

function tags(file: ReviewFile): readonly string[] {
  return [
    ...kindTags[file.kind],
    ...(file.isBinary ? ['binary'] : []),
    ...(file.caution === 'ignored' ? ['ignored file'] : []),
    ...(file.caution === 'sensitive' ? ['needs its own accept'] : []),
    ...(file.baseMoved === true ? ['changed since the run began'] : []),
  ];
}
