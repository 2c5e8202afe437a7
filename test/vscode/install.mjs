// Brings a real VS Code server (npm package code-server, folder lib/vscode) and a Node 24 to run
// it into a cache folder outside the clone, keyed by this folder's lock file, so that the next
// clone finds it there. Runs on Node 20 or newer with nothing installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const platform = `${process.platform}-${process.arch}`;

/** Raise it when the steps below change: the key of the cache folder contains it. */
const RECIPE = '1';

/**
 * Built-in extensions left out: they call out to the network, start slowly or are large, and no
 * test needs them. `github-authentication` stays, because without it the window shows an error.
 */
const LEFT_OUT = [
  'copilot',
  'github',
  'microsoft-authentication',
  'tunnel-forwarding',
  'mermaid-markdown-features',
  'ms-vscode.js-debug',
  'ms-vscode.js-debug-companion',
  'ms-vscode.vscode-js-profile-table',
];

/** Packages of the server that are large and that no test reaches. */
const UNUSED_PACKAGES = [
  '@github/copilot-sdk-linux-x64',
  '@github/copilot-sdk',
  '@microsoft/mxc-sdk',
  '@devcontainers/cli',
];

/** Why the harness cannot exist on this machine, or undefined when it can. */
export function unsupported() {
  return platform === 'linux-x64'
    ? undefined
    : `the VS Code of the tests is built for Linux x64 only (this is ${platform})`;
}

/** Where everything is, or will be after `install()`. Never writes. */
export function harnessPaths() {
  const hash = createHash('sha256').update(RECIPE).update(platform);
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
    hash.update(readFileSync(join(here, file)));
  }
  const base = process.env.VSCODE_HARNESS_DIR ?? join(homedir(), '.cache', 'massgen-vscode');
  const root = join(base, hash.digest('hex').slice(0, 16));
  const vscode = join(root, 'node_modules', 'code-server', 'lib', 'vscode');
  return {
    root,
    vscode,
    node: join(root, 'node_modules', `node-${platform}`, 'bin', 'node'),
    serverMain: join(vscode, 'out', 'server-main.js'),
    builtins: join(root, 'builtin-extensions'),
    stamp: join(root, '.ready'),
  };
}

/**
 * Installs once and returns `harnessPaths()`; returns at once when it is there. Throws with the
 * output of the step that failed. Two installs at once do no harm: each fills a folder of its own,
 * and the first one to finish is kept.
 */
export function install() {
  const want = harnessPaths();
  if (existsSync(want.stamp)) {
    return want;
  }
  const reason = unsupported();
  if (reason !== undefined) {
    throw new Error(reason);
  }
  mkdirSync(dirname(want.root), { recursive: true });
  const filling = mkdtempSync(`${want.root}.tmp-`);
  try {
    fill(filling);
    writeFileSync(join(filling, '.ready'), new Date().toISOString());
    keepFirst(filling, want);
  } finally {
    rmSync(filling, { recursive: true, force: true });
  }
  return want;
}

function keepFirst(filled, want) {
  try {
    renameSync(filled, want.root);
  } catch (error) {
    if (!existsSync(want.stamp)) {
      throw error;
    }
  }
}

function fill(root) {
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
    cpSync(join(here, file), join(root, file));
  }
  step('npm', ['ci'], { cwd: root });

  const node = join(root, 'node_modules', `node-${platform}`);
  const vscode = join(root, 'node_modules', 'code-server', 'lib', 'vscode');
  const env = { PATH: `${join(node, 'bin')}:${process.env.PATH ?? ''}`, npm_config_nodedir: node };
  // The shrinkwrap there pins every version, but `npm ci` refuses it: a peer dependency is missing.
  const quiet = [
    'install',
    '--omit=dev',
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  ];
  step('npm', quiet, { cwd: vscode, env });
  // TypeScript, for the built-in language features.
  step('npm', quiet, { cwd: join(vscode, 'extensions'), env });
  // Without a compiler the two native modules are missing: all works, but no log files are written.
  for (const name of ['@vscode/spdlog', '@vscode/native-watchdog']) {
    step('npm', ['rebuild', '--ignore-scripts=false', name], { cwd: vscode, env, optional: true });
  }
  trim(vscode);
  linkBuiltins(root, vscode);
}

function trim(vscode) {
  for (const name of UNUSED_PACKAGES) {
    rmSync(join(vscode, 'node_modules', name), { recursive: true, force: true });
  }
  for (const name of LEFT_OUT) {
    rmSync(join(vscode, 'extensions', name), { recursive: true, force: true });
  }
  const ripgrep = join(vscode, 'node_modules', '@vscode', 'ripgrep-universal', 'bin');
  for (const name of existsSync(ripgrep) ? readdirSync(ripgrep) : []) {
    if (name !== platform) {
      rmSync(join(ripgrep, name), { recursive: true });
    }
  }
}

function linkBuiltins(root, vscode) {
  const builtins = join(root, 'builtin-extensions');
  mkdirSync(builtins);
  const target = (name) =>
    join('..', 'node_modules', 'code-server', 'lib', 'vscode', 'extensions', name);
  for (const entry of readdirSync(join(vscode, 'extensions'), { withFileTypes: true })) {
    if (entry.isDirectory()) {
      symlinkSync(target(entry.name), join(builtins, entry.name));
    }
  }
}

function step(command, args, { cwd, env = {}, optional = false }) {
  const started = Date.now();
  const result = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  const outcome = result.status === 0 ? 'ok' : `exit ${result.status}`;
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  process.stderr.write(`[harness] ${command} ${args.join(' ')}: ${outcome} in ${seconds} s\n`);
  if (result.status !== 0 && !optional) {
    throw new Error(`${command} ${args.join(' ')} failed\n${result.stdout}\n${result.stderr}`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.stdout.write(`${install().root}\n`);
}
