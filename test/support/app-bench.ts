// The whole product over a folder of its own, with scripted models at the far end.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { App, AppParts } from '../../src/app/app-contract';
import { createApp } from '../../src/app/create-app';
import { createDiskFiles } from '../../src/app/disk-files';
import { findSandbox } from '../../src/workspace/confinement/probe';
import { realClock } from './real-clock';
import { silent } from './run-harness';
import type { ScriptedKind } from './scripted-kind';

export interface AppBench {
  /** A new folder for each test, removed after it. */
  readonly home: string;
  /** A folder in it with the files that were asked for. */
  readonly project: string;
  /** Keeps its runs in the folder `storage` of `home`; closed after the test. */
  open(kind: ScriptedKind, more?: Partial<AppParts>): App;
}

/** To be called where a file of tests begins. `files`: text by name. */
export function appBench(files: Readonly<Record<string, string>> = {}): AppBench {
  let apps: App[] = [];
  const bench = {
    home: '',
    project: '',
    open(kind: ScriptedKind, more: Partial<AppParts> = {}): App {
      const app = appOver(join(bench.home, 'storage'), kind, more);
      apps.push(app);
      return app;
    },
  };
  beforeEach(async () => {
    bench.home = await mkdtemp(join(tmpdir(), 'massgen-app-'));
    bench.project = join(bench.home, 'project');
    await mkdir(bench.project);
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(bench.project, name), text);
    }
    apps = [];
  });
  afterEach(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await rm(bench.home, { recursive: true, force: true });
  });
  return bench;
}

/** Beside all storages of tests; what the machine can do there is tried out once in a file, not for each storage. */
const besideStorages = join(tmpdir(), 'massgen-test-probe');

/** The whole product over a folder for its runs. */
export function appOver(storageDir: string, kind: ScriptedKind, more: Partial<AppParts> = {}): App {
  return createApp({
    storageDir,
    installDir: join(import.meta.dirname, '../..'),
    clock: realClock,
    logger: silent,
    secrets: { get: async () => undefined },
    extraBackends: [kind.kind],
    liveFiles: createDiskFiles(),
    origin: 'cli',
    findSandbox: (signal) => findSandbox({ storageFolder: besideStorages }, signal),
    ...more,
  });
}
