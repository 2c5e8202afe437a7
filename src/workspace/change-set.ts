import type { FileChange } from '../run/facts';
import type { BaseLayer } from './base-layer';
import type { BaseContent, UpperEntry } from './content';
import type { GitIgnore } from './git-ignore';
import type { ManifestEntry } from './manifest';
import { isDependencyFolder, isSensitivePath, lifecycleScripts } from './path-rules';
import type { SnapshotStore } from './snapshot-store';
import { countLines, decodeText } from './text-lines';
import { nameOf } from './upper-layer';

export interface ChangeContext {
  readonly root: string;
  readonly base: BaseLayer;
  readonly store: SnapshotStore;
  /** `undefined` for the agent's own folder. */
  readonly ignore: GitIgnore | undefined;
}

/** The entry of a list of changes for one path, computed from the bytes of both sides. */
export async function toFileChange(
  context: ChangeContext,
  path: string,
  entry: ManifestEntry,
  signal: AbortSignal,
): Promise<FileChange> {
  const before = context.store.readContent(entry.base);
  const after = context.store.readContent(entry.now);
  const isLink = entry.now.kind === 'link' || entry.base?.kind === 'link';
  const lines = isLink ? { added: 0, removed: 0, isBinary: false } : countLines(before, after);
  const caution = await cautionOf(context, path, entry, signal);
  const hasMoved = await context.base.hasMoved(path, signal);
  return {
    root: context.root,
    path,
    kind: changeKind(entry.now, entry.base),
    ...lines,
    sizeBytes: after?.length ?? 0,
    ...(caution === undefined ? {} : { caution }),
    ...(hasMoved ? { baseMoved: true } : {}),
  };
}

function changeKind(now: UpperEntry, base: BaseContent): FileChange['kind'] {
  if (now.kind === 'folder' || (now.kind === 'deleted' && base?.kind === 'folder')) {
    return 'folder';
  }
  if (now.kind === 'deleted') {
    return 'delete';
  }
  if (now.kind === 'link') {
    return 'link';
  }
  if (base === null) {
    return 'add';
  }
  return now.kind === 'file' && base.kind === 'file' && base.sha256 === now.sha256
    ? 'mode'
    : 'modify';
}

async function cautionOf(
  context: ChangeContext,
  path: string,
  entry: ManifestEntry,
  signal: AbortSignal,
): Promise<FileChange['caution']> {
  if (context.ignore === undefined) {
    return undefined;
  }
  if (isSensitivePath(path) || gainsExecution(entry) || changesLifecycle(context, path, entry)) {
    return 'sensitive';
  }
  const isGenerated = path.split('/').slice(0, -1).some(isDependencyFolder);
  return isGenerated || (await context.ignore.isIgnored(path, signal)) ? 'ignored' : undefined;
}

function gainsExecution({ now, base }: ManifestEntry): boolean {
  const before = base?.kind === 'file' ? base.mode : 0;
  return now.kind === 'file' && (now.mode & 0o111) !== 0 && (before & 0o111) === 0;
}

function changesLifecycle(context: ChangeContext, path: string, entry: ManifestEntry): boolean {
  if (nameOf(path).toLowerCase() !== 'package.json') {
    return false;
  }
  const scripts = (content: UpperEntry | BaseContent): string | undefined => {
    const bytes = context.store.readContent(content);
    const text = bytes === undefined ? '{}' : decodeText(bytes);
    return text === undefined ? undefined : lifecycleScripts(text);
  };
  const now = scripts(entry.now);
  // Package managers read more than we do: what cannot be looked into needs a second look by the user.
  return now === undefined || scripts(entry.base) !== now;
}
