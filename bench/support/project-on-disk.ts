// Projects of given sizes for measurements: a hundred files per package, in a repository with one commit. Each is made
// once per process and removed at its end.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Logger } from '../../src/core/ports/logger';

export const silentLogger: Logger = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** A new folder that is removed at the end of the process at the latest. */
export function benchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'massgen-bench-workspaces-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const made = new Map<number, string>();

export function projectOf(files: number): string {
  let folder = made.get(files);
  if (folder === undefined) {
    folder = benchFolder();
    fill(folder, files);
    made.set(files, folder);
  }
  return folder;
}

const changedCount = 20;
/** About 6 KB, as source files often have. */
const linesPerFile = 200;

/** Path → bytes of what an agent makes of twenty files. */
export function changedFiles(files: number, mark: string): ReadonlyMap<string, Uint8Array> {
  const step = files / changedCount;
  return new Map(
    Array.from({ length: changedCount }, (_no, n) => [
      pathOf(n * step),
      Buffer.from(textOf(n * step).replace('line 20 ', `line 20, ${mark}, `)),
    ]),
  );
}

function fill(folder: string, files: number): void {
  for (let n = 0; n < files; n++) {
    const path = join(folder, pathOf(n));
    if (n % 10 === 0) {
      mkdirSync(dirname(path), { recursive: true });
    }
    writeFileSync(path, textOf(n));
  }
  const git = (...args: string[]): void => {
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'gc.auto=0'];
    execFileSync('git', [...who, ...args], { cwd: folder, stdio: 'ignore' });
  };
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
}

function pathOf(n: number): string {
  return `packages/p${Math.floor(n / 100)}/src/d${Math.floor(n / 10) % 10}/file${n}.ts`;
}

function textOf(n: number): string {
  return Array.from(
    { length: linesPerFile },
    (_no, line) => `// file ${n}, line ${line} of it\n`,
  ).join('');
}
