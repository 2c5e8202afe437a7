import type { WholeFileReason } from '../facts';
import type { ReviewFile, RunState } from '../state';
import {
  type ChangedPart,
  type Origin,
  changedParts,
  decisionsOf,
  isPartlyAccepted,
  originOf,
} from './changed-parts';
import { isDeliverable } from './deliverables';
import { formatAdded, formatRemoved } from './formats';
import { mentionNote, selectMentions } from './mentions';
import type { MentionsOf } from './mentions';

export interface ChangedFile {
  readonly root: string;
  readonly path: string;
  readonly name: string;
  /** Folder of the file, with the root's name where there are several roots; may be empty. */
  readonly folder: string;
  /** The parts that can be decided on their own; empty where there is one at most. */
  readonly parts: readonly ChangedPart[];
  /** Set where the whole file was taken from another answer. */
  readonly origin: Origin | null;
  /** Votes that speak of it: `named in 2 votes`, `dissent`. */
  readonly note: string;
  /** What is special about it: `new`, `deleted`, `binary`, `ignored file` … */
  readonly tags: readonly string[];
  /** Accept All leaves it, and it is not decided. */
  readonly waitsApart: boolean;
  /** Lines, as `+18` and `−6`; both empty for a binary file. */
  readonly added: string;
  readonly removed: string;
  readonly decision: ReviewFile['decision'];
  /** From the agent's own folder: it is saved to a place of the user's choice. */
  readonly isDeliverable: boolean;
  /** `Accepted`, `Rejected`, `Conflict`, `1 of 3 accepted`, or empty. */
  readonly decisionText: string;
  readonly detail: string;
  /** More that is worth knowing and has no place in the row: where it was moved from, why it has no parts. */
  readonly facts: readonly string[];
  /** `duration.ts, 18 added, 6 removed, 2 parts, not decided`, with the detail of the decision if there is one. */
  readonly accessibleName: string;
}

export interface ChangedFiles {
  readonly files: readonly ChangedFile[];
  readonly count: string;
  readonly added: string;
  readonly removed: string;
  /** `2 of 5 parts accepted`; empty while nothing is accepted or no file has parts. */
  readonly partsText: string;
  /** Files with a place in the user's folders of which something is undecided. */
  readonly pending: number;
  /** Pending files that Accept All would take; the others need their own decision. */
  readonly pendingForAll: number;
  /** Files of which something was accepted. */
  readonly accepted: number;
  /** Another answer changed files, too, so that there is something to take from. */
  readonly hasAlternatives: boolean;
  /** There are votes with reasons. */
  readonly hasReasons: boolean;
}

/**
 * Files of the voted snapshot that differ from the user's folder, with what was decided about each; those that Accept All
 * leaves come last.
 */
export function selectChangedFiles(state: RunState, language: string): ChangedFiles {
  const files = state.review?.files ?? [];
  const hasSeveralRoots = new Set(files.map((file) => file.root)).size > 1;
  const pending = files.filter(
    (file) => decisionsOf(file).includes('pending') && !isDeliverable(state, file.root),
  );
  const sum = (of: (file: ReviewFile) => number): number =>
    files.reduce((total, file) => total + of(file), 0);
  const around = { hasSeveralRoots, language, mentionsOf: selectMentions(state) };
  return {
    files: files
      .toSorted((a, b) => Number(a.caution !== undefined) - Number(b.caution !== undefined))
      .map((file) => toChangedFile(state, file, around)),
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
    partsText: partsText(files),
    accepted: files.filter(isPartlyAccepted).length,
    hasAlternatives: state.agents.some(({ revisions }) => {
      const last = revisions.at(-1);
      return last !== undefined && last.label !== state.review?.label && last.changes.length > 0;
    }),
    hasReasons: state.agents.some(({ ballot }) => ballot !== null && ballot.reason !== ''),
  };
}

function partsText(files: readonly ReviewFile[]): string {
  const all = files.flatMap(decisionsOf);
  const accepted = all.filter((decision) => decision === 'accepted').length;
  return accepted === 0 || all.length === files.length
    ? ''
    : `${accepted} of ${all.length} parts accepted`;
}

const decisions: Readonly<Record<ReviewFile['decision'], string>> = {
  pending: '',
  accepted: 'Accepted',
  rejected: 'Rejected',
  conflict: 'Conflict',
};

interface Around {
  readonly hasSeveralRoots: boolean;
  readonly language: string;
  readonly mentionsOf: MentionsOf;
}

function toChangedFile(state: RunState, file: ReviewFile, around: Around): ChangedFile {
  const { language } = around;
  const cut = file.path.lastIndexOf('/');
  const name = file.path.slice(cut + 1);
  const isOwn = isDeliverable(state, file.root);
  const mentions = around.mentionsOf(file.path);
  const parts = changedParts(file, { name, mentions, language });
  return {
    root: file.root,
    path: file.path,
    name,
    folder: folderOf(file, cut, around.hasSeveralRoots || isOwn),
    parts,
    origin: originOf(file),
    note: mentionNote(mentions),
    tags: tags(file),
    waitsApart: file.caution !== undefined && file.decision === 'pending',
    added: file.isBinary ? '' : formatAdded(file.added, language),
    removed: file.isBinary ? '' : formatRemoved(file.removed, language),
    decision: file.decision,
    isDeliverable: isOwn,
    decisionText: decisionText(file),
    detail: file.detail ?? '',
    facts: facts(file),
    accessibleName: accessibleName(file, { name, isOwn, parts: parts.length }),
  };
}

function folderOf({ root, path }: ReviewFile, cut: number, showsRoot: boolean): string {
  const folder = cut < 0 ? '' : path.slice(0, cut);
  return [...(showsRoot ? [root] : []), ...(folder === '' ? [] : [folder])].join('/');
}

/** Parts that were not all decided alike are counted. */
function decisionText(file: ReviewFile): string {
  const all = decisionsOf(file);
  const accepted = all.filter((decision) => decision === 'accepted').length;
  const isMixed = accepted > 0 && accepted < all.length && file.decision !== 'conflict';
  return isMixed ? `${accepted} of ${all.length} accepted` : decisions[file.decision];
}

function accessibleName(
  file: ReviewFile,
  {
    name,
    isOwn,
    parts,
  }: { readonly name: string; readonly isOwn: boolean; readonly parts: number },
): string {
  const decided = decisionText(file);
  const origin = originOf(file);
  return [
    name,
    ...tags(file),
    ...facts(file),
    ...(file.isBinary ? [] : [`${file.added} added`, `${file.removed} removed`]),
    ...(parts === 0 ? [] : [`${parts} parts`]),
    ...(origin === null ? [] : [`from ${origin.label}`]),
    isOwn ? 'to be saved' : decided === '' ? 'not decided' : decided.toLowerCase(),
    ...(file.detail === undefined ? [] : [file.detail]),
  ].join(', ');
}

const wholeFile: Readonly<Record<WholeFileReason, string>> = {
  generated: 'looks generated, so it is decided as a whole',
  'too-large': 'too large to be decided in parts',
  'too-slow': 'too different to be decided in parts',
  encoding: 'its encoding allows no parts',
};

function facts(file: ReviewFile): readonly string[] {
  const { before = null, after = null } = file.modes ?? {};
  return [
    ...(file.from === undefined ? [] : [`from ${file.from}`]),
    ...(before === null || after === null
      ? []
      : [`mode ${before.toString(8)} becomes ${after.toString(8)}`]),
    ...(file.wholeFile === undefined ? [] : [wholeFile[file.wholeFile]]),
  ];
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
