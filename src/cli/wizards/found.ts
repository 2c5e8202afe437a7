// What a team could be made of on this machine: keys, agent programs, local servers. Nothing is started or installed.
import { dirname, join } from 'node:path';
import type { App, InstalledProgram, LocalServer } from '../../app/app-contract';
import { findInstalledPrograms } from '../../app/installed-programs';
import { type KeyService, keyServices } from '../../app/services-table';
import { revealOnOneLine } from '../../run/selectors/visible-text';
import { findKey } from '../key-source';
import type { World } from '../world';

export interface FoundService extends KeyService {
  /** The variable that holds the key now, and where it is; `undefined`: none is set. */
  readonly key: { readonly name: string; readonly place: string } | undefined;
}

export interface Found {
  /** Every service with a key of its own, those without a key too. */
  readonly services: readonly FoundService[];
  readonly programs: readonly InstalledProgram[];
  /** With at least one model. */
  readonly servers: readonly LocalServer[];
}

type Looking = Pick<App, 'backendKinds' | 'detectLocalServers'>;

/** Looks in the environment, in `.env` files, on PATH and at the usual ports of this machine. */
export async function lookAround(app: Looking, world: World): Promise<Found> {
  const [services, programs, servers] = await Promise.all([
    Promise.all(keyServices(app.backendKinds).map((service) => withKey(service, world))),
    findInstalledPrograms(programPlaces(world)),
    app.detectLocalServers(world.interrupted),
  ]);
  return { services, programs, servers: servers.filter(({ models }) => models.length > 0) };
}

async function withKey(service: KeyService, world: World): Promise<FoundService> {
  for (const name of service.keyNames) {
    const found = await findKey(name, world);
    if (found !== undefined) {
      const place = found.file === undefined ? 'environment' : shortPath(found.file, world);
      return { ...service, key: { name, place } };
    }
  }
  return { ...service, key: undefined };
}

function programPlaces({ environment, home }: World): Parameters<typeof findInstalledPrograms>[0] {
  return {
    searchPath: environment['PATH'] ?? '',
    furtherFolders: [join(home, '.local', 'bin'), join(home, 'bin')],
    paths: {},
  };
}

/** For people: `./.env`, `~/.massgen/.env`. */
export function shortPath(path: string, { cwd, home }: Pick<World, 'cwd' | 'home'>): string {
  const shown = revealOnOneLine(path);
  if (path.startsWith(join(cwd, '/'))) {
    return `./${shown.slice(join(cwd, '/').length)}`;
  }
  return path.startsWith(join(home, '/')) && dirname(home) !== home
    ? `~/${shown.slice(join(home, '/').length)}`
    : shown;
}

/** What was found, in words; one line when it is nothing. */
export function foundLines({ services, programs, servers }: Found): readonly string[] {
  const lines = [
    ...services.flatMap(({ kind, key }) =>
      key === undefined ? [] : [`${kind.title}: ${key.name} is set (${key.place})`],
    ),
    ...programs.map(({ title, path }) => `${title}: agent program at ${revealOnOneLine(path)}`),
    ...servers.map(
      ({ name, baseUrl, models }) =>
        `${name}: server at ${baseUrl} with ${revealOnOneLine(models.slice(0, 5).join(', '))}${models.length > 5 ? ' …' : ''}`,
    ),
  ];
  return lines.length === 0
    ? ['No key, no agent program and no local model server was found.']
    : lines;
}

export const hintAtLocalModels =
  'Models on this machine need no key: start Ollama or LM Studio, load a model, and run massgen --quickstart.';
