import type { Label, SnapshotId } from '../../base/ids';
import type { ReviewSubject } from '../../core/ports/review';
import type { FileChange, HunkInfo, PickedPart } from '../../run/facts';
import type { ReviewFile } from '../../run/state';
import type { ByteCodec, ByteText } from '../hunks/byte-text';
import { toByteText, toBytes } from '../hunks/byte-text';
import type { Part } from '../hunks/parts';
import { byPlace, composeLines, toPart } from '../hunks/parts';
import type { ManifestEntry } from '../manifest';
import type { SnapshotStore } from '../snapshot-store';
import { splitLines } from '../text-lines';
import type { FileVersion, Version } from './plan-change';
import { isSame } from './plan-change';
import { loadBase, loadProposed } from './stored-versions';

/** What is proposed for one file: base and result, and the parts that lead from one to the other. */
export interface Proposal {
  readonly file: FileChange;
  readonly base: Version | 'unknown';
  readonly proposed: Version;
  /** Sorted; empty where only the whole file can be decided. */
  readonly parts: readonly Part[];
  /** Of the base where there are parts. */
  readonly text: { readonly codec: ByteCodec; readonly lines: readonly string[] };
  /** Something beside the parts changes: the permissions, or the place of the file. */
  readonly hasFrame: boolean;
}

const noText: Proposal['text'] = { codec: 'bytes', lines: [] };

/** `undefined` when the stored files are gone. Throws `storage/corrupt` when their bytes are. */
export function loadProposal(
  store: SnapshotStore,
  subject: ReviewSubject,
  file: ReviewFile,
): Proposal | undefined {
  if (file.parts === undefined) {
    return fromAnswer(store, subject, { label: subject.label, change: file });
  }
  const [first] = file.parts;
  if (first !== undefined && first.hunk === undefined) {
    return fromAnswer(store, subject, { label: first.label, change: file });
  }
  return fromParts(store, subject, file, file.parts);
}

/** A file as one answer has it. */
export function fromAnswer(
  store: SnapshotStore,
  subject: ReviewSubject,
  from: { readonly label: Label; readonly change: FileChange },
): Proposal | undefined {
  const { label, change } = from;
  const entry = entryOf(store, subject, label, change);
  if (entry === undefined) {
    return undefined;
  }
  const base = loadBase(store, entry.base);
  const proposed = loadProposed(store, entry.now);
  const whole = { file: change, base, proposed, parts: [], text: noText, hasFrame: true };
  const sides = textsOf(base, proposed);
  if (sides === undefined || change.hunks === undefined || change.hunks.length === 0) {
    return whole;
  }
  const parts = change.hunks.map((info) => toPart(info, label, sides.lines, sides.next));
  const known = parts.filter((part) => part !== undefined);
  // Parts that are not those of the bytes would be written in the wrong place.
  return known.length < parts.length
    ? whole
    : { ...whole, parts: known, text: sides, hasFrame: hasFrame(change, base, proposed) };
}

function fromParts(
  store: SnapshotStore,
  subject: ReviewSubject,
  file: ReviewFile,
  picked: readonly PickedPart[],
): Proposal | undefined {
  const label = picked[0]?.label ?? subject.label;
  const base = baseFor(store, subject, label, file);
  if (base !== 'unknown' && picked.length === 0) {
    return { file, base, proposed: base, parts: [], text: noText, hasFrame: false };
  }
  const text = base !== 'unknown' && base?.kind === 'file' ? toByteText(base.bytes) : undefined;
  return text === undefined || base === 'unknown' || base?.kind !== 'file'
    ? undefined
    : putTogether(store, subject, { file, picked, base, text });
}

function putTogether(
  store: SnapshotStore,
  subject: ReviewSubject,
  from: {
    readonly file: ReviewFile;
    readonly picked: readonly PickedPart[];
    readonly base: FileVersion;
    readonly text: ByteText;
  },
): Proposal | undefined {
  const { file, picked, base, text } = from;
  const mode = file.modes?.after ?? base.mode;
  const lines = splitLines(text.text);
  const parts = picked.flatMap(({ label, hunk }) =>
    hunk === undefined ? [] : [partOf(store, subject, { label, hunk, file, lines })],
  );
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length) {
    return undefined;
  }
  known.sort((a, b) => byPlace(a.info, b.info));
  const composed = composeLines(lines, known).join('');
  const bytes = toBytes({ codec: text.codec, text: composed });
  return {
    ...{ file, base, proposed: { kind: 'file', bytes, mode }, parts: known },
    text: { codec: text.codec, lines },
    hasFrame: file.from !== undefined || mode !== base.mode,
  };
}

