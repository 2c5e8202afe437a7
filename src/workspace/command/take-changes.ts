import { isTooLong } from '../path-guard';
import { isDependencyFolder } from '../path-rules';
import type { Warn } from '../warnings';
import type { CommandRoot } from './command-root';
import type { ChangeNotices, CommandChange, CommandView } from './command-view';

/** Beyond this many, ignored files that a command left (an installed dependency, a build) are not followed. */
const ignoredLimit = 2000;

/** Puts what commands changed in a view into the layers of its root. */
export async function takeChanges(
  at: CommandRoot,
  view: CommandView,
  warn: Warn,
  signal: AbortSignal,
): Promise<void> {
  const changes = await view.changesSinceLastLook(noticesOf(at, warn), signal);
  if (changes.length > 0 && !at.root.canWrite) {
    warn(
      'read-only-root-changed',
      `A command changed files of ${at.root.name}, which can only be read; they are left out.`,
    );
    return;
  }
  for (const { path, entry } of await worthKeeping(at, changes, warn, signal)) {
    await at.root.put(path, entry, signal);
  }
}

function warnOfLongPaths({ root }: CommandRoot, warn: Warn): void {
  warn(
    'path-too-long',
    `A command made files in ${root.name} whose paths are too long; they are left out.`,
  );
}

function noticesOf(at: CommandRoot, warn: Warn): ChangeNotices {
  const { name } = at.root;
  return {
    tooLarge: (path) => warn('file-too-large', `${name}/${path} is too large and is left out.`),
    unreadable: (path) =>
      warn(
        'file-unreadable',
        `A command left ${name}/${path} so that it cannot be read; it is left out.`,
      ),
    tooDeep: () => warnOfLongPaths(at, warn),
    noRegularFile: () =>
      warn(
        'special-file-left-out',
        `A command made pipes, sockets or devices in ${name}; they are left out.`,
      ),
  };
}

/** Leaves out hidden paths, and ignored and installed files when there are too many of them. */
async function worthKeeping(
  at: CommandRoot,
  changes: readonly CommandChange[],
  warn: Warn,
  signal: AbortSignal,
): Promise<readonly CommandChange[]> {
  const isFolder = (entry: CommandChange['entry']): boolean => entry.kind === 'folder';
  const usable = changes.filter(({ path }) => !isTooLong(path));
  if (usable.length < changes.length) {
    warnOfLongPaths(at, warn);
  }
  const visible = usable.filter(({ path, entry }) => !at.root.isHidden(path, isFolder(entry)));
  if (visible.length < usable.length) {
    warn(
      'hidden-path-changed',
      `A command changed files of ${at.root.name} that are hidden from agents; they are left out.`,
    );
  }
  const open = visible.filter(({ path }) => !at.root.isProtected(path));
  if (open.length < visible.length) {
    warn(
      'protected-path-changed',
      `A command changed protected files of ${at.root.name}; they are left out.`,
    );
  }
  if (open.length <= ignoredLimit) {
    return open;
  }
  const kept: CommandChange[] = [];
  for (const change of open) {
    const isGenerated = change.path.split('/').some(isDependencyFolder);
    // The rules know folders by what is in them.
    const asked = isFolder(change.entry) ? `${change.path}/x` : change.path;
    if (!isGenerated && (await at.ignore?.isIgnored(asked, signal)) !== true) {
      kept.push(change);
    }
  }
  if (kept.length < open.length) {
    warn(
      'ignored-files-left-out',
      `A command changed ${open.length - kept.length} ignored files of ${at.root.name}; they are left out.`,
    );
  }
  return kept;
}
