// Folders of agents below the folder of a run. Their names tell nothing about whose they are.
import { randomBytes } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from './remove-folder';

const folderName = /^[0-9a-f]{16}$/;

/** Makes an empty folder, with the given name if it is one of ours. */
export async function emptyFolder(runDir: string, name: string | undefined): Promise<string> {
  const isKnown = name !== undefined && folderName.test(name);
  const folder = join(runDir, isKnown ? name : randomBytes(8).toString('hex'));
  await removeFolder(folder);
  await mkdir(folder, { mode: 0o700 });
  return folder;
}

/** Removes folders of a process that was killed before its log said whose they are, or that were only for a look. */
export async function removeForsaken(runDir: string, named: ReadonlySet<string>): Promise<void> {
  const forsaken = (await readdir(runDir)).filter(
    (name) => folderName.test(name) && !named.has(name),
  );
  await Promise.all(forsaken.map((name) => removeFolder(join(runDir, name))));
}
