import type { WorkspaceRoot } from '../ports/workspace';

/** Where a path of an agent lies by its text alone: relative paths start at the first root. `undefined` outside of all. */
export function placeInRoots(
  roots: readonly WorkspaceRoot[],
  path: string,
): { readonly root: string; readonly path: string } | undefined {
  const first = roots[0]?.shownPath ?? '';
  const absolute = isAbsolute(path) ? normalize(path) : normalize(`${first}/${path}`);
  for (const { name, shownPath } of roots) {
    const root = normalize(shownPath);
    if (absolute === root || absolute.startsWith(`${root}/`)) {
      return { root: name, path: absolute.slice(root.length + 1) };
    }
  }
  return undefined;
}

/** The folders on the way to a path from the outermost on, the path itself included: it may be one. */
export function foldersOf(path: string): readonly string[] {
  const parts = path === '' ? [] : path.split('/');
  return parts.map((_part, i) => parts.slice(0, i + 1).join('/'));
}

function isAbsolute(path: string): boolean {
  return /^([\\/]|[A-Za-z]:[\\/])/.test(path);
}

function normalize(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..') {
      parts.pop();
    } else if (part !== '' && part !== '.') {
      parts.push(part);
    }
  }
  return `/${parts.join('/')}`;
}
