import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { World } from '../world';

/** `~` at the beginning stands for the home; only a shell would expand it later. */
export function withoutTilde(path: string, { home }: Pick<World, 'home'>): string {
  return path.replace(/^~(?=[/\\]|$)/, home);
}

/** Whether there is a file or folder; relative paths start at the current folder. */
export function isThere(path: string, { cwd }: Pick<World, 'cwd'>): Promise<boolean> {
  return stat(resolve(cwd, path)).then(
    () => true,
    () => false,
  );
}
