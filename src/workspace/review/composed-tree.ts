import type { SnapshotId } from '../../base/ids';
import type { ReviewSubject } from '../../core/ports/review';
import type { ReviewFile } from '../../run/state';
import { deleted, isSameContent } from '../content';
import type { UpperEntry } from '../content';
import { toBytes } from '../hunks/byte-text';
import { composeLines } from '../hunks/parts';
import type { Manifest, ManifestEntry } from '../manifest';
import type { ReviewParts } from './guarded-write';
import type { FileVersion } from './plan-change';
import type { Proposal } from './proposal';
import { entryOf, loadProposal } from './proposal';
import type { FileState } from './review-state';
import { wholeUnit } from './review-state';
import { keepVersion } from './stored-versions';

type Tree = Map<string, Map<string, ManifestEntry>>;

/** The reviewed answer with the user's picks in it and with what was rejected left out. */
export function composeTree(parts: ReviewParts, subject: ReviewSubject): Manifest {
  const { store, state } = parts;
  const manifest = store.readManifest(subject.snapshotId) ?? new Map<string, never>();
  const tree: Tree = new Map([...manifest].map(([root, paths]) => [root, new Map(paths)]));
  const changed = subject.files.filter(
    (file) => file.parts !== undefined || isPartlyRejected(state.get(file)),
  );
  // All old entries go before new ones come: a path may be the place of one file and the old place of another.
  for (const { root, path, from } of changed) {
    tree.get(root)?.delete(path);
    if (from !== undefined) {
      tree.get(root)?.delete(from);
    }
  }
  for (const file of changed) {
    const paths = tree.get(file.root) ?? new Map<string, ManifestEntry>();
    tree.set(file.root, paths);
    for (const [path, entry] of entriesFor(parts, subject, file)) {
      if (!isSameContent(entry.now, entry.base)) {
        paths.set(path, entry);
      }
    }
  }
  return tree;
}

/** Stores that tree. Equal content has an equal id. */
export function storeComposed(parts: ReviewParts, subject: ReviewSubject): SnapshotId {
  const id = parts.store.save(composeTree(parts, subject));
  parts.store.sync();
  return id;
}

function isPartlyRejected({ units }: FileState): boolean {
  return [...units.values()].some(({ type }) => type === 'rejected');
}

function entriesFor(
  parts: ReviewParts,
  subject: ReviewSubject,
  file: ReviewFile,
): readonly (readonly [string, ManifestEntry])[] {
  const { store, state } = parts;
  const { units } = state.get(file);
  const proposal = loadProposal(store, subject, file);
  const entry = storedEntry(parts, subject, file);
  if (proposal === undefined || entry === undefined || file.parts?.length === 0) {
    return [];
  }
  const isFrameKept = units.get(wholeUnit)?.type !== 'rejected';
  if (proposal.parts.length === 0 && !isFrameKept) {
    return [];
  }
  if (proposal.parts.length === 0) {
    return placed(file, entry, entry.now);
  }
  const kept = proposal.parts.filter(({ id }) => units.get(id)?.type !== 'rejected');
  const now = keepVersion(store, composedVersion(proposal, kept, isFrameKept)) ?? deleted;
  const { from = file.path } = file;
  return isFrameKept ? placed(file, entry, now) : [[from, { now, base: entry.base }]];
}

/** As the answer stored it that the first part is from, or the reviewed one. */
function storedEntry(
  { store }: ReviewParts,
  subject: ReviewSubject,
  file: ReviewFile,
): ManifestEntry | undefined {
  const label = file.parts?.[0]?.label ?? subject.label;
  return (
    entryOf(store, subject, label, file) ??
    store.readEntry(subject.snapshotId, file.root, file.from ?? file.path)
  );
}

/** For a move the old place is empty afterwards. */
function placed(
  { path, from }: ReviewFile,
  entry: ManifestEntry,
  now: UpperEntry,
): readonly (readonly [string, ManifestEntry])[] {
  return from === undefined
    ? [[path, { now, base: entry.base }]]
    : [
        [from, { now: deleted, base: entry.base }],
        [path, { now, base: null }],
      ];
}

function composedVersion(
  { base, proposed, text }: Proposal,
  kept: Proposal['parts'],
  isFrameKept: boolean,
): FileVersion | undefined {
  if (base === 'unknown' || base?.kind !== 'file' || proposed?.kind !== 'file') {
    return undefined;
  }
  const lines = composeLines(text.lines, kept);
  return {
    kind: 'file',
    bytes: toBytes({ codec: text.codec, text: lines.join('') }),
    mode: isFrameKept ? proposed.mode : base.mode,
  };
}
