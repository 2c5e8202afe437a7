import type { ProgramRequest } from '../../core/ports/workspace';
import type { ConfinedPlace } from '../command/agent-commands';
import type { ConfinedLaunch } from '../confinement/confined-process';
import type { HiddenPlaces } from '../confinement/hidden-places';
import { isBelow } from '../confinement/hidden-places';
import { defaultResources, linuxLaunch } from '../confinement/linux-launch';
import type { LinuxSandbox } from '../confinement/sandbox';
import { findInstallation } from './installation';
import { outsidePlaces } from './outside-places';
import { launcherSource, variablePrefix } from './launcher-source';
import type { Home } from './own-places';
import { ownPlaces, realHomes } from './own-places';

export interface LaunchSettings {
  readonly sandbox: LinuxSandbox;
  /** Value of PATH. */
  readonly searchPath: string;
  /** Hidden as a whole. The first is the value of HOME. */
  readonly homes: readonly string[];
  /** Real paths of folders of the user and of all runs: nothing of them can be given to a program. */
  readonly apart: readonly string[];
  /** Holds the socket of its proxy. */
  readonly proxyFolder: string;
}

/**
 * How a program is started: confined as a command is, but with an empty home in memory, in which only its own places are
 * there, and its installation to be read. Throws `tool/failed` for places it cannot be given, and when it cannot be found.
 */
export async function programLaunch(
  request: ProgramRequest,
  { view, holder, temporary }: ConfinedPlace,
  settings: LaunchSettings,
): Promise<ConfinedLaunch> {
  const homes = await realHomes(settings.homes);
  const own = await ownPlaces(request.ownFolders, homes, settings.apart);
  const outside = await outsidePlaces(request, homes, settings.apart);
  const installation = await findInstallation(request.argv[0], {
    searchPath: settings.searchPath,
    homes: homes.map(({ real }) => real),
    closed: [...view.hidden.folders, ...view.hidden.files, ...settings.apart],
  });
  const shown = [...own.places, ...view.writable, ...view.readable];
  const parts = [...installation.parts, ...outside].filter(
    (part) => !shown.some((each) => each === part || isBelow(part, each)),
  );
  const scratch = homesToEmpty(homes, shown);
  const { sandbox, proxyFolder } = settings;
  return {
    argv: linuxLaunch(sandbox, {
      holder,
      view: {
        ...{ ...view, scratch, links: own.links, hidden: withHomes(view.hidden, scratch) },
        writable: [...view.writable, ...own.places],
        readable: [...view.readable, ...parts, proxyFolder],
      },
      resources: defaultResources,
      command: [process.execPath, '-e', launcherSource, '--', proxyFolder, ...request.argv],
    }),
    environment: {
      ...{ PATH: installation.searchPath, LANG: 'C.UTF-8', ELECTRON_RUN_AS_NODE: '1' },
      ...prefixed({
        PATH: installation.searchPath,
        HOME: homes[0]?.real ?? temporary,
        ...{ LANG: 'C.UTF-8', TERM: 'dumb', TMPDIR: temporary },
        ...request.environment,
      }),
    },
    input: 'pipe',
  };
}

/** A home that agents work in as a whole is shown already, without what is hidden from them. */
function homesToEmpty(homes: readonly Home[], shown: readonly string[]): readonly string[] {
  const real = [...new Set(homes.map((home) => home.real))];
  return real.filter(
    (home) =>
      !shown.some((each) => each === home || isBelow(home, each)) &&
      !real.some((other) => isBelow(home, other)),
  );
}

function withHomes(hidden: HiddenPlaces, homes: readonly string[]): HiddenPlaces {
  const isOutside = (path: string): boolean =>
    !homes.some((home) => home === path || isBelow(path, home));
  return {
    // Homes come last: one below an emptied folder is made anew in there.
    folders: [...hidden.folders.filter(isOutside), ...homes],
    files: hidden.files.filter(isOutside),
  };
}

function prefixed(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [`${variablePrefix}${name}`, value]),
  );
}