/** The base of a file that was put together, as one of the answers that took part stored it. */
function baseFor(
  store: SnapshotStore,
  subject: ReviewSubject,
  label: Label,
  file: FileChange,
): Version | 'unknown' {
  const entry =
    entryOf(store, subject, label, changeOf(subject, label, file) ?? file) ??
    entryOf(store, subject, subject.label, file);
  return entry === undefined ? 'unknown' : loadBase(store, entry.base);
}

/** A part out of the answer it is from; `undefined` unless that answer started from the same base. */
function partOf(
  store: SnapshotStore,
  subject: ReviewSubject,
  wanted: {
    readonly label: Label;
    readonly hunk: HunkInfo;
    readonly file: FileChange;
    readonly lines: readonly string[];
  },
): Part | undefined {
  const { label, hunk, file, lines } = wanted;
  const change = changeOf(subject, label, file);
  const entry = change === undefined ? undefined : entryOf(store, subject, label, change);
  const proposed = entry === undefined ? undefined : loadProposed(store, entry.now);
  const text = proposed?.kind === 'file' ? toByteText(proposed.bytes) : undefined;
  return text === undefined ? undefined : toPart(hunk, label, lines, splitLines(text.text));
}

/** What an answer did to a file: by its path, or by the path it had before a move. */
export function changeOf(
  subject: ReviewSubject,
  label: Label,
  file: { readonly root: string; readonly path: string; readonly from?: string },
): FileChange | undefined {
  const { files } = subject.candidates.find((each) => each.label === label) ?? { files: [] };
  const inRoot = files.filter(({ root }) => root === file.root);
  return (
    inRoot.find(({ path }) => path === file.path) ??
    inRoot.find(({ path, from }) => [path, from].includes(file.from ?? file.path))
  );
}

/** The stored entry of a change; for a move the base is what was at the path before. */
export function entryOf(
  store: SnapshotStore,
  subject: ReviewSubject,
  label: Label,
  { root, path, from }: FileChange,
): ManifestEntry | undefined {
  const id = snapshotOf(subject, label);
  const entry = id === undefined ? undefined : store.readEntry(id, root, path);
  if (id === undefined || entry === undefined || from === undefined) {
    return entry;
  }
  const old = store.readEntry(id, root, from);
  return old === undefined ? undefined : { now: entry.now, base: old.base };
}

function snapshotOf(subject: ReviewSubject, label: Label): SnapshotId | undefined {
  return label === subject.label
    ? subject.snapshotId
    : subject.candidates.find((each) => each.label === label)?.snapshotId;
}

/** Lines of both sides; `undefined` where they have none in common. */
function textsOf(
  base: Version | 'unknown',
  proposed: Version,
):
  | {
      readonly codec: ByteCodec;
      readonly lines: readonly string[];
      readonly next: readonly string[];
    }
  | undefined {
  if (base === 'unknown' || base?.kind !== 'file' || proposed?.kind !== 'file') {
    return undefined;
  }
  const [from, to] = [toByteText(base.bytes), toByteText(proposed.bytes)];
  if (from === undefined || to === undefined) {
    return undefined;
  }
  const isBlank = base.bytes.length === 0 || proposed.bytes.length === 0;
  const codec = base.bytes.length === 0 ? to.codec : from.codec;
  return from.codec === to.codec || isBlank
    ? { codec, lines: splitLines(from.text), next: splitLines(to.text) }
    : undefined;
}

function hasFrame({ from }: FileChange, base: Version | 'unknown', proposed: Version): boolean {
  const isModeKept =
    base !== 'unknown' &&
    base?.kind === 'file' &&
    proposed?.kind === 'file' &&
    base.mode === proposed.mode;
  return from !== undefined || !isModeKept;
}

/** Whether two answers started from the same file. */
export function isSameBase(a: Version | 'unknown', b: Version | 'unknown'): boolean {
  return a !== 'unknown' && b !== 'unknown' && isSame(a, b);
}
