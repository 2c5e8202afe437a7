// A project on disk, a stored snapshot that changes it, and a review of that snapshot.
import { chmodSync, lstatSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Label } from '../../../../src/base/ids';
import { parseLabel, toLabel } from '../../../../src/base/ids';
import type { LiveFiles, ReviewSession, ReviewTarget } from '../../../../src/core/ports/review';
import type { FileDecided, MixPicked } from '../../../../src/run/events';
import { fileDecided, mixPicked } from '../../../../src/run/reducer/review';
import { initialState } from '../../../../src/run/reducer';
import type { RunState } from '../../../../src/run/state';
import type { FileChange } from '../../../../src/run/facts';
import { hunksOf } from '../../../../src/workspace/hunks/hunks-of';
import type { Content } from '../../../../src/workspace/content';
import { isSameContent } from '../../../../src/workspace/content';
import type { ManifestEntry } from '../../../../src/workspace/manifest';
import { createDiskFiles } from '../../../../src/workspace/review/disk-files';
import { createReviewSession } from '../../../../src/workspace/review/review-session';
import { openSnapshotStore } from '../../../../src/workspace/snapshot-store';
import type { SnapshotStore } from '../../../../src/workspace/snapshot-store';
import { acquireLock } from '../../../../src/storage/lock-file';
import { tempFolder } from '../temp-project';

/** Path → content; a link is written as `{ link: target }`. */
export type Tree = Readonly<Record<string, TreeEntry>>;
export type TreeEntry =
  | { readonly bytes: Uint8Array; readonly mode: number }
  | { readonly link: string }
  /** An empty one. */
  | { readonly folder: true };

export function file(content: string | Uint8Array, mode = 0o644): TreeEntry {
  return { bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content, mode };
}

export function writeTree(folder: string, tree: Tree): void {
  for (const [path, entry] of Object.entries(tree)) {
    const place = join(folder, path);
    mkdirSync(dirname(place), { recursive: true });
    if ('link' in entry) {
      symlinkSync(entry.link, place);
    } else if ('folder' in entry) {
      mkdirSync(place);
    } else {
      writeFileSync(place, entry.bytes);
      chmodSync(place, entry.mode);
    }
  }
}

/** Everything below a folder but folders that hold something; bytes as latin-1 text so that differences can be read. */
export function readTree(folder: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const visit = (path: string): void => {
    for (const name of readdirSync(join(folder, path)).sort()) {
      const at = path === '' ? name : `${path}/${name}`;
      const stat = lstatSync(join(folder, at));
      if (stat.isDirectory()) {
        if (readdirSync(join(folder, at)).length === 0) {
          found[at] = 'folder';
        }
        visit(at);
      } else if (stat.isSymbolicLink()) {
        found[at] = `-> ${readlinkSync(join(folder, at))}`;
      } else {
        const text = readFileSync(join(folder, at)).toString('latin1');
        found[at] = `${(stat.mode & 0o777).toString(8)} ${text}`;
      }
    }
  };
  visit('');
  return found;
}

/** What `readTree` answers for a tree that stands on a disk. */
export function asRead(tree: Tree): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(tree).map(([path, entry]) => [
      path,
      'link' in entry
        ? `-> ${entry.link}`
        : 'folder' in entry
          ? 'folder'
          : `${entry.mode.toString(8)} ${Buffer.from(entry.bytes).toString('latin1')}`,
    ]),
  );
}

export interface ReviewBench {
  readonly project: string;
  readonly dir: string;
  readonly store: SnapshotStore;
  /** Decisions in order, and picks apart from them. */
  readonly events: readonly FileDecided[];
  readonly picks: readonly MixPicked[];
  readonly session: ReviewSession;
  /** The same review, read anew from what is stored; picks and decisions as the run would have them. */
  readonly reopen: (live?: LiveFiles) => ReviewSession;
}

export interface BenchOptions {
  /** Paths given here get these fields in the list of changes. */
  readonly extra?: Readonly<Record<string, Partial<FileChange>>>;
  /** New path → old path. */
  readonly moves?: Readonly<Record<string, string>>;
  /** Further answers, by label. */
  readonly others?: Readonly<Record<Label, Tree>>;
}

/** `proposed` leaves out what is deleted. */
export function review(
  base: Tree,
  proposed: Tree,
  extra: Readonly<Record<string, Partial<FileChange>>> = {},
): ReviewBench {
  return reviewOf(base, proposed, { extra });
}

export function reviewOf(base: Tree, proposed: Tree, options: BenchOptions): ReviewBench {
  const project = join(tempFolder(), 'My Répo 日本');
  mkdirSync(project);
  writeTree(project, base);
  return reviewIn(project, base, proposed, options);
}

