import { dirname } from 'node:path';
import type { ConfinedLaunch } from '../confinement/confined-process';
import { startConfined, statusFd } from '../confinement/confined-process';
import type { HiddenPlaces } from '../confinement/hidden-places';
import {
  gitConfigsAbove,
  secretsNamedBy,
  secretsOfHomes,
  secretsOfSystem,
  socketsWithNames,
  sortedByKind,
} from '../confinement/hidden-places';
import { defaultResources, linuxLaunch } from '../confinement/linux-launch';
import type { LinuxSandbox, SeatbeltSandbox } from '../confinement/sandbox';
import type { SandboxView } from '../confinement/sandbox-arguments';
import { emptiedFolders } from '../confinement/sandbox-arguments';
import { seatbeltProfile } from '../confinement/seatbelt-profile';
import type { CommandRoot, CommandSettings } from './command-root';
import { startBare } from './bare-shell';
import type { CommandPlaces } from './command-places';
import { markVariable } from './marked-processes';
import type { StartedProcess } from './started-process';

export interface Launch {
  readonly argv: readonly string[];
  /** Absolute folder as the command sees it. */
  readonly cwd: string;
  /** Unique for this command. */
  readonly mark: string;
}

export interface LauncherOptions {
  readonly folder: string;
  readonly home: string;
  readonly temporary: string;
  readonly roots: readonly CommandRoot[];
  readonly settings: CommandSettings;
  readonly places: CommandPlaces;
}

/** Starts commands of one agent, confined as far as the machine allows. */
export class CommandLauncher {
  readonly #options: LauncherOptions;

  constructor(options: LauncherOptions) {
    this.#options = options;
  }

  async start(launch: Launch): Promise<StartedProcess> {
    const { sandbox } = this.#options.settings;
    if (sandbox.kind === 'linux') {
      return startConfined(await this.#linux(sandbox, launch));
    }
    const argv = sandbox.kind === 'none' ? launch.argv : await this.#seatbelt(sandbox, launch);
    return startBare({
      ...{ argv, cwd: launch.cwd, mark: launch.mark },
      ...{ environment: this.#environment(), folder: this.#options.folder },
    });
  }

  /** What is seen and written by whatever is started in a folder now. */
  async view(cwd: string): Promise<Omit<SandboxView, 'canBoundMemory'>> {
    return {
      ...this.#bound(),
      hidden: await this.#hidden(),
      user: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
      ...{ cwd, statusFd },
    };
  }

  async #linux(sandbox: LinuxSandbox, { argv, cwd, mark }: Launch): Promise<ConfinedLaunch> {
    const { holder } = this.#options.places;
    const view = await this.view(cwd);
    return {
      argv: linuxLaunch(sandbox, {
        ...{ holder, view },
        ...{ resources: defaultResources, command: argv },
      }),
      environment: { ...this.#environment(), [markVariable]: mark },
      input: 'ignore',
    };
  }

  async #seatbelt(sandbox: SeatbeltSandbox, { argv }: Launch): Promise<readonly string[]> {
    const profile = seatbeltProfile({ ...this.#bound(), hidden: await this.#hidden() });
    return [sandbox.program, '-p', profile, ...argv];
  }

  #bound(): { readonly writable: readonly string[]; readonly readable: readonly string[] } {
    const { places, home, temporary } = this.#options;
    const { writable, readable } = places.bound;
    return { writable: [...writable, home, temporary], readable };
  }

  async #hidden(): Promise<HiddenPlaces> {
    const { homes, runStore, ownEnvironment } = this.#options.settings;
    const configs = this.#userFolders().map(gitConfigsAbove);
    const found = await Promise.all([
      ...[secretsOfHomes(homes), secretsOfSystem(), secretsNamedBy(ownEnvironment)],
      ...[socketsWithNames(), ...configs],
    ]);
    return sortedByKind([
      ...[...emptiedFolders, runStore],
      ...found.flatMap((each) => ('folders' in each ? [...each.folders, ...each.files] : each)),
    ]);
  }

  #userFolders(): readonly string[] {
    return this.#options.roots
      .map(({ root }) => root.base.folder)
      .filter((folder) => folder !== undefined);
  }

  #environment(): Record<string, string> {
    const { settings, home, temporary, folder } = this.#options;
    return {
      PATH: settings.searchPath,
      HOME: home,
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      TMPDIR: temporary,
      // Without a repository in the project, git must not find one further up.
      GIT_CEILING_DIRECTORIES: [folder, ...this.#userFolders().map(dirname)].join(':'),
      ...settings.environment,
    };
  }
}
