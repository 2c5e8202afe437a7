// Instructions of the user's project for one agent: those of each root at once, those of a folder when the agent first
// works in it. Read from the user's files, never from what an agent has made of them.
import { sha256Hex } from '../../base/sha256';
import type { InstructionFile } from '../../run/facts';
import type { PayloadStore } from '../ports/payload-store';
import type { UserFiles } from '../ports/user-files';
import type { WorkspaceRoot } from '../ports/workspace';
import type { InstructionText } from './prompt/instruction-files';
import { foldersOf, placeInRoots } from './touched-folders';

const names = ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md'];
const fileBytes = 32 * 1024;
const allBytes = 64 * 1024;

export interface InstructionsParts {
  readonly userFiles: UserFiles;
  readonly payloads: PayloadStore;
  readonly redact: (text: string) => string;
}

/** What was found new, with the facts for the log. */
export interface FoundInstructions {
  readonly texts: readonly InstructionText[];
  readonly files: readonly InstructionFile[];
}

export class AgentInstructions {
  readonly #parts: InstructionsParts;
  readonly #roots: readonly WorkspaceRoot[];
  /** Folders that were looked at, as root and path. */
  #seen: ReadonlySet<string> = new Set();
  #shelf: Shelf | undefined;
  readonly #top: InstructionText[] = [];
  readonly #inFolders: InstructionText[] = [];

  constructor(parts: InstructionsParts, roots: readonly WorkspaceRoot[]) {
    this.#parts = parts;
    this.#roots = roots.filter(({ kind }) => kind === 'context');
  }

  /** Those of the roots: the same in all turns, once they were read. */
  get top(): readonly InstructionText[] {
    return this.#top;
  }

  /** Those of folders that the agent has worked in, in the order in which it came there. */
  get inFolders(): readonly InstructionText[] {
    return this.#inFolders;
  }

  async readTop(signal: AbortSignal): Promise<FoundInstructions> {
    const found = await this.#look(
      this.#roots.map(({ name }) => ({ root: name, folder: '' })),
      signal,
    );
    this.#top.push(...found.texts);
    return found;
  }

  /** `paths` as the agent wrote them; what lies outside of the user's folders has no instructions. */
  async readFor(paths: readonly string[], signal: AbortSignal): Promise<FoundInstructions> {
    const places = paths.flatMap((path) => {
      const place = placeInRoots(this.#roots, path);
      return place === undefined
        ? []
        : foldersOf(place.path).map((folder) => ({ root: place.root, folder }));
    });
    const found = await this.#look(places, signal);
    this.#inFolders.push(...found.texts);
    return found;
  }

  /** Nothing is remembered of a look that was cut off. */
  async #look(
    places: readonly { readonly root: string; readonly folder: string }[],
    signal: AbortSignal,
  ): Promise<FoundInstructions> {
    const seen = new Set(this.#seen);
    const shelf = new Shelf(this.#parts, this.#shelf);
    for (const { root, folder } of places) {
      const key = JSON.stringify([root, folder]);
      if (seen.has(key)) {
        continue;
      }
      seen.add(key);
      for (const name of names) {
        await shelf.read(root, folder === '' ? name : `${folder}/${name}`, signal);
      }
    }
    this.#seen = seen;
    this.#shelf = shelf;
    return shelf.found;
  }
}

/** Files that were read, with what is left of the limits. */
class Shelf {
  readonly #parts: InstructionsParts;
  readonly #texts: InstructionText[] = [];
  readonly #files: InstructionFile[] = [];
  /** Equal content is given once, whatever its names. */
  readonly #given: Set<string>;
  #bytesLeft: number;

  constructor(parts: InstructionsParts, before: Shelf | undefined) {
    this.#parts = parts;
    this.#given = new Set(before === undefined ? [] : before.#given);
    this.#bytesLeft = before === undefined ? allBytes : before.#bytesLeft;
  }

  get found(): FoundInstructions {
    return { texts: this.#texts, files: this.#files };
  }

  async read(root: string, path: string, signal: AbortSignal): Promise<void> {
    const { userFiles, payloads, redact } = this.#parts;
    const limit = Math.min(fileBytes, this.#bytesLeft);
    const found = limit === 0 ? undefined : await userFiles.read(root, path, limit, signal);
    const text = found === undefined ? '' : redact(decode(found.head));
    const hash = sha256Hex(text);
    if (found === undefined || text.trim() === '' || text.includes('\0') || this.#given.has(hash)) {
      return;
    }
    this.#given.add(hash);
    this.#bytesLeft -= found.head.length;
    const isCut = found.sizeBytes > found.head.length;
    this.#texts.push({ root, path, text, isCut });
    this.#files.push({ root, path, bytes: found.sizeBytes, isCut, text: payloads.put(text) });
  }
}

/** A character that the limit has cut is left out. */
function decode(head: Uint8Array): string {
  return new TextDecoder()
    .decode(head)
    .replace(/^\uFEFF/, '')
    .replace(/\uFFFD+$/, '');
}
