import { join } from 'node:path';
import { isMassGenError } from '../core/errors';
import type { UserFileHead, UserFiles } from '../core/ports/user-files';
import type { OwnRoot } from './agent-workspace';
import { LayeredRoot } from './layered-root';
import type { GuardedRoot } from './path-guard';
import { resolvePath, toPlace } from './path-guard';
import type { SnapshotStore } from './snapshot-store';

/** Reads through the same guard as agents do, with nothing of theirs over the user's folders. */
export function userFilesOf(
  open: () => Promise<readonly OwnRoot[]>,
  store: SnapshotStore,
): UserFiles {
  let roots: Promise<readonly GuardedRoot[]> | undefined;
  return {
    async read(root, path, limitBytes, signal): Promise<UserFileHead | undefined> {
      signal.throwIfAborted();
      roots ??= open().then((own) => guarded(own, store));
      const all = await roots;
      const at = all.find((each) => each.root.name === root);
      if (at === undefined) {
        return undefined;
      }
      try {
        const file = join(at.shownPath, path);
        const place = await resolvePath(all, file, { keepLastLink: false }, signal);
        const bytes =
          place.stat?.kind === 'file' ? await place.root.read(place.path, signal) : undefined;
        return bytes && { head: bytes.subarray(0, limitBytes), sizeBytes: bytes.length };
      } catch (error) {
        signal.throwIfAborted();
        if (isMassGenError(error)) {
          return undefined;
        }
        throw error;
      }
    },
  };
}

function guarded(roots: readonly OwnRoot[], store: SnapshotStore): readonly GuardedRoot[] {
  return roots.flatMap((own) => {
    const shownPath = own.aliases[0];
    return own.kind !== 'context' || shownPath === undefined
      ? []
      : [
          {
            root: new LayeredRoot({ ...own, store }),
            shownPath,
            places: own.aliases.map((alias) => toPlace(alias)),
          },
        ];
  });
}
