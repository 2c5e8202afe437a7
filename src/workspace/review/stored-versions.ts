import { MassGenError } from '../../core/errors';
import type { LiveFile } from '../../core/ports/review';
import type { BaseContent, Content, UpperEntry } from '../content';
import type { SnapshotStore } from '../snapshot-store';
import type { Version } from './plan-change';

/** A stored content with its bytes. Throws `storage/corrupt` when they are gone. */
export function loadVersion(store: SnapshotStore, content: Content | null): Version {
  if (content?.kind === 'folder') {
    return { ...content, isEmpty: true };
  }
  if (content?.kind !== 'file') {
    return content ?? undefined;
  }
  const bytes = store.readContent(content);
  if (bytes === undefined) {
    throw new MassGenError('storage/corrupt', 'The stored bytes of this file are gone.');
  }
  return { kind: 'file', bytes, mode: content.mode };
}

export function loadProposed(store: SnapshotStore, entry: UpperEntry): Version {
  return entry.kind === 'deleted' ? undefined : loadVersion(store, entry);
}

export function loadBase(store: SnapshotStore, base: BaseContent): Version | 'unknown' {
  return base?.kind === 'unknown' ? 'unknown' : loadVersion(store, base);
}

/** Keeps a version's bytes in the store. */
export function keepVersion(store: SnapshotStore, version: Version): Content | null {
  if (version?.kind === 'folder') {
    return { kind: 'folder', mode: version.mode };
  }
  if (version?.kind !== 'file') {
    return version ?? null;
  }
  const { bytes, mode } = version;
  return { kind: 'file', sha256: store.putBytes(bytes), sizeBytes: bytes.length, mode };
}

export function toVersion(live: LiveFile | undefined): Version | 'other' {
  if (live === undefined || live.kind === 'other') {
    return live === undefined ? undefined : 'other';
  }
  if (live.kind === 'folder') {
    return { kind: 'folder', mode: live.mode, isEmpty: live.isEmpty === true };
  }
  return live.kind === 'link'
    ? { kind: 'link', target: new TextDecoder().decode(live.bytes) }
    : { kind: 'file', bytes: live.bytes, mode: live.mode };
}

export function bytesOf(version: Version | 'other' | 'unknown'): Uint8Array | undefined {
  if (version === undefined || typeof version === 'string' || version.kind === 'folder') {
    return undefined;
  }
  return version.kind === 'file' ? version.bytes : new TextEncoder().encode(version.target);
}
