import { join } from 'node:path';
import {
  makeFolders,
  placeFile,
  placeFolder,
  placeLink,
  removeEmptyFolder,
  removePath,
} from '../confinement/anchored-files';
import { statOnDisk } from '../disk-read';
import type { LayeredRoot } from '../layered-root';
import type { RootPlaces } from '../link-targets';
import { toShownTarget } from '../link-targets';
import { nameOf, parentOf } from '../upper-layer';

export interface Placing {
  readonly root: LayeredRoot;
  /** The folder on the disk in which the root is to be seen. */
  readonly top: string;
  readonly places: readonly RootPlaces[];
  /** Whether a link that leads out of the roots is made: only where nothing can be written through it. */
  readonly keepsOutward: boolean;
}

/** Puts on the disk what the layers hold for one path. */
export async function placePath(
  placing: Placing,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const { root, top } = placing;
  const folders = await foldersAbove(root, path, signal);
  if (folders === undefined) {
    return;
  }
  // Also when nothing stands at the path: a folder whose last file went may be there only since that file came.
  await makeFolders(top, folders);
  const stat = await root.stat(path, signal);
  if (stat?.kind === 'directory') {
    await placeFolder(top, path, stat.mode);
  } else if (stat?.kind === 'file') {
    const bytes = (await root.read(path, signal)) ?? new Uint8Array();
    await placeFile(top, path, { bytes, mode: stat.mode });
  } else if (stat?.kind === 'link') {
    const target = await linkTarget(placing, path, signal);
    await (target === undefined ? removePath(top, path) : placeLink(top, path, target));
  } else {
    await remove(root, top, path, signal);
  }
}

async function linkTarget(
  { root, places, keepsOutward }: Placing,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const written = (await root.readLink(path, signal)) ?? '';
  return toShownTarget(path, written, places) ?? (keepsOutward ? written : undefined);
}

/** A folder goes only when nothing is left in it: each path below has an entry of its own. */
async function remove(
  root: LayeredRoot,
  top: string,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const present = await statOnDisk(join(top, path), signal);
  if (present?.kind === 'directory') {
    await removeEmptyFolder(top, path);
  } else if (present !== undefined) {
    await removePath(top, path);
  }
  for (let above = parentOf(path); above !== ''; above = parentOf(above)) {
    if ((await root.stat(above, signal)) !== undefined) {
      return;
    }
    await removeEmptyFolder(top, above);
  }
}

/**
 * The folders of the layers that lead to a path, the topmost first and open to their owner. `undefined` when a link or a
 * file stands in the place of one: then there is nothing under the path itself.
 */
async function foldersAbove(
  root: LayeredRoot,
  path: string,
  signal: AbortSignal,
): Promise<readonly { readonly name: string; readonly mode: number }[] | undefined> {
  let folders: readonly { readonly name: string; readonly mode: number }[] = [];
  for (let above = parentOf(path); above !== ''; above = parentOf(above)) {
    const stat = await root.stat(above, signal);
    if (stat !== undefined && stat.kind !== 'directory') {
      return undefined;
    }
    folders =
      stat === undefined ? [] : [{ name: nameOf(above), mode: stat.mode | 0o700 }, ...folders];
  }
  return folders;
}
