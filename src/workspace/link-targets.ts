import { parentOf } from './upper-layer';

/** Two absolute spellings of one root: in the user's folder, and where one agent's commands see it. */
export interface RootPlaces {
  readonly userFolder: string | undefined;
  readonly shown: string;
}

/** Whether a link at `path` of a root stays inside it, told from the text of its target alone. */
export function staysInside(path: string, target: string, userFolder: string | undefined): boolean {
  if (target.startsWith('/')) {
    return userFolder !== undefined && stripPrefix(target, userFolder) !== undefined;
  }
  if (target === '' || /^[A-Za-z]:|\\/.test(target)) {
    return false;
  }
  let depth = parentOf(path) === '' ? 0 : parentOf(path).split('/').length;
  return target.split('/').every((part) => {
    depth += part === '..' ? -1 : part === '' || part === '.' ? 0 : 1;
    return depth >= 0;
  });
}

/** The target that means the same for commands; `undefined` when it leads out, so that no copy of the link is made. */
export function toShownTarget(
  path: string,
  target: string,
  roots: readonly RootPlaces[],
): string | undefined {
  if (!target.startsWith('/')) {
    return staysInside(path, target, undefined) ? target : undefined;
  }
  for (const { userFolder, shown } of roots) {
    const rest = userFolder === undefined ? undefined : stripPrefix(target, userFolder);
    if (rest !== undefined) {
      return shown + rest;
    }
  }
  return undefined;
}

/** The target that means the same in the user's folder. */
export function toUserTarget(target: string, roots: readonly RootPlaces[]): string {
  for (const { userFolder, shown } of roots) {
    const rest = stripPrefix(target, shown);
    if (userFolder !== undefined && rest !== undefined) {
      return userFolder + rest;
    }
  }
  return target;
}

/** What follows a folder in an absolute path, with its leading slash; compared by whole segments. */
function stripPrefix(path: string, folder: string): string | undefined {
  if (path === folder) {
    return '';
  }
  const rest = path.startsWith(`${folder}/`) ? path.slice(folder.length) : undefined;
  return rest?.split('/').includes('..') === true ? undefined : rest;
}
