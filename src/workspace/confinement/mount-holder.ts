import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { raceAbort } from '../../base/abort';
import { MassGenError } from '../../core/errors';
import type { LinuxPrograms } from './linux-programs';
import { shellWord } from './shell-word';
import { within } from './within';

/** Layers of one root, from the top: what the agent changed, what hides parts of the base, the user's folder. */
export interface OverlayMount {
  /** Folder with `upper`, `work` and an empty `base`; on a file system that can carry layers. */
  readonly folder: string;
  /** Folder that lies over the base: pins and whiteouts. */
  readonly top: string;
  readonly base: string;
  /** Where the merged view is to be seen; an existing folder. */
  readonly target: string;
}

const programPath = '/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * A user and mount namespace that a shell keeps alive. The shell ends with this process, however that ends, and the
 * mounts with the last process in the namespace. Its environment holds nothing of this process.
 */
export class MountHolder {
  readonly #pid: number;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #output = '';
  #errors = '';
  #isClosed = false;
  #wake: () => void = () => undefined;

  private constructor(child: ChildProcess, pid: number) {
    this.#child = child;
    this.#pid = pid;
    this.#exited = once(child, 'exit');
    child.stdin?.on('error', () => undefined);
    child.stdout?.on('data', (chunk: Buffer) => {
      this.#output += chunk.toString('utf8');
      this.#wake();
    });
    child.stderr?.on('data', (chunk: Buffer) => (this.#errors += chunk.toString('utf8')));
    child.once('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  /** Throws `tool/failed` with what the system said when it does not allow such a namespace. */
  static async start(programs: LinuxPrograms, signal: AbortSignal): Promise<MountHolder> {
    signal.throwIfAborted();
    const child = spawn(
      programs.unshare,
      [
        ...['--user', '--map-root-user', '--mount', '--propagation', 'private'],
        ...['--', '/bin/sh', '-s'],
      ],
      { cwd: '/', env: { PATH: programPath, LANG: 'C' }, stdio: ['pipe', 'pipe', 'pipe'] },
    );
    if (child.pid === undefined) {
      const cause: unknown = await once(child, 'error');
      throw new MassGenError('tool/failed', 'The namespaces for commands could not be made.', {
        cause,
      });
    }
    const holder = new MountHolder(child, child.pid);
    try {
      await holder.run(':', signal);
      return holder;
    } catch (error) {
      await holder.end();
      throw error;
    }
  }

  /** Throws `tool/failed` when the holder has ended: its number may be another process's by now. */
  get pid(): number {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
      throw new MassGenError('tool/failed', 'The view of commands has been ended from outside.', {
        hint: 'Stop what runs in the background, then try again.',
      });
    }
    return this.#pid;
  }

  /** Path of this process for an absolute path as it is inside. Links must not be followed through it. */
  outside(path: string): string {
    return `/proc/${this.pid}/root${path}`;
  }

  async mount(mount: OverlayMount, signal: AbortSignal): Promise<void> {
    // Relative names, so that no character of a path means anything to the mount options.
    const options = 'userxattr,lowerdir=top:base,upperdir=upper,workdir=work';
    await this.run(
      [
        `cd ${shellWord(mount.folder)}`,
        `mount --rbind ${shellWord(mount.base)} base`,
        `mount --rbind ${shellWord(mount.top)} top`,
        `mount -t overlay -o ${options} overlay ${shellWord(mount.target)}`,
      ].join(' && '),
      signal,
    );
  }

  /** Makes a path inside of the namespace one that can only be read. */
  async protect(path: string, signal: AbortSignal): Promise<void> {
    const word = shellWord(path);
    await this.run(
      `mount --bind ${word} ${word} && mount -o remount,bind,ro,nosuid,nodev ${word}`,
      signal,
    );
  }

  async unmount(target: string, signal: AbortSignal): Promise<void> {
    await this.run(`cd / && umount -l ${shellWord(target)}`, signal);
  }

  /** Runs shell text inside, as the owner of the namespace. Throws `tool/failed` when it fails. One at a time. */
  async run(script: string, signal: AbortSignal): Promise<void> {
    const mark = randomBytes(8).toString('hex');
    this.#output = '';
    this.#child.stdin?.write(`{ ${script}\n} </dev/null 2>&1; echo "${mark} $?"\n`);
    const { code, said } = await raceAbort(this.#answer(mark), signal);
    if (code !== '0') {
      throw new MassGenError(
        'tool/failed',
        `The system refused to set up the view of commands: ${said === '' ? 'no reason given' : said}.`,
      );
    }
  }

  async #answer(mark: string): Promise<{ readonly code: string; readonly said: string }> {
    const pattern = new RegExp(`^([^]*?)${mark} (\\d+)\n`);
    for (;;) {
      const [, said, code] = pattern.exec(this.#output) ?? [];
      if (said !== undefined && code !== undefined) {
        return { code, said: said.trim() };
      }
      if (this.#isClosed) {
        return { code: 'ended', said: this.#errors.trim() };
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Resolves when the holder is gone. Idempotent. */
  async end(): Promise<void> {
    this.#child.stdin?.end();
    if (!(await within(this.#exited, 1000))) {
      this.#child.kill('SIGKILL');
      await this.#exited;
    }
  }
}
