import { toByteText, toBytes, utf8Text } from '../hunks/byte-text';
import type { MergeResult, SideNames } from './merge-text';
import { mergeText, toLineWords } from './merge-text';

export interface FileVersion {
  readonly kind: 'file';
  readonly bytes: Uint8Array;
  readonly mode: number;
}

export interface LinkVersion {
  readonly kind: 'link';
  readonly target: string;
}

export interface FolderVersion {
  readonly kind: 'folder';
  readonly mode: number;
  readonly isEmpty: boolean;
}

/** What stands at a path; `undefined` when there is nothing. */
export type Version = FileVersion | LinkVersion | FolderVersion | undefined;

/** `unknown`: what the agents started from is not known for certain. `other`: a pipe, a device or the like is there. */
export interface ThreeVersions {
  readonly base: Version | 'unknown';
  readonly proposed: Version;
  readonly live: Version | 'other';
}

export type Plan =
  | { readonly type: 'nothing' }
  | { readonly type: 'write'; readonly version: Exclude<Version, undefined> }
  | { readonly type: 'remove' }
  | { readonly type: 'conflict'; readonly detail: string; readonly withMarkers?: string };

interface ThreeFiles {
  readonly base: FileVersion;
  readonly proposed: FileVersion;
  readonly live: FileVersion;
}

/** What has to be written so that the change from base to proposed also holds for the live file. Writes nothing. */
export function planChange(versions: ThreeVersions, names: SideNames): Plan {
  const { proposed, live } = versions;
  if (live === 'other') {
    return conflict('Something that is no regular file stands in this place.');
  }
  if (isSame(live, proposed)) {
    return { type: 'nothing' };
  }
  return live?.kind === 'folder'
    ? planOverFolder(versions, live)
    : planOverFile({ ...versions, live }, names);
}

function planOverFile(
  {
    base,
    proposed,
    live,
  }: ThreeVersions & { readonly live: FileVersion | LinkVersion | undefined },
  names: SideNames,
): Plan {
  if (base === 'unknown') {
    return conflict('The file was already changed while the agents were working with it.');
  }
  if (isSame(live, base)) {
    return proposed === undefined ? { type: 'remove' } : { type: 'write', version: proposed };
  }
  if (proposed === undefined) {
    return conflict('The proposal deletes the file, but it was changed meanwhile.');
  }
  if (live === undefined) {
    return conflict('The file was deleted or renamed meanwhile.');
  }
  if (base === undefined) {
    return conflict(
      'The proposal adds this file, but one with the same name exists by now.',
      bothAdded(proposed, live, names),
    );
  }
  if (base.kind !== 'file' || proposed.kind !== 'file' || live.kind !== 'file') {
    return conflict('The file or link was changed meanwhile.');
  }
  return mergeFiles({ base, proposed, live }, names);
}

/** An empty folder gives way to what the proposal puts in its place; one that holds something never does. */
function planOverFolder({ base, proposed }: ThreeVersions, live: FolderVersion): Plan {
  if (!live.isEmpty) {
    return conflict(
      proposed === undefined
        ? 'The proposal removes this folder, but it holds something by now.'
        : 'A folder stands in this place.',
    );
  }
  const isFree = base === undefined || (base !== 'unknown' && base.kind === 'folder');
  if (!isFree) {
    return conflict('A folder stands in the place of the file by now.');
  }
  return proposed === undefined ? { type: 'remove' } : { type: 'write', version: proposed };
}

/** Whether two versions are the same to a review: folders are, whatever their permissions. */
export function isSame(a: Version, b: Version): boolean {
  if (a === undefined || b === undefined) {
    return a === b;
  }
  if (a.kind === 'file' && b.kind === 'file') {
    return a.mode === b.mode && isEqual(a.bytes, b.bytes);
  }
  if (a.kind === 'link' && b.kind === 'link') {
    return a.target === b.target;
  }
  return a.kind === 'folder' && b.kind === 'folder';
}

/** The live file's own permissions, unless only the proposal changed them. */
export function mergeMode(base: number, proposed: number, live: number): number {
  return live === base ? proposed : live;
}

function mergeFiles(files: ThreeFiles, names: SideNames): Plan {
  const { base, proposed, live } = files;
  const mode = mergeMode(base.mode, proposed.mode, live.mode);
  const merged = mergeBytes(files, names);
  if (merged instanceof Uint8Array) {
    const version: FileVersion = { kind: 'file', bytes: merged, mode };
    return isSame(version, live) ? { type: 'nothing' } : { type: 'write', version };
  }
  return merged === undefined
    ? conflict('The file was changed meanwhile and cannot be merged line by line.')
    : conflict(overlapWords(merged.conflicts), merged.markers);
}

/** Says which of the user's lines are in the way. */
export function overlapWords(ranges: Parameters<typeof toLineWords>[0]): string {
  return `Your edits and the proposal change the same lines (${toLineWords(ranges)}).`;
}

interface FailedMerge {
  readonly conflicts: MergeResult['conflicts'];
  readonly markers: string | undefined;
}

/** Merged bytes; the merge that failed; `undefined` where lines do not apply. */
function mergeBytes(files: ThreeFiles, names: SideNames): Uint8Array | FailedMerge | undefined {
  const { base, proposed, live } = files;
  if (isEqual(live.bytes, base.bytes)) {
    return proposed.bytes;
  }
  if (isEqual(live.bytes, proposed.bytes) || isEqual(proposed.bytes, base.bytes)) {
    return live.bytes;
  }
  const [from, to, now] = [base, proposed, live].map(({ bytes }) => toByteText(bytes));
  if (from === undefined || to === undefined || now === undefined) {
    return undefined;
  }
  const { codec } = now;
  if (from.codec !== codec || to.codec !== codec) {
    return undefined;
  }
  const { text, conflicts, withMarkers } = mergeText(from.text, to.text, now.text, names);
  return text === undefined
    ? { conflicts, markers: utf8Text({ codec, text: withMarkers }) }
    : toBytes({ codec, text });
}

function conflict(detail: string, withMarkers?: string): Plan {
  return { type: 'conflict', detail, ...(withMarkers === undefined ? {} : { withMarkers }) };
}

/** Both texts whole, for a file that both sides added. */
function bothAdded(
  proposed: Exclude<Version, undefined>,
  live: Exclude<Version, undefined>,
  names: SideNames,
): string | undefined {
  if (proposed.kind !== 'file' || live.kind !== 'file') {
    return undefined;
  }
  const [to, now] = [toByteText(proposed.bytes), toByteText(live.bytes)];
  return to === undefined || to.codec !== now?.codec
    ? undefined
    : utf8Text({ ...now, text: mergeText('', to.text, now.text, names).withMarkers });
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
