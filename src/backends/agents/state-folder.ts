// A folder of the product in the user's home where one program keeps its sessions, apart from everything else that it keeps for
// the user: its settings could name commands, which would then run outside of any confinement.
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { sha256Hex } from '../../base/sha256';
import { holdsAllOf, readSignIn } from './sign-in';

export interface CredentialFile {
  /** Absolute path in the home; the program may see and write it. */
  readonly path: string;
  /** Name that the program looks for in its folder. */
  readonly name: string;
}

export class StateFolder {
  readonly path: string;
  readonly #credential: CredentialFile | undefined;
  /** How the user was signed in when the program was not there yet. */
  readonly #before: string | undefined;

  private constructor(path: string, credential: CredentialFile | undefined, before?: string) {
    this.path = path;
    this.#credential = credential;
    this.#before = before;
  }

  /** `name`: of the program. Without a credential, or when there is no such file, the folder is empty. */
  static async create(
    home: string,
    name: string,
    credential: CredentialFile | undefined,
  ): Promise<StateFolder> {
    const place = join(home, '.cache', 'massgen');
    await mkdir(place, { recursive: true, mode: 0o700 });
    const ours = `${name}-${machine()}-`;
    await sweep(place, ours, credential);
    const path = await mkdtemp(join(place, `${ours}${process.pid}-`));
    const isThere = credential !== undefined && (await isFile(credential.path));
    if (isThere) {
      await symlink(credential.path, join(path, credential.name));
    }
    return isThere
      ? new StateFolder(path, credential, await readSignIn(credential.path))
      : new StateFolder(path, undefined);
  }

  /** One that was made earlier. */
  static at(path: string, credential: CredentialFile | undefined): StateFolder {
    return new StateFolder(path, credential);
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
    const [found, before] = await Promise.all(
      [lstat(link), stat(credential.path)].map((one) => one.catch(() => undefined)),
    );
    if (found?.isFile() !== true) {
      return;
    }
    // The user may have signed in anew meanwhile.
    if (before !== undefined && before.mtimeMs > found.mtimeMs) {
      return;
    }
    const text = await readSignIn(link);
    if (text === undefined) {
      return;
    }
    await replace(credential.path, text);
    await rm(link);
    await symlink(credential.path, link);
  }

  /** A program that has spoiled the user's own file, which it can write, has signed the user out of it everywhere. */
  async #restore(): Promise<void> {
    const before = this.#before;
    if (this.#credential === undefined || before === undefined) {
      return;
    }
    const { path } = this.#credential;
    const text = await readSignIn(path);
    // A program cannot remove the file: the user has signed out.
    const isThere = await isFile(path);
    if (!isThere) {
      return;
    }
    if (text === undefined || !holdsAllOf(text, before)) {
      await replace(path, before);
    }
  }

  async remove(): Promise<void> {
    await this.settle().catch(() => undefined);
    await this.#restore().catch(() => undefined);
    await rm(this.path, { recursive: true, force: true });
  }
}

/** A home may be shared between machines, each of which knows its own processes alone. */
function machine(): string {
  return sha256Hex(hostname()).slice(0, 8);
}

/** Removes what processes of this machine left behind that were killed: conversations, and how somebody is signed in. */
async function sweep(
  place: string,
  ours: string,
  credential: CredentialFile | undefined,
): Promise<void> {
  for (const name of await readdir(place)) {
    const owner = /^(\d+)-/.exec(name.startsWith(ours) ? name.slice(ours.length) : '')?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) {
      await StateFolder.at(join(place, name), credential)
        .remove()
        .catch(() => undefined);
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process is there as well.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** At once as a whole; a link, as to a folder of settings that is kept under version control, stays one. */
async function replace(path: string, text: string): Promise<void> {
  const real = await realpath(path).catch(() => path);
  const partial = join(dirname(real), `.massgen-${process.pid}-${randomUUID()}.partial`);
  await writeFile(partial, text, { mode: 0o600, flag: 'wx' });
  await rename(partial, real);
}
