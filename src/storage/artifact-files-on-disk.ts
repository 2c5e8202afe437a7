import { appendFile, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ArtifactSink } from '../protocol/artifacts/artifact-part';
import { jsonText } from '../protocol/artifacts/artifact-part';

/** One changed path of a snapshot. */
export interface SnapshotFile {
  /** Name of the context root; `workspace` is the agent's own folder. */
  readonly root: string;
  /** Relative to the root, `/` as separator; without `..`. */
  readonly path: string;
  readonly kind: 'file' | 'link' | 'deleted';
  readonly sizeBytes: number;
  readonly isExecutable: boolean;
  /** `undefined` when the bytes are gone. */
  read(): Uint8Array | undefined;
}

export interface DiskParts {
  /** Absolute folder of the turn. */
  readonly dir: string;
  /** `undefined` when there is no such snapshot. */
  readonly snapshotFiles: (snapshotId: string) => readonly SnapshotFile[] | undefined;
  /** A path that is left as it is when it is there already. */
  readonly kept?: string;
  /** Bytes that one copy of a snapshot may take. */
  readonly copyLimit: number;
  readonly onFailure: (error: unknown) => void;
}

interface Change {
  readonly kind: 'append' | 'replace';
  readonly text: string;
}

/** Gathers changes in memory and puts them on the disk when told to. What cannot be written is left out. */
export class ArtifactFilesOnDisk implements ArtifactSink {
  readonly #parts: DiskParts;
  readonly #made = new Set<string>();
  /** Appending to a file of an earlier process begins it anew: all events are projected again then. */
  readonly #begun = new Set<string>();
  #changes = new Map<string, Change>();
  #copies = new Map<string, string>();

  constructor(parts: DiskParts) {
    this.#parts = parts;
  }

  append(path: string, text: string): void {
    const waiting = this.#changes.get(path);
    const isNew = !this.#begun.has(path);
    this.#begun.add(path);
    this.#changes.set(path, {
      kind: waiting?.kind ?? (isNew ? 'replace' : 'append'),
      text: (waiting?.text ?? '') + text,
    });
  }

  replace(path: string, text: string): void {
    this.#changes.set(path, { kind: 'replace', text });
  }

  copyFiles(folder: string, snapshotId: string): void {
    this.#copies.set(folder, snapshotId);
  }

  /** Never rejects. One call at a time. */
  async flush(): Promise<void> {
    const [changes, copies] = [this.#changes, this.#copies];
    this.#changes = new Map();
    this.#copies = new Map();
    for (const [path, change] of changes) {
      await this.#attempt(() => this.#write(path, change));
    }
    for (const [folder, snapshotId] of copies) {
      await this.#attempt(() => this.#copy(folder, snapshotId));
    }
  }

  async #attempt(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#parts.onFailure(error);
    }
  }

  async #write(path: string, { kind, text }: Change): Promise<void> {
    const file = await this.#place(path);
    if (path === this.#parts.kept && (await exists(file))) {
      return;
    }
    if (kind === 'append') {
      await appendFile(file, text, { mode: 0o600 });
    } else {
      await replaceFile(file, text);
    }
  }

  async #place(path: string): Promise<string> {
    const file = join(this.#parts.dir, path);
    const folder = dirname(file);
    if (!this.#made.has(folder)) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      this.#made.add(folder);
    }
    return file;
  }

  /** The agent's own files go below `workspace/`, its versions of the user's files below `changes/<root>/`. */
  async #copy(folder: string, snapshotId: string): Promise<void> {
    const files = this.#parts.snapshotFiles(snapshotId);
    const done = join(this.#parts.dir, folder, 'workspace');
    if (files === undefined || (await exists(done))) {
      return;
    }
    // `workspace` gets its name last: where it is missing, an earlier process left half a copy behind.
    const begun = join(this.#parts.dir, folder, unfinished);
    await rm(begun, { recursive: true, force: true });
    await rm(join(this.#parts.dir, folder, 'changes'), { recursive: true, force: true });
    this.#made.clear();
    await mkdir(begun, { recursive: true, mode: 0o700 });
    await this.#copyAll(folder, files);
    await rename(begun, done);
  }

  async #copyAll(folder: string, files: readonly SnapshotFile[]): Promise<void> {
    const notes: { readonly path: string; readonly what: string }[] = [];
    let left = this.#parts.copyLimit;
    for (const file of files) {
      const path = `${folderOf(file.root)}/${file.path}`;
      const bytes = file.kind === 'file' && file.sizeBytes <= left ? file.read() : undefined;
      if (bytes === undefined) {
        notes.push({ path, what: whyLeftOut(file, left) });
      } else {
        left -= bytes.length;
        const inFolder = file.root === 'workspace' ? `${unfinished}/${file.path}` : path;
        const place = await this.#place(`${folder}/${inFolder}`);
        await writeFile(place, bytes, { mode: file.isExecutable ? 0o700 : 0o600, flag: 'wx' });
      }
    }
    if (notes.length > 0) {
      await replaceFile(await this.#place(`${folder}/left_out.json`), jsonText(notes));
    }
  }
}

/** What `workspace` is called while it is copied. */
const unfinished = 'workspace.partial';

function folderOf(root: string): string {
  const name = root.replace(/[^\w.-]/g, '_').replace(/^\.+$/, '_');
  return root === 'workspace' ? root : `changes/${name}`;
}

function whyLeftOut({ kind, sizeBytes }: SnapshotFile, left: number): string {
  switch (kind) {
    case 'deleted':
      return 'deleted';
    case 'link':
      return 'link';
    case 'file':
      return sizeBytes > left ? 'over the size limit' : 'not stored';
  }
}

/** A reader sees the old text or the new one. */
async function replaceFile(file: string, text: string): Promise<void> {
  const partial = `${file}.${process.pid}.partial`;
  try {
    const handle = await open(partial, 'w', 0o600);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
