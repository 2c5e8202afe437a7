import type { BaseLayer } from '../base-layer';
import { isGitConfig, isLeftOutOfGit } from '../command/git-folder';
import type { HiddenRule } from '../hidden-rule';
import { isGitPath } from '../path-rules';
import { joinPath } from '../upper-layer';

/** What in a folder of the user commands must not see as it is. Paths are relative, in no order. */
export interface BaseMarks {
  /** Not there at all; what lies below a hidden folder is not listed. */
  readonly hidden: readonly string[];
  /** Config files of repositories: shown without what leads out or lets somebody in. */
  readonly gitConfigs: readonly string[];
}

interface Look {
  readonly marks: Promise<BaseMarks>;
  readonly at: number;
  tookMs: number;
}

/** Looks again when the last look is older than this, and never spends more than a twentieth of the time on it. */
const freshMs = 2000;
const restFactor = 20;

const looks = new WeakMap<BaseLayer, Look>();

/** Shared by all agents of a run, for they share the base. */
export async function marksOf(
  base: BaseLayer,
  isHidden: HiddenRule,
  signal: AbortSignal,
): Promise<BaseMarks> {
  const now = performance.now();
  const last = looks.get(base);
  if (last !== undefined && now - last.at < Math.max(freshMs, last.tookMs * restFactor)) {
    return last.marks;
  }
  const look: Look = { marks: walk(base, isHidden, signal), at: now, tookMs: 0 };
  looks.set(base, look);
  try {
    return await look.marks;
  } catch (error) {
    looks.delete(base);
    throw error;
  } finally {
    look.tookMs = performance.now() - now;
  }
}

async function walk(
  base: BaseLayer,
  isHidden: HiddenRule,
  signal: AbortSignal,
): Promise<BaseMarks> {
  const hidden: string[] = [];
  const gitConfigs: string[] = [];
  const open = [''];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const { name, kind } of await base.list(at, signal)) {
      const path = joinPath(at, name);
      if (isHidden(path, kind === 'directory') || isLeftOutOfGit(path, kind)) {
        hidden.push(path);
      } else if (kind === 'directory' && !isObjectFolder(path)) {
        open.push(path);
      } else if (kind === 'file' && isGitConfig(path)) {
        gitConfigs.push(path);
      }
    }
  }
  return { hidden, gitConfigs };
}

/** A repository's objects have names of their own making; there is nothing to hide among them. */
function isObjectFolder(path: string): boolean {
  return isGitPath(path) && /(^|\/)(objects|refs|logs)$/.test(path);
}
