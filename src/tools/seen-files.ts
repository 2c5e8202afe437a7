import type { AgentWorkspace } from '../core/ports/workspace';

const seen = new WeakMap<AgentWorkspace, Set<string>>();

/** Remembers that the agent knows the content of a file: it has read or written it in this run. */
export function markSeen(workspace: AgentWorkspace, path: string): void {
  const paths = seen.get(workspace) ?? new Set();
  paths.add(fullPath(workspace, path));
  seen.set(workspace, paths);
}

export function wasSeen(workspace: AgentWorkspace, path: string): boolean {
  return seen.get(workspace)?.has(fullPath(workspace, path)) ?? false;
}

/** One spelling per path: absolute from the first root, without `.` and `..`. */
function fullPath(workspace: AgentWorkspace, path: string): string {
  const slashes = path.replaceAll('\\', '/');
  const isAbsolute = slashes.startsWith('/') || /^[A-Za-z]:\//.test(slashes);
  const first = (workspace.roots[0]?.shownPath ?? '').replaceAll('\\', '/');
  const parts: string[] = [];
  for (const part of (isAbsolute ? slashes : `${first}/${slashes}`).split('/')) {
    if (part === '..') {
      parts.pop();
    } else if (part !== '' && part !== '.') {
      parts.push(part);
    }
  }
  return parts.join('/');
}
