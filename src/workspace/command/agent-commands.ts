// Commands of one agent: where they run, in what environment, and what becomes of the changes they made.
import { randomBytes } from 'node:crypto';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { MassGenError } from '../../core/errors';
import type { Logger } from '../../core/ports/logger';
import type { CommandRequest, CommandResult } from '../../core/ports/workspace';
import type { GitIgnore } from '../git-ignore';
import type { RootPlaces } from '../link-targets';
import type { LayeredRoot } from '../layered-root';
import { isDependencyFolder } from '../path-rules';
import type { SnapshotStore } from '../snapshot-store';
import type { Warn } from '../warnings';
import type { CopyChange, CopyLimits } from './command-copy';
import { CommandCopy } from './command-copy';
import { runShell } from './run-shell';

export interface CommandRoot {
  readonly root: LayeredRoot;
  readonly shownPath: string;
  /** `undefined` for the agent's own folder and for peers. */
  readonly ignore: GitIgnore | undefined;
}

export interface CommandSettings {
  readonly searchPath: string;
  /** Further variables the user wants commands to have. */
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: CopyLimits;
}

/** Beyond this many, ignored files that a command left (an installed dependency, a build) are not followed. */
const ignoredLimit = 2000;

export class AgentCommands {
  readonly #folder: string;
  readonly #settings: CommandSettings;
  readonly #store: SnapshotStore;
  readonly #places: readonly RootPlaces[];
  readonly #own: readonly { readonly at: CommandRoot; readonly copy: CommandCopy }[];
  readonly #peersFolder: string;
  #peers: readonly CommandCopy[] = [];
  #hasOldPeers = false;
  readonly #logger: Logger;
  readonly #warn: Warn;

