// A folder of the product in the user's home where one program keeps its sessions, apart from everything else that it keeps for
// the user: its settings could name commands, which would then run outside of any confinement.
import { lstat, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from '../../base/sha256';
import { KeptSignIn, putFile, replaceFile } from './kept-sign-in';
import { readSignIn } from './sign-in';

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
  readonly #before: readonly KeptSignIn[];

  private constructor(
    path: string,
    credential: CredentialFile | undefined,
    before: readonly KeptSignIn[],
  ) {
    this.path = path;
    this.#credential = credential;
    this.#before = before;
  }

  /**
   * `name`: of the program. When `isUsed` is `false`, or there is no such file, the folder is empty. What is left of programs
   * that were signed in is taken back in any case.
   */
  static async create(
    home: string,
    name: string,
    credential: CredentialFile,
    isUsed = true,
  ): Promise<StateFolder> {
    const place = join(home, '.cache', 'massgen');
    await mkdir(place, { recursive: true, mode: 0o700 });
    const ours = `${name}-${machine()}-`;
    await sweep(place, ours, credential);
    const isThere = isUsed && (await isFile(credential.path));
    const path = await mkdtemp(join(place, `${ours}${process.pid}-${isThere ? signedIn : ''}`));
    if (!isThere) {
      return new StateFolder(path, undefined, []);
    }
    await symlink(credential.path, join(path, credential.name));
    return new StateFolder(path, credential, await KeptSignIn.at([credential.path]));
  }

  /** One that was made earlier. */
  static at(path: string, credential: CredentialFile | undefined): StateFolder {
    return new StateFolder(path, credential, []);
  }

  /** Keeps a file for the program, readable by this user alone. A link that lies in its place is replaced, not followed. */
  async keep(name: string, text: string): Promise<void> {
    await putFile(join(this.path, name), text);
  }

  /** Where it can stand how somebody is signed in. */
  get signIns(): readonly string[] {
    const credential = this.#credential;
    return credential === undefined ? [] : [credential.path, join(this.path, credential.name)];
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
    // The user may have signed out, or in anew, meanwhile.
    if (before === undefined || before.mtimeMs > found.mtimeMs) {
      return;
    }
    const text = await readSignIn(link);
    if (text === undefined) {
      return;
    }
    await replaceFile(credential.path, text);
    await rm(link);
    await symlink(credential.path, link);
  }

  async remove(): Promise<void> {
    await this.settle().catch(() => undefined);
    await Promise.all(this.#before.map(async (kept) => kept.restore()));
    await rm(this.path, { recursive: true, force: true });
  }
}

/** In the name of a folder, where the program cannot change it: what it kept there may be how the user is signed in. */
const signedIn = 'in-';

/** A home may be shared between machines, each of which knows its own processes alone. */
function machine(): string {
  return sha256Hex(hostname()).slice(0, 8);
}

/** Removes what processes of this machine left behind that were killed: conversations, and how somebody is signed in. */
async function sweep(place: string, ours: string, credential: CredentialFile): Promise<void> {
  for (const name of await readdir(place)) {
    const rest = name.startsWith(ours) ? name.slice(ours.length) : '';
    const [, owner, mark] = /^(\d+)-(in-)?/.exec(rest) ?? [];
    if (owner !== undefined && !isAlive(Number(owner))) {
      await StateFolder.at(join(place, name), mark === undefined ? undefined : credential)
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
