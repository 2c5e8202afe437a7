import { canonicalJson } from '../base/canonical-json';
import type { SnapshotId } from '../base/ids';
import { MassGenError } from '../core/errors';
import type { BaseContent, Content, UpperEntry } from './content';
import { sha256OfBytes } from './content';
import { foldName } from './name-folding';

/** One changed path: what it became, and what it was in the user's folder when the agents first touched it. */
export interface ManifestEntry {
  readonly now: UpperEntry;
  readonly base: BaseContent;
}

/** Root name → path (`/` as separator) → change. Holds differences only, so it grows with the edits, not the project. */
export type Manifest = ReadonlyMap<string, ReadonlyMap<string, ManifestEntry>>;

export interface EncodedManifest {
  /** sha256 of the text; equal content has an equal id. */
  readonly id: SnapshotId;
  readonly bytes: Uint8Array;
}

export function encodeManifest(
  manifest: Manifest,
  platform: NodeJS.Platform = process.platform,
): EncodedManifest {
  for (const paths of manifest.values()) {
    checkKeys(paths, platform);
  }
  const roots = Object.fromEntries(
    [...manifest]
      .filter(([, paths]) => paths.size > 0)
      .map(([root, paths]) => [root, Object.fromEntries(paths)]),
  );
  const bytes = new TextEncoder().encode(canonicalJson({ v: 1, roots }));
  return { id: sha256OfBytes(bytes), bytes };
}

/** Throws `storage/corrupt` for anything that is not a manifest, path keys that could lead elsewhere included. */
export function decodeManifest(
  bytes: Uint8Array,
  platform: NodeJS.Platform = process.platform,
): Manifest {
  const value = parseJson(bytes);
  if (!isRecord(value) || value['v'] !== 1 || !isRecord(value['roots'])) {
    throw corrupt('it has no known version');
  }
  return new Map(
    Object.entries(value['roots']).map(([root, paths]) => {
      if (!isRecord(paths)) {
        throw corrupt(`the root ${root} is no object`);
      }
      const entries = new Map(Object.entries(paths).map(([path, each]) => toEntry(path, each)));
      checkKeys(entries, platform);
      return [root, entries];
    }),
  );
}

function toEntry(path: string, value: unknown): [string, ManifestEntry] {
  if (!isRecord(value)) {
    throw corrupt(`the entry of ${path} is no object`);
  }
  const now = toContent(value['now']) ?? (hasKind(value['now'], 'deleted') ? deletedEntry : null);
  const base = value['base'] === null ? null : toBase(value['base']);
  if (now === null || base === undefined) {
    throw corrupt(`the entry of ${path} is malformed`);
  }
  return [path, { now, base }];
}

const deletedEntry: UpperEntry = { kind: 'deleted' };

function toBase(value: unknown): BaseContent | undefined {
  return hasKind(value, 'unknown') ? { kind: 'unknown' } : toContent(value);
}

/** A content as it stands in JSON; `undefined` for anything else. */
export function toContent(value: unknown): Content | undefined {
  if (!isRecord(value)) {
    return undefined;
  }
  const { kind, sha256, sizeBytes, mode, target } = value;
  if (kind === 'link' && typeof target === 'string' && !target.includes('\0')) {
    return { kind, target };
  }
  if (kind === 'folder' && isCount(mode)) {
    return { kind, mode: mode & 0o777 };
  }
  const isFile = kind === 'file' && typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256);
  if (!isFile || !isCount(sizeBytes) || !isCount(mode)) {
    return undefined;
  }
  return { kind, sha256, sizeBytes, mode: mode & 0o777 };
}

/**
 * Where names fold, two spellings of one file would each be written over the other. A name that only changes its case is
 * there in its new spelling and gone in its old one.
 */
function checkKeys(entries: ReadonlyMap<string, ManifestEntry>, platform: NodeJS.Platform): void {
  const folds = platform === 'win32' || platform === 'darwin';
  const present = new Set<string>();
  for (const [path, { now }] of entries) {
    checkKey(path, platform);
    const folded = folds ? foldName(path) : path;
    if (now.kind !== 'deleted' && present.has(folded)) {
      throw corrupt(`${JSON.stringify(path)} is there twice`);
    }
    if (now.kind !== 'deleted') {
      present.add(folded);
    }
  }
}

/** A key is a relative path of plain segments: nothing empty, absolute, upward, with a drive or with NUL. */
function checkKey(path: string, platform: NodeJS.Platform): void {
  // A backslash is a character of a name here and a separator there.
  const parts = platform === 'win32' ? path.split(/[\\/]/) : path.split('/');
  const isPlain = parts.every(
    (part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\0'),
  );
  const isImpossible = platform === 'win32' && (path.includes('\\') || parts.some(isDeviceName));
  if (!isPlain || isImpossible || /^[A-Za-z]:/.test(path)) {
    throw corrupt(`${JSON.stringify(path)} is not a relative path`);
  }
}

/** Such names reach a device on Windows, in any folder and with any ending; so does what follows a colon reach a stream. */
function isDeviceName(name: string): boolean {
  return /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name) || /:|[. ]$/.test(name);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new MassGenError('storage/corrupt', 'A stored snapshot is not readable.', {
      cause: error,
    });
  }
}

function corrupt(why: string): MassGenError {
  return new MassGenError('storage/corrupt', `A stored snapshot is not usable: ${why}.`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasKind(value: unknown, kind: string): boolean {
  return isRecord(value) && value['kind'] === kind;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
