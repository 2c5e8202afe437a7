// Commands of one agent: where they run, in what environment, and what becomes of the changes they made.
import { randomBytes } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { MassGenError } from '../../core/errors';
import type { Logger } from '../../core/ports/logger';
import type { CommandRequest, CommandResult } from '../../core/ports/workspace';
import { inFolderBelow } from '../confinement/anchored-files';
import { diskUse, freeSpace, isFilledUp } from '../confinement/disk-use';
import type { MountHolder } from '../confinement/mount-holder';
import { whilePlacesMove } from '../confinement/moved-places';
import type { SandboxView } from '../confinement/sandbox-arguments';
import type { LayeredRoot } from '../layered-root';
import type { SnapshotStore } from '../snapshot-store';
import type { Warn } from '../warnings';
import { CommandLauncher } from './command-launcher';
import { CommandPlaces } from './command-places';
import type { CommandRoot, CommandSettings } from './command-root';
import type { OutputWindow } from './output-window';
import { runStarted } from './run-shell';
import type { StartedProcess } from './started-process';

export interface AgentCommandsOptions {
  /** The agent's private folder; everything a command may leave behind lies in it. */
  readonly folder: string;
  /** Where answers of other agents are shown. */
  readonly peersFolder: string;
  readonly roots: readonly CommandRoot[];
  readonly settings: CommandSettings;
  readonly store: SnapshotStore;
  readonly logger: Logger;
  readonly warn: Warn;
}

export interface ConfinedPlace {
  readonly view: Omit<SandboxView, 'canBoundMemory'>;
  readonly holder: MountHolder | undefined;
  /** Value of TMPDIR. */
  readonly temporary: string;
}

export interface CommandSignals {
  readonly command: AbortSignal;
  /** Lasts longer: what a stopped command did is still taken over. */
  readonly workspace: AbortSignal;
}

const defaultQuota = 8_000_000_000;

export class AgentCommands {
  readonly #options: AgentCommandsOptions;
  readonly #places: CommandPlaces;
  readonly #launcher: CommandLauncher;
  /** On the disk, before the first command. */
  #freeBefore: number | undefined;

  constructor(options: AgentCommandsOptions) {
    this.#options = options;
    const { limits, sandbox } = options.settings;
    this.#places = new CommandPlaces({ ...options, limits, sandbox });
    this.#launcher = new CommandLauncher({
      ...options,
      ...{ home: this.#home(), temporary: this.#temporary(), places: this.#places },
    });
  }

  showPeers(roots: readonly CommandRoot[]): void {
    this.#places.showPeers(roots);
  }

  /** Brings what commands see of a root in line with its layers. */
  async follow(root: LayeredRoot, paths: Iterable<string>, signal: AbortSignal): Promise<void> {
    await this.#places.follow(root, paths, signal);
  }

  /** Takes over what commands that still run have changed so far. */
  async collect(signal: AbortSignal): Promise<void> {
    await this.#places.collect(signal);
  }

  /** `cwd` is absolute. After an abort the rejection comes when nothing of the command runs any more. */
  async run(request: CommandRequest, cwd: string, signals: CommandSignals): Promise<CommandResult> {
    try {
      await this.prepare(request, cwd, signals.command);
      return await this.runPrepared(request, cwd, signals.command);
    } finally {
      await this.leave(signals.workspace);
    }
  }

  /** Each call is followed by one of `leave`, also when it throws. */
  async prepare(request: CommandRequest, cwd: string, signal: AbortSignal): Promise<void> {
    const startedAt = Date.now();
    this.#freeBefore ??= await freeSpace(this.#options.folder);
    await this.#places.enter(`${request.command}\n${cwd}`, signal);
    for (const folder of [this.#home(), this.#temporary()]) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    }
    const tookMs = Date.now() - startedAt;
    if (tookMs > 200) {
      this.#options.logger.info('workspace', `making the folders for a command took ${tookMs} ms`);
    }
  }

  /** May overlap with others of its kind. */
  async runPrepared(
    request: CommandRequest,
    cwd: string,
    signal: AbortSignal,
    output?: OutputWindow,
  ): Promise<CommandResult> {
    const place = await this.#checkCwd(cwd);
    const start = async (): Promise<StartedProcess> =>
      this.#launcher.start({
        argv: ['/bin/sh', '-c', request.command],
        cwd: place,
        mark: randomBytes(12).toString('hex'),
      });
    const limits = {
      timeoutMs: request.timeoutMs,
      reasonToEnd: () => this.reasonToEnd(),
      ...(request.onOutput === undefined ? {} : { onOutput: request.onOutput }),
      ...(output === undefined ? {} : { output }),
    };
    const result = await whilePlacesMove(async () => runStarted(await start(), limits, signal));
    const reason = await this.reasonToEnd();
    return reason === undefined || result.output.endsWith(`${reason}.]`)
      ? result
      : {
          ...result,
          output: `${result.output}\n[Remove files before the next command: ${reason}.]`,
        };
  }

  /** For something else than a command that runs in the same view, between `prepare` and `leave`; `cwd` is absolute. */
  async confinedAt(cwd: string): Promise<ConfinedPlace> {
    const view = await this.#launcher.view(await this.#checkCwd(cwd));
    return { view, holder: this.#places.holder, temporary: this.#temporary() };
  }

  /** The same where nothing confines: the folder on the disk, and the value of TMPDIR. */
  async bareAt(cwd: string): Promise<{ readonly cwd: string; readonly temporary: string }> {
    return { cwd: await this.#checkCwd(cwd), temporary: this.#temporary() };
  }

  /** What a command did counts even when it was stopped half way. */
  async leave(signal: AbortSignal): Promise<void> {
    try {
      await this.#places.collect(signal);
    } finally {
      await this.#places.leave();
    }
  }

  async close(): Promise<void> {
    await this.#places.close();
  }

  /** Why whatever runs must end now: it fills the disk. */
  async reasonToEnd(): Promise<string | undefined> {
    const { folder, settings } = this.#options;
    // Files that have no name any more take room too.
    const free = await freeSpace(folder);
    if (isFilledUp(free, this.#freeBefore)) {
      return `only ${Math.round((free ?? 0) / 1e6)} MB are left on the disk`;
    }
    const quota = settings.quotaBytes ?? defaultQuota;
    const isOver = (await diskUse(folder, quota)) > quota;
    return isOver ? `more than ${Math.round(quota / 1e6)} MB on the disk` : undefined;
  }

  /** A command may have put a link to somewhere else in the place of a folder. */
  async #checkCwd(cwd: string): Promise<string> {
    const overlay = this.#places.overlayAt(cwd);
    if (overlay !== undefined) {
      // Where a link leads is the sandbox's own business: what it shows may be read.
      const isFolder = await inFolderBelow(
        overlay.view.merged ?? '',
        overlay.inside,
        async () => true,
      );
      return isFolder === true || (await overlay.view.passesLink(overlay.inside))
        ? cwd
        : missing(cwd);
    }
    const real = await realpath(cwd).catch(() => undefined);
    if (real === undefined) {
      return missing(cwd);
    }
    if (!`${real}${sep}`.startsWith(`${this.#options.folder}${sep}`)) {
      throw new MassGenError(
        'workspace/path-escape',
        `${cwd} leads to ${real}, outside the folders of this task.`,
      );
    }
    return real;
  }

  #home(): string {
    return join(this.#options.folder, '.home');
  }

  #temporary(): string {
    return join(this.#options.folder, '.tmp');
  }
}

function missing(folder: string): never {
  throw new MassGenError('workspace/not-found', `The folder ${folder} does not exist.`);
}
