import type { DirectoryEntry } from '../core/ports/workspace';
import { type BaseLayer, emptyBase } from './base-layer';
import { nameOf, parentOf } from './upper-layer';

/** A base that holds these folders and files, read only, and nothing of any disk. */
export function fixedBase(
  folders: readonly string[],
  files: ReadonlyMap<string, Uint8Array>,
): BaseLayer {
  const all = new Set(['']);
  for (const path of [...folders, ...[...files.keys()].map(parentOf)]) {
    for (let folder = path; folder !== ''; folder = parentOf(folder)) {
      all.add(folder);
    }
  }
  return {
    ...emptyBase,
    // Commands' copies take their files from here.
    pins: files,
    stat: async (path) => {
      const bytes = files.get(path);
      if (bytes !== undefined) {
        return { kind: 'file', sizeBytes: bytes.length, mode: 0o444 };
      }
      return all.has(path) ? { kind: 'directory', sizeBytes: 0, mode: 0o555 } : undefined;
    },
    list: async (path) => [
      ...entriesIn(path, all, 'directory'),
      ...entriesIn(path, files.keys(), 'file'),
    ],
    read: async (path) => files.get(path),
  };
}

function entriesIn(
  folder: string,
  paths: Iterable<string>,
  kind: DirectoryEntry['kind'],
): readonly DirectoryEntry[] {
  return [...paths]
    .filter((path) => path !== '' && parentOf(path) === folder)
    .map((path) => ({ name: nameOf(path), kind }));
}
