// A folder of the product in the user's home where one program keeps its sessions, apart from everything else that it keeps for
// the user: its settings could name commands, which would then run outside of any confinement.
import {
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface CredentialFile {
  /** Absolute path in the home; the program may see and write it. */
  readonly path: string;
  /** Name that the program looks for in its folder. */
  readonly name: string;
}

/** A file that says how somebody is signed in is not longer. */
const longestCredential = 1024 * 1024;

export class StateFolder {
  readonly path: string;
  readonly #credential: CredentialFile | undefined;

  private constructor(path: string, credential: CredentialFile | undefined) {
    this.path = path;
    this.#credential = credential;
  }

  /** `name`: of the program. Without a credential, or when there is no such file, the folder is empty. */
  static async create(
    home: string,
    name: string,
    credential: CredentialFile | undefined,
  ): Promise<StateFolder> {
    const place = join(home, '.cache', 'massgen');
    await mkdir(place, { recursive: true, mode: 0o700 });
    const path = await mkdtemp(join(place, `${name}-`));
    const isThere = credential !== undefined && (await isFile(credential.path));
    if (isThere) {
      await symlink(credential.path, join(path, credential.name));
    }
    return new StateFolder(path, isThere ? credential : undefined);
  }

  /** What the program needs to see of the home. */
  get ownFolders(): readonly string[] {
    return this.#credential === undefined ? [this.path] : [this.path, this.#credential.path];
  }

  get isSignedIn(): boolean {
    return this.#credential !== undefined;
  }

  /** A program that renews how it is signed in puts a file in the place of the link; the user's own is then renewed as well. */
  async settle(): Promise<void> {
    const credential = this.#credential;
    const link = credential === undefined ? undefined : join(this.path, credential.name);
    if (credential === undefined || link === undefined) {
      return;
    }
    const found = await lstat(link).catch(() => undefined);
    if (found?.isFile() !== true || found.size > longestCredential) {
      return;
    }
    const text = await readFile(link, 'utf8');
    if (!isJsonObject(text)) {
      return;
    }
    const partial = join(dirname(credential.path), `.massgen-${process.pid}.partial`);
    await writeFile(partial, text, { mode: 0o600 });
    await rename(partial, credential.path);
    await rm(link);
    await symlink(credential.path, link);
  }

  async remove(): Promise<void> {
    await this.settle().catch(() => undefined);
    await rm(this.path, { recursive: true, force: true });
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
