import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, isNotThere } from './disk-read';

/**
 * Removes a folder in which commands have worked, and where they may have left folders that cannot be looked into. Nothing
 * works in it any more. Links are not followed.
 */
export async function removeFolder(folder: string): Promise<void> {
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    await remove();
  } catch (error) {
    if (!hasCode(error, 'EACCES') && !hasCode(error, 'EPERM') && !hasCode(error, 'ENOTEMPTY')) {
      throw error;
    }
    await openFolders(folder);
    await remove();
  }
}

async function openFolders(folder: string): Promise<void> {
  const stat = await lstat(folder).catch((error: unknown) => {
    if (!isNotThere(error)) {
      throw error;
    }
  });
  if (stat?.isDirectory() !== true) {
    return;
  }
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      await openFolders(join(folder, entry.name));
    }
  }
}
