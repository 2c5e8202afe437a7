import type { UpperEntry } from './content';

/** What one agent changed in one root: path → entry, with the folders that exist only because of those entries. */
export class UpperLayer {
  readonly #entries = new Map<string, UpperEntry>();
  /** Folder → names of what stands in it by this layer. */
  readonly #children = new Map<string, Set<string>>();

  get(path: string): UpperEntry | undefined {
    return this.#entries.get(path);
  }

  /** Whether the layer holds a file, link or empty folder somewhere below the path. */
  isFolder(path: string): boolean {
    return this.#children.has(path);
  }

  childNames(folder: string): Iterable<string> {
    return this.#children.get(folder) ?? [];
  }

  paths(): string[] {
    return [...this.#entries.keys()];
  }

  /** `undefined` forgets the entry: the layers below show through again. */
  set(path: string, entry: UpperEntry | undefined): void {
    const wasPresent = isPresent(this.#entries.get(path));
    if (entry === undefined) {
      this.#entries.delete(path);
    } else {
      this.#entries.set(path, entry);
    }
    if (isPresent(entry) && !wasPresent) {
      this.#link(path);
    } else if (!isPresent(entry) && wasPresent && !this.isFolder(path)) {
      this.#unlink(path);
    }
  }

  #link(path: string): void {
    for (let child = path; child !== ''; child = parentOf(child)) {
      const parent = parentOf(child);
      const names = this.#children.get(parent) ?? new Set();
      names.add(nameOf(child));
      this.#children.set(parent, names);
    }
  }

  #unlink(path: string): void {
    for (let child = path; child !== ''; child = parentOf(child)) {
      const parent = parentOf(child);
      const names = this.#children.get(parent);
      names?.delete(nameOf(child));
      if (names === undefined || names.size > 0) {
        return;
      }
      this.#children.delete(parent);
      if (isPresent(this.#entries.get(parent))) {
        return;
      }
    }
  }
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function isPresent(entry: UpperEntry | undefined): boolean {
  return entry !== undefined && entry.kind !== 'deleted';
}