  constructor(options: {
    /** The agent's private folder; everything a command may leave behind lies in it. */
    readonly folder: string;
    /** Where copies of other agents' answers go. */
    readonly peersFolder: string;
    readonly roots: readonly CommandRoot[];
    readonly settings: CommandSettings;
    readonly store: SnapshotStore;
    readonly logger: Logger;
    readonly warn: Warn;
  }) {
    this.#folder = options.folder;
    this.#peersFolder = options.peersFolder;
    this.#settings = options.settings;
    this.#store = options.store;
    this.#logger = options.logger;
    this.#warn = options.warn;
    this.#places = options.roots.map(({ root, shownPath }) => ({
      userFolder: root.base.folder,
      shown: shownPath,
    }));
    this.#own = options.roots.map((at) => ({ at, copy: this.#copyOf(at) }));
  }

  /** Answers of others as commands see them: copies too, made only when a command names them. */
  showPeers(roots: readonly CommandRoot[]): void {
    this.#hasOldPeers ||= this.#peers.some((copy) => copy.isMade);
    this.#peers = roots.map((root) => this.#copyOf(root));
  }

  /** Brings the copy of a root, if there is one, in line with its layers. */
  async follow(root: LayeredRoot, paths: Iterable<string>, signal: AbortSignal): Promise<void> {
    const copy = this.#own.find(({ at }) => at.root === root)?.copy;
    for (const path of paths) {
      await copy?.follow(path, signal);
    }
  }

  /** `cwd` is absolute. After an abort the rejection comes when nothing of the command runs any more. */
  async run(
    request: CommandRequest,
    cwd: string,
    signals: { readonly command: AbortSignal; readonly workspace: AbortSignal },
  ): Promise<CommandResult> {
    await this.#prepare(request, cwd, signals.command);
    const here = await this.#checkCwd(cwd);
    try {
      return await runShell(
        {
          command: request.command,
          cwd: here,
          environment: this.#environment(),
          mark: randomBytes(12).toString('hex'),
          folder: this.#folder,
          timeoutMs: request.timeoutMs,
          ...(request.onOutput === undefined ? {} : { onOutput: request.onOutput }),
        },
        signals.command,
      );
    } finally {
      // What a command did counts even when it was stopped half way.
      await this.#collect(signals.workspace);
    }
  }

  async #prepare(request: CommandRequest, cwd: string, signal: AbortSignal): Promise<void> {
    const startedAt = Date.now();
    for (const folder of [this.#home(), this.#temporary()]) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    }
    if (this.#hasOldPeers) {
      await rm(this.#peersFolder, { recursive: true, force: true });
      this.#hasOldPeers = false;
    }
    const isNamed = `${request.command}\n${cwd}`.includes(basename(this.#peersFolder));
    const copies = [...this.#own.map(({ copy }) => copy), ...(isNamed ? this.#peers : [])];
    for (const copy of copies.filter((each) => !each.isMade)) {
      await copy.make(this.#settings.limits, signal);
    }
    for (const { copy } of this.#own) {
      await copy.settle(signal);
    }
    const tookMs = Date.now() - startedAt;
    if (tookMs > 200) {
      this.#logger.info('workspace', `making the folders for a command took ${tookMs} ms`);
    }
  }

  /** A command may have put a link to somewhere else in the place of a folder. */
  async #checkCwd(cwd: string): Promise<string> {
    const real = await realpath(cwd).catch(() => undefined);
    if (real === undefined) {
      throw new MassGenError('workspace/not-found', `The folder ${cwd} does not exist.`);
    }
    if (!`${real}${sep}`.startsWith(`${this.#folder}${sep}`)) {
      throw new MassGenError(
        'workspace/path-escape',
        `${cwd} leads to ${real}, outside the folders of this task.`,
      );
    }
    return real;
  }

  async #collect(signal: AbortSignal): Promise<void> {
    for (const { at, copy } of this.#own) {
      const tooLarge = (path: string): void =>
        this.#warn('file-too-large', `${at.root.name}/${path} is too large and is left out.`);
      const changes = await copy.changesSinceLastLook(tooLarge, signal);
      if (changes.length > 0 && !at.root.canWrite) {
        this.#warn(
          'read-only-root-changed',
          `A command changed files of ${at.root.name}, which can only be read; they are left out.`,
        );
        continue;
      }
      for (const { path, entry } of await this.#worthKeeping(at, changes, signal)) {
        await at.root.put(path, entry, signal);
      }
    }
  }

  /** Leaves out hidden paths, and ignored and installed files when there are too many of them. */
  async #worthKeeping(
    at: CommandRoot,
    changes: readonly CopyChange[],
    signal: AbortSignal,
  ): Promise<readonly CopyChange[]> {
    const visible = changes.filter(({ path }) => !at.root.isHidden(path, false));
    if (visible.length < changes.length) {
      this.#warn(
        'hidden-path-changed',
        `A command changed files of ${at.root.name} that are hidden from agents; they are left out.`,
      );
    }
    const open = visible.filter(({ path }) => !at.root.isProtected(path));
    if (open.length < visible.length) {
      this.#warn(
        'protected-path-changed',
        `A command changed protected files of ${at.root.name}; they are left out.`,
      );
    }
    if (open.length <= ignoredLimit) {
      return open;
    }
    const kept: CopyChange[] = [];
    for (const change of open) {
      const isGenerated = change.path.split('/').some(isDependencyFolder);
      if (!isGenerated && (await at.ignore?.isIgnored(change.path, signal)) !== true) {
        kept.push(change);
      }
    }
    if (kept.length < open.length) {
      this.#warn(
        'ignored-files-left-out',
        `A command changed ${open.length - kept.length} ignored files of ${at.root.name}; they are left out.`,
      );
    }
    return kept;
  }

  #environment(): Record<string, string> {
    return {
      PATH: this.#settings.searchPath,
      HOME: this.#home(),
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      TMPDIR: this.#temporary(),
      // Without a repository in the copy, git must not find one further up.
      GIT_CEILING_DIRECTORIES: this.#folder,
      ...this.#settings.environment,
    };
  }

  #copyOf({ root, shownPath }: CommandRoot): CommandCopy {
    return new CommandCopy({ root, folder: shownPath, roots: this.#places, store: this.#store });
  }

  #home(): string {
    return join(this.#folder, '.home');
  }

  #temporary(): string {
    return join(this.#folder, '.tmp');
  }
}
