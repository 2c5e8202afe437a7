// The package as `npm pack` makes it, installed into a folder that has nothing else.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

export interface NpmPackage {
  /** Holds `node_modules/massgen` and nothing else that is installed. */
  readonly folder: string;
  /** Paths in the package, sorted. */
  readonly files: readonly string[];
  /** Of the archive. */
  readonly bytes: number;
  /** Variables that keep a process away from the settings of whoever runs the tests. */
  readonly environment: NodeJS.ProcessEnv;
  remove(): void;
}

/** Needs a production build. Nothing is fetched: npm is told that there is no network. */
export function installNpmPackage(): NpmPackage {
  const home = mkdtempSync(join(tmpdir(), 'massgen-npm-'));
  const environment = {
    ...{ PATH: process.env['PATH'], HOME: home, npm_config_cache: join(home, 'cache') },
    ...{ npm_config_offline: 'true', npm_config_update_notifier: 'false', NO_COLOR: '1' },
  };
  const npm = (cwd: string, ...args: readonly string[]): string =>
    execFileSync('npm', args, {
      ...{ cwd, env: environment, encoding: 'utf8' },
      // Its list of what it packs goes there.
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  // The build was made before; making it again would change what other tests read.
  npm(root, 'pack', '--ignore-scripts', '--pack-destination', home);
  const archive = join(home, `massgen-${versionOf()}.tgz`);
  const listed = execFileSync('tar', ['tzf', archive], { encoding: 'utf8' });
  const folder = join(home, 'bare folder');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  npm(folder, 'install', '--ignore-scripts', '--no-audit', '--no-fund', archive);
  return {
    folder,
    files: listed
      .trim()
      .split('\n')
      .map((path) => path.replace(/^package\//, ''))
      .sort(),
    bytes: statSync(archive).size,
    environment,
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

function versionOf(): string {
  const text = execFileSync(process.execPath, ['-p', 'require("./package.json").version'], {
    cwd: root,
    encoding: 'utf8',
  });
  return text.trim();
}

export interface Printed {
  readonly code: number | null;
  readonly output: string;
  readonly notes: string;
}

/** Runs a program in the folder of the package. */
export function runIn(
  { folder, environment }: NpmPackage,
  program: string,
  ...args: readonly string[]
): Printed {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
  });
  return { code: status, output: stdout, notes: stderr };
}
