// A project on disk for one test: the sample in a git repository of its own.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

const sample = resolve(import.meta.dirname, '..', '..', '..', 'media', 'sample-project');

export interface Project {
  readonly folder: string;
  /** Hash of each file with its mode, `.git` included, by path. */
  hashes(): Readonly<Record<string, string>>;
  /** What git says of HEAD, branches, stash, configuration and index; a refresh of the index does not change it. */
  gitState(): string;
  /** Exit code of the project's own tests. */
  runTests(): number;
  remove(): void;
}

export function makeProject(): Project {
  const parent = mkdtempSync(join(tmpdir(), 'mge2e-'));
  const folder = join(parent, 'duration');
  cpSync(sample, folder, { recursive: true });
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', env: gitEnvironment });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'Start');
  return {
    folder,
    hashes: () => hashTree(folder),
    gitState: () =>
      [
        git('rev-parse', 'HEAD'),
        git('for-each-ref'),
        git('stash', 'list'),
        git('ls-files', '-s'),
        readFileSync(join(folder, '.git', 'config'), 'utf8'),
      ].join('\n'),
    runTests: () => spawnSync(process.execPath, ['--test'], { cwd: folder }).status ?? -1,
    remove: () => rmSync(parent, { recursive: true, force: true }),
  };
}

const gitEnvironment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.invalid',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.invalid',
};

function hashTree(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (folder: string): void => {
    for (const name of readdirSync(folder).sort()) {
      const path = join(folder, name);
      const stat = lstatSync(path);
      if (stat.isDirectory()) {
        visit(path);
      } else {
        const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
        found[relative(root, path)] = `${hash} ${(stat.mode & 0o777).toString(8)}`;
      }
    }
  };
  visit(root);
  return found;
}
