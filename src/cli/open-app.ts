import { join, resolve } from 'node:path';
import type { App } from '../app/app-contract';
import { createApp } from '../app/create-app';
import { createDiskFiles } from '../app/disk-files';
import type { CommonOptions } from './invocation';
import { keySource, variableSource } from './key-source';
import { stderrLogger } from './stderr-logger';
import { systemClock } from './system-clock';
import { defaultStorageDir, type World } from './world';

export function storageDirOf({ storage }: CommonOptions, world: World): string {
  return resolve(world.cwd, storage ?? defaultStorageDir(world));
}

export interface AppPlace {
  readonly storageDir: string;
  readonly debug: boolean;
  /** Absent: sessions are noted in the list of all shells. */
  readonly isListed?: boolean;
  /** Absent: runs leave files to read. */
  readonly isKept?: boolean;
}

/** The list of sessions that all shells of the user share. */
function registryFileOf({ home }: World): string {
  return join(home, '.massgen', 'sessions.json');
}

/** Gives `use` the product over the runs in `storageDir`, and closes it whatever comes of it. */
export async function withApp<T>(
  { storageDir, debug, isListed = true, isKept = true }: AppPlace,
  world: World,
  use: (app: App) => Promise<T>,
): Promise<T> {
  const app = createApp({
    storageDir,
    installDir: world.installDir,
    clock: systemClock,
    logger: stderrLogger(world.notes, debug),
    secrets: keySource(world),
    variables: variableSource(world),
    extraBackends: [],
    liveFiles: createDiskFiles(),
    cliArgs: world.args,
    origin: 'cli',
    ...(isListed && isKept ? { registryFile: registryFileOf(world) } : {}),
    ...(isKept ? {} : { artifacts: 'none' }),
  });
  try {
    return await use(app);
  } finally {
    await app.close();
  }
}
