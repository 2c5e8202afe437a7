import { realpathSync, statSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { MassGenError } from '../../core/errors';
import type { ContextRootInfo } from '../../run/facts';
import { isNotThere } from '../disk-read';
import { isGitPath } from '../path-rules';

export interface TargetPlace {
  /** In the spelling of the context root, as the editor knows it. */
  readonly path: string;
  /** Folder of the root. */
  readonly folder: string;
  /** The same with links resolved. */
  readonly real: string;
  /** Parent folders that do not exist yet, innermost first. */
  readonly missing: readonly string[];
}

/**
 * Where a change goes in the user's folder. Throws `workspace/path-escape` for anything below `.git`, when a parent is
 * a link that leads out by now, or when the root itself leads elsewhere than to `knownReal`; called again right before
 * each write.
 */
export async function findTarget(
  root: ContextRootInfo,
  path: string,
  knownReal: string | undefined,
): Promise<TargetPlace> {
  const parts = path.split('/');
  // On Windows a backslash separates too.
  const split = process.platform === 'win32' ? path.split(/[\\/]/) : parts;
  if (split.some((part) => ['', '.', '..'].includes(part) || part.includes('\0'))) {
    throw new MassGenError('workspace/path-escape', 'The path leads out of the folder.');
  }
  if (isGitPath(path)) {
    throw new MassGenError('workspace/path-escape', 'Files below .git are never changed.');
  }
  const folder = await rootFolder(root);
  const real = await realpath(folder);
  if (knownReal !== undefined && real !== knownReal) {
    throw new MassGenError(
      'workspace/path-escape',
      `${folder} led to ${knownReal} when the review began and leads to ${real} by now.`,
      { hint: 'Put the folder back in its place, then try again.' },
    );
  }
  const missing: string[] = [];
  let at = folder;
  for (const part of parts.slice(0, -1)) {
    at = join(at, part);
    if (missing.length > 0 || !(await isFolderInside(at, real))) {
      missing.unshift(at);
    }
  }
  return { path: join(folder, ...parts), folder, real, missing };
}

/** The folder that a root stands for with links resolved; `undefined` when it is gone. */
export function realRootFolder(root: ContextRootInfo): string | undefined {
  try {
    const real = realpathSync(root.path);
    // Of a single file the place of its folder counts, not that of the file, which may be a link of its own.
    return statSync(real).isDirectory() ? real : realpathSync(dirname(root.path));
  } catch {
    return undefined;
  }
}

/** A root may be a single file; its folder is what paths are relative to. */
async function rootFolder(root: ContextRootInfo): Promise<string> {
  try {
    const stat = await lstat(await realpath(root.path));
    return stat.isDirectory() ? root.path : dirname(root.path);
  } catch (error) {
    throw new MassGenError('workspace/not-found', `The folder ${root.path} does not exist.`, {
      cause: error,
    });
  }
}

/** `false` when nothing is there. */
async function isFolderInside(path: string, root: string): Promise<boolean> {
  try {
    const stat = await lstat(path);
    const real = stat.isSymbolicLink() ? await realpath(path) : path;
    if (stat.isSymbolicLink() && !`${real}${sep}`.startsWith(`${root}${sep}`)) {
      throw new MassGenError(
        'workspace/path-escape',
        `${path} is a link that leads to ${real}, outside the folder.`,
      );
    }
    if (!(await lstat(real)).isDirectory()) {
      throw new MassGenError('workspace/conflict', `${path} is not a folder.`);
    }
    return true;
  } catch (error) {
    if (isNotThere(error)) {
      return false;
    }
    throw error;
  }
}
