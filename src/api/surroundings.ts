import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import type { App, AppParts } from '../app/app-contract';
import { createApp } from '../app/create-app';
import { createDiskFiles } from '../app/disk-files';
import { ownValue } from '../base/own-value';
import { keySource, variableSource } from '../cli/key-source';
import { systemClock } from '../cli/system-clock';
import { defaultStorageDir, type World } from '../cli/world';
import type { RunOptions } from './contract';

/** Where one call stands: nothing of it is shared with another. */
export interface Surroundings {
  readonly world: World;
  /** What was written to the notes of `world`, a line each; nothing is ever printed. */
  readonly notes: readonly string[];
  readonly parts: AppParts;
  /** Removes what was made only for this call. */
  cleanUp(): Promise<void>;
}

export async function surroundingsOf(
  options: RunOptions,
  installDir: string,
  signal: AbortSignal,
): Promise<Surroundings> {
  const notes: string[] = [];
  const world = quietWorld(options, { installDir, notes, signal });
  const isKept = options.enableLogging !== false;
  const storageDir = isKept
    ? resolve(world.cwd, options.storageDir ?? defaultStorageDir(world))
    : await mkdtemp(join(tmpdir(), 'massgen-'));
  return {
    ...{ world, notes },
    parts: {
      ...{ storageDir, installDir, clock: systemClock, logger: silent, origin: 'api' },
      secrets: secretsOf(options, world),
      variables: variablesOf(options, world),
      ...(isKept
        ? { registryFile: join(world.home, '.massgen', 'sessions.json') }
        : { artifacts: 'none' }),
      extraBackends: [],
      liveFiles: createDiskFiles(),
    },
    cleanUp: async () => {
      if (!isKept) {
        await rm(storageDir, { recursive: true, force: true });
      }
    },
  };
}

/** Gives `use` the product, and closes it whatever comes of it. */
export async function withApp<T>(parts: AppParts, use: (app: App) => Promise<T>): Promise<T> {
  const app = createApp(parts);
  try {
    return await use(app);
  } finally {
    await app.close();
  }
}

function quietWorld(
  { cwd = '.', env = process.env }: RunOptions,
  {
    installDir,
    notes,
    signal,
  }: { readonly installDir: string; readonly notes: string[]; readonly signal: AbortSignal },
): World {
  const dropped = { writeBytes: () => undefined, hasColor: false, width: 100 };
  return {
    args: [],
    cwd: resolve(cwd),
    home: env['HOME'] ?? homedir(),
    environment: env,
    platform: process.platform,
    ...{ installDir, version: '' },
    output: { ...dropped, write: () => undefined },
    notes: { ...dropped, write: (text) => void notes.push(text.trimEnd()) },
    // Nothing is ever asked; the stream is not even opened.
    input: {
      get stream() {
        return process.stdin;
      },
      isInteractive: false,
    },
    interrupted: signal,
  };
}

/** The caller's own keys, then the environment, then files with keys, unless an environment was given. */
function secretsOf({ keys, env }: RunOptions, world: World): AppParts['secrets'] {
  const usual = keySource(world);
  return {
    async get(name): Promise<string | undefined> {
      const own = typeof keys === 'function' ? await keys(name) : ownValue(keys ?? {}, name);
      return own ?? (env === undefined ? usual.get(name) : ownValue(env, name));
    },
    placesOf: (name) => ['keys', ...(env === undefined ? usual.placesOf(name) : ['env'])],
  };
}

/** Those that settings may name; never from a file of the project. */
function variablesOf({ env }: RunOptions, world: World): NonNullable<AppParts['variables']> {
  return env === undefined
    ? variableSource(world)
    : { places: ['env'], get: (name) => ownValue(env, name) };
}

const nothing = (): void => undefined;

/** What goes wrong is told by errors and events. */
const silent: AppParts['logger'] = {
  ...{ trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing },
};
