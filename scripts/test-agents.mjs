// npm run test:agents: real agent programs of other makers, each with a model on this machine. They are large, so they are
// installed by this command alone, from their own packages.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bootstrap, say } from './bootstrap.mjs';

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'test/agents');
const stamp = join(folder, 'node_modules/.installed');

bootstrap();
process.exit(install() ? run('npx', ['vitest', 'run', '--project', 'agents'], root) : 1);

function install() {
  const lock = readFileSync(join(folder, 'package-lock.json'));
  const wanted = createHash('sha256').update(lock).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) {
    return true;
  }
  say('Installing the agent programs (about 900 MB).');
  // Some of them choose their own program for this machine when they are installed.
  const scripts = ['rebuild', '@anthropic-ai/claude-code', '--ignore-scripts=false'];
  const isInstalled =
    run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], folder) === 0 &&
    run('npm', scripts, folder) === 0;
  if (isInstalled) {
    writeFileSync(stamp, wanted);
  }
  return isInstalled;
}

function run(program, args, cwd) {
  return spawnSync(program, args, { cwd, stdio: 'inherit' }).status ?? 1;
}
