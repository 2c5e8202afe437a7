import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Replaces a file as a whole: a reader at any moment sees the old text or the new one. The file is private to the user
 * (mode 0600). Throws the file system's error; nothing but the old file is left behind then.
 */
export function writeFileAtomically(path: string, text: string): void {
  const partial = `${path}.${process.pid}.partial`;
  try {
    const fd = openSync(partial, 'w', 0o600);
    try {
      writeFileSync(fd, text);
    } finally {
      closeSync(fd);
    }
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
