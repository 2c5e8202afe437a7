// Starts and stops a real VS Code server, and installs extensions into it.
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install } from './install.mjs';
import { processTree, signalGroup, stopGroup, until } from './processes.mjs';

/** Nothing that a first start shows, and nothing that waits for a network. */
const QUIET_SETTINGS = {
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'workbench.enableExperiments': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  // Running extensions and the like open as tabs: a modal editor swallows F1.
  'workbench.editor.useModal': 'off',
  // The browser's default saves after a delay: an edit that a test makes would reach the disk.
  'files.autoSave': 'off',
  // Otherwise a toast appears for each port that anything on the machine opens.
  'remote.autoForwardPorts': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'json.schemaDownload.enable': false,
  'npm.fetchOnlinePackageInfo': false,
  'typescript.disableAutomaticTypeAcquisition': true,
};

/** A new, empty data folder. Its path is short: paths of sockets end at 108 characters. */
export function newDataDir() {
  return mkdtempSync(join(tmpdir(), 'mgvs-'));
}

/**
 * Starts a server on a free port of 127.0.0.1.
 *
 * `settings` are added to the quiet ones. `env` reaches the extension host too; keys of model
 * services in the own environment do not. `testDriver` makes the window honour the development
 * and tests path of its address (and show no toasts). `trust` leaves workspace trust on. Without `stay` the
 * server ends by itself some minutes after its last window, should nobody stop it.
 * `dataDir` is kept after `stop()`, the default one is removed.
 *
 * @param {{ settings?: Record<string, unknown>, env?: Record<string, string>, args?: string[],
 *   testDriver?: boolean, trust?: boolean, stay?: boolean, dataDir?: string }} [options]
 */
export async function startServer(options = {}) {
  const dir = options.dataDir ?? newDataDir();
  writeSettings(dir, options.settings);
  const logFile = join(dir, 'server.log');
  writeFileSync(logFile, '');
  const child = launch(dir, openSync(logFile, 'a'), options);
  const ended = { code: undefined };
  child.once('exit', (code) => (ended.code = code ?? -1));

  const tidy = () => {
    if (options.dataDir === undefined) {
      rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
    }
  };
  const onExit = () => {
    signalGroup(child.pid, 'SIGKILL');
    tidy();
  };
  process.once('exit', onExit);
  const port = await until('the server listens', 30_000, () => {
    const log = readFileSync(logFile, 'utf8');
    if (ended.code !== undefined) {
      throw new Error(`the server ended with ${ended.code}:\n${log}`);
    }
    return Number(/Extension host agent listening on (\d+)/.exec(log)?.[1]);
  });
  return {
    dir,
    port,
    pid: child.pid,
    authority: `127.0.0.1:${port}`,
    logs: () => logFiles(dir),
    processes: () => processTree(child.pid),
    stop: async () => {
      await stopGroup(child.pid);
      process.removeListener('exit', onExit);
      tidy();
    },
  };
}

function launch(dir, log, options) {
  const { env = {}, args = [], testDriver = false, trust = false, stay = false } = options;
  const paths = install();
  const fixed = ['--host', '127.0.0.1', '--port', '0', '--without-connection-token'];
  return spawn(
    paths.node,
    [
      ...serverArgs(paths, dir),
      ...fixed,
      ...['--telemetry-level', 'off'],
      // Seconds; by default the extension host of a closed window stays for three hours.
      ...['--reconnection-grace-time', '3'],
      ...(stay ? [] : ['--enable-remote-auto-shutdown']),
      ...(trust ? [] : ['--disable-workspace-trust']),
      ...(testDriver ? ['--enable-smoke-test-driver'] : []),
      ...args,
    ],
    { detached: true, stdio: ['ignore', log, log], env: serverEnv(dir, env) },
  );
}

function serverArgs(paths, dir) {
  const server = [paths.serverMain, '--accept-server-license-terms'];
  return [
    ...server,
    ...['--server-data-dir', join(dir, 'server')],
    ...['--builtin-extensions-dir', paths.builtins],
  ];
}

/** A home and a temporary folder of its own, no extension gallery, and no key of anybody. */
function serverEnv(dir, extra = {}) {
  const unwanted = /^(VSCODE_|ELECTRON_|VITEST|NODE_OPTIONS$|npm_)|_(API_KEY|TOKEN|SECRET)$/;
  const clean = Object.entries(process.env).filter(([name]) => !unwanted.test(name));
  for (const name of ['home', 'tmp']) {
    mkdirSync(join(dir, name), { recursive: true });
  }
  return {
    ...Object.fromEntries(clean),
    HOME: join(dir, 'home'),
    TMPDIR: join(dir, 'tmp'),
    XDG_RUNTIME_DIR: join(dir, 'tmp'),
    EXTENSIONS_GALLERY: '{}',
    ...extra,
  };
}

function writeSettings(dir, settings = {}) {
  // What belongs to a machine is read from there alone while the window is in a browser.
  for (const kind of ['User', 'Machine']) {
    const folder = join(dir, 'server', 'data', kind);
    const file = join(folder, 'settings.json');
    mkdirSync(folder, { recursive: true });
    if (!existsSync(file)) {
      writeFileSync(file, JSON.stringify({ ...QUIET_SETTINGS, ...settings }, undefined, 2));
    }
  }
}

/** Installs a .vsix into the data folder of a later `startServer({ dataDir })`. */
export function installVsix(dir, vsix) {
  const paths = install();
  const args = [...serverArgs(paths, dir), '--install-extension', vsix, '--force'];
  const result = spawnSync(paths.node, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    env: serverEnv(dir),
  });
  if (result.status !== 0) {
    throw new Error(`${vsix} cannot be installed:\n${result.stdout}\n${result.stderr}`);
  }
}

function logFiles(dir) {
  const folder = join(dir, 'server', 'data', 'logs');
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.log'))
    .map((name) => join(folder, name));
}
