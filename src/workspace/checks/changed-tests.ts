import type { ChangedTests } from '../../run/check-facts';
import type { BaseContent, UpperEntry } from '../content';
import type { Manifest, ManifestEntry } from '../manifest';
import type { SnapshotStore } from '../snapshot-store';
import { withBaseScripts } from './base-scripts';
import { countSkips, isCheckRule, isTestFile } from './test-files';

type Contents = Pick<SnapshotStore, 'readContent' | 'putBytes'>;

/** What a snapshot did to the tests that there were, and the same snapshot with those tests as they were. */
export interface TestChanges {
  readonly tests: Omit<ChangedTests, 'isRestored'>;
  /** Equal to the snapshot when it left the tests alone. */
  readonly restored: Manifest;
  readonly isRestored: boolean;
}

/**
 * Looks at the context roots in `roots` only. Tests that are new stay. Of a package.json, the scripts that there were
 * count as tests: they say what a check does.
 */
export function changedTests(
  manifest: Manifest,
  roots: ReadonlySet<string>,
  contents: Contents,
): TestChanges {
  const edited: string[] = [];
  const deleted: string[] = [];
  const skipped: string[] = [];
  const rules: string[] = [];
  const restored = new Map<string, ReadonlyMap<string, ManifestEntry>>();
  for (const [root, paths] of manifest) {
    if (!roots.has(root)) {
      restored.set(root, paths);
      continue;
    }
    const kept = new Map(paths);
    for (const [path, entry] of paths) {
      const found = restoredEntry(path, entry, contents);
      if (found !== undefined) {
        const name = `${root}/${path}`;
        (entry.now.kind === 'deleted' ? deleted : edited).push(name);
        skipped.push(...(found.isSkipping ? [name] : []));
        makeWay(path, kept);
        putBack(path, found.entry, kept);
      } else if (isCheckRule(path)) {
        rules.push(`${root}/${path}`);
      }
    }
    restored.set(root, kept);
  }
  const isRestored = edited.length > 0 || deleted.length > 0;
  const tests = { edited, deleted, skipped, ...(rules.length === 0 ? {} : { rules }) };
  return { tests, restored, isRestored };
}

interface Restored {
  /** `undefined`: as in the base. */
  readonly entry: ManifestEntry | undefined;
  readonly isSkipping: boolean;
}

/** `undefined` for what is no test, or a new one. */
function restoredEntry(
  path: string,
  entry: ManifestEntry,
  contents: Contents,
): Restored | undefined {
  const scripts = withBaseScripts(path, entry, contents);
  if (scripts !== undefined) {
    return { entry: scripts, isSkipping: false };
  }
  if (!isTestFile(path) || entry.base === null) {
    return undefined;
  }
  const isSkipping = skipsIn(entry.now, contents) > skipsIn(entry.base, contents);
  return { entry: undefined, isSkipping };
}

function putBack(
  path: string,
  entry: ManifestEntry | undefined,
  kept: Map<string, ManifestEntry>,
): void {
  if (entry === undefined) {
    kept.delete(path);
  } else {
    kept.set(path, entry);
  }
}

/** What stands in the place of a folder of the test cannot stay. */
function makeWay(path: string, kept: Map<string, ManifestEntry>): void {
  const parts = path.split('/');
  for (let length = 1; length < parts.length; length++) {
    kept.delete(parts.slice(0, length).join('/'));
  }
}

function skipsIn(content: UpperEntry | BaseContent, contents: Contents): number {
  const bytes = content?.kind === 'file' ? contents.readContent(content) : undefined;
  return bytes === undefined ? 0 : countSkips(new TextDecoder().decode(bytes));
}
