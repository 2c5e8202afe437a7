// Folders of bridges whose process was killed; they can hold what servers of tools are signed in with.
import { lstat, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';

/** Begins the name of each. */
export const folderPrefix = 'massgen-bridge-';

/** Removes those of this user behind which nobody listens any more. One that is just being made has no socket, and stays. */
export async function removeLeftBridges(place: string): Promise<void> {
  const names = await readdir(place).catch(() => []);
  const folders = names.filter((name) => name.startsWith(folderPrefix));
  for (const folder of folders.map((name) => join(place, name))) {
    const found = await lstat(folder).catch(() => undefined);
    const isOurs = found?.isDirectory() === true && found.uid === process.getuid?.();
    if (isOurs && (await isLeft(join(folder, 'socket')))) {
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

/** The system itself answers for a socket: so it does not matter how a process is called where this is asked. */
async function isLeft(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', (error) => {
      resolve('code' in error && error.code === 'ECONNREFUSED');
    });
  });
}
