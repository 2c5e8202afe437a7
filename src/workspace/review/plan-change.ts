import { decodeText } from '../text-lines';
import type { MergeResult } from './merge-text';
import { mergeText } from './merge-text';

export interface FileVersion {
  readonly kind: 'file';
  readonly bytes: Uint8Array;
  readonly mode: number;
}

export interface LinkVersion {
  readonly kind: 'link';
  readonly target: string;
}

/** What stands at a path; `undefined` when there is nothing. */
export type Version = FileVersion | LinkVersion | undefined;

/** `unknown`: what the agents started from is not known for certain. `other`: a folder or no regular file is there. */
export interface ThreeVersions {
  readonly base: Version | 'unknown';
  readonly proposed: Version;
  readonly live: Version | 'other';
}

export type Plan =
  | { readonly type: 'nothing' }
  | { readonly type: 'write'; readonly version: FileVersion | LinkVersion }
  | { readonly type: 'remove' }
  | { readonly type: 'conflict'; readonly detail: string; readonly withMarkers?: string };

/** What the two sides of a conflict are called in its markers. */
export interface SideNames {
  readonly live: string;
  readonly proposed: string;
}

interface ThreeFiles {
  readonly base: FileVersion;
  readonly proposed: FileVersion;
  readonly live: FileVersion;
}

/** What has to be written so that the change from base to proposed also holds for the live file. Writes nothing. */
export function planChange(versions: ThreeVersions, names: SideNames): Plan {
  const { base, proposed, live } = versions;
  if (live === 'other') {
    return conflict('A folder, or something else that is no regular file, stands in this place.');
  }
  if (isSame(live, proposed)) {
    return { type: 'nothing' };
  }
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

function isSame(a: Version, b: Version): boolean {
  if (a === undefined || b === undefined) {
    return a === b;
  }
  if (a.kind === 'link' || b.kind === 'link') {
    return a.kind === 'link' && b.kind === 'link' && a.target === b.target;
  }
  return a.mode === b.mode && isEqual(a.bytes, b.bytes);
}

function mergeFiles(files: ThreeFiles, names: SideNames): Plan {
  const { base, proposed, live } = files;
  const mode = live.mode === base.mode ? proposed.mode : live.mode;
  const merged = mergeBytes(files, names);
  if (merged instanceof Uint8Array) {
    const version: FileVersion = { kind: 'file', bytes: merged, mode };
    return isSame(version, live) ? { type: 'nothing' } : { type: 'write', version };
  }
  return merged === undefined
    ? conflict('The file was changed meanwhile and cannot be merged line by line.')
    : conflict('Your edits and the proposal change the same lines.', merged.withMarkers);
}

/** Merged bytes; the merge that failed; `undefined` where lines do not apply. */
function mergeBytes(files: ThreeFiles, names: SideNames): Uint8Array | MergeResult | undefined {
  const { base, proposed, live } = files;
  if (isEqual(live.bytes, base.bytes)) {
    return proposed.bytes;
  }
  if (isEqual(live.bytes, proposed.bytes) || isEqual(proposed.bytes, base.bytes)) {
    return live.bytes;
  }
  const merged = mergeDecoded(base.bytes, proposed.bytes, live.bytes, names);
  return merged?.text === undefined ? merged : new TextEncoder().encode(merged.text);
}

function mergeDecoded(
  base: Uint8Array,
  proposed: Uint8Array,
  live: Uint8Array,
  names: SideNames,
): MergeResult | undefined {
  const texts = [base, proposed, live].map(decodeText);
  const [from, to, now] = texts;
  return from === undefined || to === undefined || now === undefined
    ? undefined
    : mergeText(from, to, now, names);
}

function conflict(detail: string, withMarkers?: string): Plan {
  return { type: 'conflict', detail, ...(withMarkers === undefined ? {} : { withMarkers }) };
}

/** Both texts whole, for a file that both sides added. */
function bothAdded(
  proposed: FileVersion | LinkVersion,
  live: FileVersion | LinkVersion,
  names: SideNames,
): string | undefined {
  return proposed.kind === 'file' && live.kind === 'file'
    ? mergeDecoded(new Uint8Array(), proposed.bytes, live.bytes, names)?.withMarkers
    : undefined;
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
