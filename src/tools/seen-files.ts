import type { ToolContext } from '../core/ports/tool';

type Seen = Pick<ToolContext, 'workspace' | 'seenPaths'>;

/** Remembers that the agent knows the content of a file: it has read or written it in this turn. */
export function markSeen({ workspace, seenPaths }: Seen, path: string): void {
  seenPaths.add(fullPath(workspace, path));
}

export function wasSeen({ workspace, seenPaths }: Seen, path: string): boolean {
  return seenPaths.has(fullPath(workspace, path));
}

/** The path below the root it lies in, with `/`; empty outside of all roots. */
export function pathInRoot(workspace: Seen['workspace'], path: string): string {
  const full = fullPath(workspace, path);
  const inside = workspace.roots
    .map(({ shownPath }) => fullPath(workspace, shownPath))
    .find((root) => full.startsWith(`${root}/`));
  return inside === undefined ? '' : full.slice(inside.length + 1);
}

/** One spelling per path: absolute from the first root, without `.` and `..`. */
function fullPath(workspace: Seen['workspace'], path: string): string {
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
