// A project on disk, a stored snapshot that changes it, and a review of that snapshot.
import { chmodSync, lstatSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { LiveFiles, ReviewSession } from '../../../../src/core/ports/review';
import type { FileDecided } from '../../../../src/run/events';
import type { FileChange } from '../../../../src/run/facts';
import type { Content } from '../../../../src/workspace/content';
import { isSameContent } from '../../../../src/workspace/content';
import type { ManifestEntry } from '../../../../src/workspace/manifest';
import { createDiskFiles } from '../../../../src/workspace/review/disk-files';
import { createReviewSession } from '../../../../src/workspace/review/review-session';
import { openSnapshotStore } from '../../../../src/workspace/snapshot-store';
import type { SnapshotStore } from '../../../../src/workspace/snapshot-store';
import { tempFolder } from '../temp-project';

/** Path → content; a link is written as `{ link: target }`. */
export type Tree = Readonly<Record<string, TreeEntry>>;
export type TreeEntry =
  { readonly bytes: Uint8Array; readonly mode: number } | { readonly link: string };

export function file(content: string | Uint8Array, mode = 0o644): TreeEntry {
  return { bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content, mode };
}

function writeTree(folder: string, tree: Tree): void {
  for (const [path, entry] of Object.entries(tree)) {
    const place = join(folder, path);
    mkdirSync(dirname(place), { recursive: true });
    if ('link' in entry) {
      symlinkSync(entry.link, place);
    } else {
      writeFileSync(place, entry.bytes);
      chmodSync(place, entry.mode);
    }
  }
}

/** Everything below a folder but empty folders; bytes as latin-1 text so that differences can be read. */
export function readTree(folder: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const visit = (path: string): void => {
    for (const name of readdirSync(join(folder, path)).sort()) {
      const at = path === '' ? name : `${path}/${name}`;
      const stat = lstatSync(join(folder, at));
      if (stat.isDirectory()) {
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
        : `${entry.mode.toString(8)} ${Buffer.from(entry.bytes).toString('latin1')}`,
    ]),
  );
}

export interface ReviewBench {
  readonly project: string;
  readonly dir: string;
  readonly store: SnapshotStore;
  readonly events: readonly FileDecided[];
  readonly session: ReviewSession;
  /** The same review, read anew from what is stored. */
  readonly reopen: (live?: LiveFiles) => ReviewSession;
}

/** `proposed` leaves out what is deleted. Paths given in `extra` get those fields in the list of changes. */
export function review(
  base: Tree,
  proposed: Tree,
  extra: Readonly<Record<string, Partial<FileChange>>> = {},
): ReviewBench {
  const project = join(tempFolder(), 'My Répo 日本');
  mkdirSync(project);
  writeTree(project, base);
  const dir = tempFolder();
  const store = openSnapshotStore({ dir, runId: 'run-1' });
  onTestFinished(() => store.close());
  const entries = new Map<string, ManifestEntry>();
  for (const path of new Set([...Object.keys(base), ...Object.keys(proposed)])) {
    const before = toContent(store, base[path]);
    const now = toContent(store, proposed[path]);
    if (!isSameContent(before, now)) {
      entries.set(path, { now: now ?? { kind: 'deleted' }, base: before });
    }
  }
  const snapshotId = store.save(new Map([['proj', entries]]));
  const files = [...entries.keys()].sort().map((path): FileChange => {
    const counts = { kind: 'modify', added: 0, removed: 0, isBinary: false, sizeBytes: 0 } as const;
    return { root: 'proj', path, ...counts, ...extra[path] };
  });
  const events: FileDecided[] = [];
  const reopen = (live: LiveFiles = createDiskFiles()): ReviewSession =>
    createReviewSession({
      subject: {
        runId: 'run-1',
        label: 'agent1.1',
        snapshotId,
        contextRoots: [{ name: 'proj', path: project, permission: 'write' }],
        files: files.map((each) => ({ ...each, decision: 'pending' })),
        candidates: [{ label: 'agent1.1', snapshotId, files }],
      },
      store,
      live,
      journalDir: join(dir, 'run-1'),
      onDecision: (event) => {
        if (event.type === 'file-decided') {
          events.push(event);
        }
      },
    });
  return { project, dir, store, events, session: reopen(), reopen };
}

function toContent(store: SnapshotStore, entry: TreeEntry | undefined): Content | null {
  if (entry === undefined) {
    return null;
  }
  if ('link' in entry) {
    return { kind: 'link', target: entry.link };
  }
  const { bytes, mode } = entry;
  return { kind: 'file', sha256: store.putBytes(bytes), sizeBytes: bytes.length, mode };
}

export function target(path: string): { readonly root: string; readonly path: string } {
  return { root: 'proj', path };
}
