// A project on disk for one test: the sample in a git repository of its own.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { expect } from 'vitest';

const sample = resolve(import.meta.dirname, '..', '..', '..', 'media', 'sample-project');

export type Hashes = Readonly<Record<string, string>>;

/** Content by path. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

export interface Project {
  readonly folder: string;
  /** A file's bytes now. */
  bytes(path: string): Buffer;
  /** A file's text now. */
  text(path: string): string;
  git(...args: readonly string[]): string;
  /** Hash of each file with its mode, `.git` included, by path. */
  hashes(): Hashes;
  /** What git says of HEAD, branches, stash, configuration and index; a refresh of the index does not change it. */
  gitState(): string;
  /** Exit code of the project's own tests. */
  runTests(): number;
  remove(): void;
}

/** `files` are committed along with those of the sample. */
export function makeProject(files: Files = {}): Project {
  const parent = mkdtempSync(join(tmpdir(), 'mge2e-'));
  const folder = join(parent, 'duration');
  cpSync(sample, folder, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', env: gitEnvironment });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'Start');
  return {
    folder,
    bytes: (path) => readFileSync(join(folder, path)),
    text: (path) => readFileSync(join(folder, path), 'utf8'),
    git,
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

/**
 * Waits until exactly these files differ from what they were. A file that is being replaced has a second name for a
 * moment, and several are replaced one after the other.
 */
export async function untilChanged(
  project: Project,
  before: Hashes,
  expected: readonly string[],
): Promise<void> {
  const changed = (): readonly string[] => {
    const now = project.hashes();
    const paths = new Set([...Object.keys(before), ...Object.keys(now)]);
    return [...paths].filter((path) => before[path] !== now[path]).sort();
  };
  await expect.poll(changed, { timeout: 60_000 }).toEqual([...expected].sort());
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
  const visit = (path: string): void => {
    const stat = lstatSync(path);
    if (stat.isDirectory()) {
      for (const name of readdirSync(path).sort()) {
        ifThere(() => visit(join(path, name)));
      }
    } else {
      const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
      found[relative(root, path)] = `${hash} ${(stat.mode & 0o777).toString(8)}`;
    }
  };
  visit(root);
  return found;
}

/** A file that is being replaced has a second name for a moment, which may be gone when it is looked at. */
function ifThere(look: () => void): void {
  try {
    look();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
      throw error;
    }
  }
}
