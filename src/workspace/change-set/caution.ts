import type { FileChange } from '../../run/facts';
import type { BaseContent, UpperEntry } from '../content';
import type { GitIgnore } from '../git-ignore';
import type { ManifestEntry } from '../manifest';
import { isDependencyFolder, isSensitivePath, lifecycleScripts } from '../path-rules';
import type { SnapshotStore } from '../snapshot-store';
import { decodeText } from '../text-lines';
import { nameOf } from '../upper-layer';

/** Why a change is not accepted along with the rest. For a file that was moved `entry.base` is what it was before. */
export async function cautionOf(
  paths: readonly [now: string, before: string],
  entry: ManifestEntry,
  sources: { readonly ignore: GitIgnore; readonly store: SnapshotStore },
  signal: AbortSignal,
): Promise<FileChange['caution']> {
  const [path] = paths;
  const isSensitive =
    paths.some(isSensitivePath) ||
    gainsExecution(entry) ||
    (paths.some(isPackageFile) && changesLifecycle(entry, sources.store));
  if (isSensitive) {
    return 'sensitive';
  }
  const isGenerated = path.split('/').slice(0, -1).some(isDependencyFolder);
  return isGenerated || (await sources.ignore.isIgnored(path, signal)) ? 'ignored' : undefined;
}

function gainsExecution({ now, base }: ManifestEntry): boolean {
  const before = base?.kind === 'file' ? base.mode : 0;
  return now.kind === 'file' && (now.mode & 0o111) !== 0 && (before & 0o111) === 0;
}

function isPackageFile(path: string): boolean {
  return nameOf(path).toLowerCase() === 'package.json';
}

function changesLifecycle(entry: ManifestEntry, store: SnapshotStore): boolean {
  const scripts = (content: UpperEntry | BaseContent): string | undefined => {
    const bytes = store.readContent(content);
    const text = bytes === undefined ? '{}' : decodeText(bytes);
    return text === undefined ? undefined : lifecycleScripts(text);
  };
  const now = scripts(entry.now);
  // Package managers read more than we do: what cannot be looked into needs a second look by the user.
  return now === undefined || scripts(entry.base) !== now;
}
