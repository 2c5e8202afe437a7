// The Debian packages that the tests use, each with the reason. The one table of its kind.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const DEBIAN_PACKAGES = [
  {
    name: 'chromium',
    command: 'chromium',
    reason: 'the browser that shows the panel and the real VS Code in the tests',
  },
  {
    name: 'bubblewrap',
    command: 'bwrap',
    reason:
      'confines commands of agents; without it those tests are left out, with the reason in their names',
  },
];

export function isOnPath(command) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function missingPackages() {
  return DEBIAN_PACKAGES.filter(({ command }) => !isOnPath(command));
}

/**
 * Installs what is missing when that is possible without asking (root, and apt-get is there),
 * otherwise says in one line what to install. Returns the packages that are still missing.
 */
export function ensureDebianPackages(say) {
  const missing = missingPackages();
  if (missing.length === 0) {
    return [];
  }
  const names = missing.map(({ name }) => name);
  if (process.getuid?.() === 0 && isOnPath('apt-get')) {
    say(`installing ${names.join(', ')} with apt-get`);
    aptGet(['update', '-qq'], say);
    aptGet(['install', '-y', '-qq', '--no-install-recommends', ...names], say);
  }
  const still = missingPackages();
  if (still.length > 0) {
    const list = still.map(({ name, reason }) => `${name} (${reason})`).join('; ');
    say(`missing, the tests that need them are skipped; please install: ${list}`);
  }
  return still;
}

function aptGet(args, say) {
  const result = spawnSync('apt-get', args, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  if (result.status !== 0) {
    say(`apt-get ${args.join(' ')} failed:\n${result.stderr}`);
  }
}