/** A review over a project that stands on the disk already. */
function reviewIn(project: string, base: Tree, proposed: Tree, options: BenchOptions): ReviewBench {
  const dir = tempFolder();
  const store = openSnapshotStore({ dir, runId: 'run-1' });
  onTestFinished(() => store.close());
  const answers = { 'agent1.1': proposed, ...options.others };
  const candidates = Object.entries(answers).map(([label, tree]) => ({
    label: asLabel(label),
    ...keepAnswer(store, base, tree, options),
  }));
  const [own] = candidates;
  if (own === undefined) {
    throw new Error('no answer');
  }
  const events: FileDecided[] = [];
  const picks: MixPicked[] = [];
  let state: RunState['review'] = null;
  const reopen = (live: LiveFiles = createDiskFiles()): ReviewSession => {
    const { label, snapshotId, files } = own;
    const pending = files.map((each) => ({ ...each, decision: 'pending' as const }));
    return createReviewSession({
      subject: {
        ...{ runId: 'run-1', label, snapshotId, candidates },
        contextRoots: [{ name: 'proj', path: project, permission: 'write' }],
        files: state?.files ?? pending,
      },
      store,
      live,
      journalDir: join(dir, 'run-1'),
      lock: () => {
        mkdirSync(join(dir, 'run-1'), { recursive: true });
        const path = join(dir, 'run-1', 'review.lock');
        return acquireLock({ path, proofOfLife: path, now: 0 });
      },
      onDecision: (event) => {
        const now = { ...initialState, review: state ?? { label, snapshotId, files: pending } };
        state = (event.type === 'mix-picked' ? mixPicked(now, event) : fileDecided(now, event))
          .review;
        if (event.type === 'file-decided') {
          events.push(event);
        } else {
          picks.push(event);
        }
      },
    });
  };
  return { project, dir, store, events, picks, session: reopen(), reopen };
}

function keepAnswer(
  store: SnapshotStore,
  base: Tree,
  tree: Tree,
  { extra = {}, moves = {} }: BenchOptions,
): { readonly snapshotId: string; readonly files: readonly FileChange[] } {
  const entries = new Map<string, ManifestEntry>();
  for (const path of new Set([...Object.keys(base), ...Object.keys(tree)])) {
    const before = toContent(store, base[path]);
    const now = toContent(store, tree[path]);
    if (!isSameContent(before, now)) {
      entries.set(path, { now: now ?? { kind: 'deleted' }, base: before });
    }
  }
  const snapshotId = store.save(new Map([['proj', entries]]));
  const moved = new Map(
    Object.entries(moves).filter(([to, from]) => entries.has(to) && entries.has(from)),
  );
  const gone = new Set(moved.values());
  const files = [...entries.keys()]
    .filter((path) => !gone.has(path))
    .sort()
    .map((path) => ({ ...changeFor(base, tree, path, moved.get(path)), ...extra[path] }));
  return { snapshotId, files };
}

function changeFor(base: Tree, tree: Tree, path: string, from: string | undefined): FileChange {
  const [old, now] = [base[from ?? path], tree[path]];
  const both = old !== undefined && now !== undefined && 'bytes' in old && 'bytes' in now;
  const found = both ? hunksOf(old.bytes, now.bytes, path) : undefined;
  const kind =
    from !== undefined
      ? 'rename'
      : old === undefined
        ? 'add'
        : now === undefined
          ? 'delete'
          : 'modify';
  return {
    ...{ root: 'proj', path, kind, added: 0, removed: 0, isBinary: false, sizeBytes: 0 },
    ...(from === undefined ? {} : { from }),
    ...(both && old.mode !== now.mode ? { modes: { before: old.mode, after: now.mode } } : {}),
    ...found,
  };
}

function asLabel(text: string): Label {
  const parsed = parseLabel(text);
  return toLabel(parsed?.slot ?? 0, parsed?.n ?? 0);
}

function toContent(store: SnapshotStore, entry: TreeEntry | undefined): Content | null {
  if (entry === undefined) {
    return null;
  }
  if ('link' in entry) {
    return { kind: 'link', target: entry.link };
  }
  if ('folder' in entry) {
    return { kind: 'folder', mode: 0o755 };
  }
  const { bytes, mode } = entry;
  return { kind: 'file', sha256: store.putBytes(bytes), sizeBytes: bytes.length, mode };
}

export function target(path: string, hunk?: string): ReviewTarget {
  return { root: 'proj', path, ...(hunk === undefined ? {} : { hunk }) };
}

/** Files on the disk with some calls of one's own. They are not bound to a folder, so that these calls are made. */
export function filesWith(own: Partial<LiveFiles>): LiveFiles {
  const disk = createDiskFiles();
  return {
    read: async (...all) => disk.read(...all),
    write: async (...all) => disk.write(...all),
    remove: async (...all) => disk.remove(...all),
    ...own,
  };
}
