// Makes a fresh clone ready: packages, then the build. Uses nothing but Node's built-ins, needs no
// terminal and no input, and several may run at once. Whatever is ready already is left alone.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withLock } from './lock.mjs';
import { isFresh } from './stale.mjs';

const root = resolve(import.meta.dirname, '..');
const OLDEST_NODE = [20, 20];

/** Progress goes to stderr: stdout belongs to the command that was asked for. */
export function say(text) {
  process.stderr.write(`[massgen] ${text}\n`);
}

/**
 * After this, node_modules matches the lock file, and dist/ the sources unless `build` is false
 * (`production`: as a production build). Ends the process with exit code 1 when a step fails.
 */
export function bootstrap({ build = true, production = false } = {}) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    fail(`Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}.`);
  }
  withLock(join(root, '.cache', 'bootstrap.lock'), () => {
    if (!isInstalled()) {
      say('installing packages (npm ci)');
      run(
        npmCommand([
          'ci',
          '--include=dev',
          '--ignore-scripts',
          '--no-audit',
          '--no-fund',
          '--loglevel=error',
        ]),
      );
    }
    if (build && !isFresh({ production })) {
      say('building');
      run([process.execPath, 'esbuild.mjs', ...(production ? ['--production'] : [])]);
    }
  });
}

/** True when npm's own record of node_modules has every required package of the lock file. */
function isInstalled() {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) {
    return false;
  }
  const present = JSON.parse(readFileSync(record, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === '' || optional === true || present[path]?.version === version,
  );
}

/** The npm that runs this script, if one does; a shell finds another one by name. */
function npmCommand(args) {
  const npm = process.env.npm_execpath;
  return npm?.endsWith('.js') ? [process.execPath, npm, ...args] : ['npm', ...args];
}

function run([command, ...args]) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: command === 'npm' && process.platform === 'win32',
    encoding: 'utf8',
  });
  if (result.status !== 0) {
    fail(`${command} ${args.join(' ')} failed.\n${result.stdout ?? ''}${result.error ?? ''}`);
  }
}

function fail(text) {
  say(text);
  process.exit(1);
}
