import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

export interface GitHead {
  readonly commit: string;
  /** `null` when no branch is checked out. */
  readonly branch: string | null;
}

/** The commit that a folder stands on, read from git's own files; nothing is run there. `null` outside of a repository. */
export function gitHead(folder: string): GitHead | null {
  const gitDir = findGitDir(folder);
  const head = gitDir === undefined ? undefined : read(join(gitDir, 'HEAD'));
  if (gitDir === undefined || head === undefined) {
    return null;
  }
  const ref = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1];
  if (ref === undefined) {
    return isCommit(head) ? { commit: head, branch: null } : null;
  }
  const shared = sharedDir(gitDir);
  const commit = read(join(gitDir, ref)) ?? read(join(shared, ref)) ?? packed(shared, ref);
  return commit !== undefined && isCommit(commit)
    ? { commit, branch: ref.replace(/^refs\/heads\//, '') }
    : null;
}

function findGitDir(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (read(join(at, '.git', 'HEAD')) !== undefined) {
      return join(at, '.git');
    }
    const linked = /^gitdir: (.+)$/.exec(read(join(at, '.git')) ?? '')?.[1];
    if (linked !== undefined) {
      return isAbsolute(linked) ? linked : join(at, linked);
    }
    if (dirname(at) === at) {
      return undefined;
    }
  }
}

/** Linked worktrees keep their branches in the repository that they belong to. */
function sharedDir(gitDir: string): string {
  const common = read(join(gitDir, 'commondir')) ?? '.';
  return isAbsolute(common) ? common : join(gitDir, common);
}

function packed(gitDir: string, ref: string): string | undefined {
  const lines = (read(join(gitDir, 'packed-refs')) ?? '').split('\n');
  return lines.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0];
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function isCommit(text: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(text);
}
