import { basename, isAbsolute, relative, resolve } from 'node:path';
import type { ContextFolder } from '../app/app-contract';
import type { Team } from './find-team';
import type { Reference } from './references';

interface Wish {
  readonly project: string;
  /** The project was named on the command line. */
  readonly isNamed: boolean;
  /** What the line adds, e.g. paths in the task. */
  readonly further: readonly Reference[];
}

type Nameless = Omit<ContextFolder, 'name'>;

/** What the team file lists, from the project; else the project itself when it was named; and what the line adds. */
export function contextFolders(
  team: Team,
  { project, isNamed, further }: Wish,
): readonly ContextFolder[] {
  const listed = team.contextPaths.map(({ path, permission, protectedPaths }) => ({
    path: resolve(project, path),
    permission,
    protectedPaths,
  }));
  const own = isNamed ? [{ path: project, permission: 'write' as const, protectedPaths: [] }] : [];
  return named(further.reduce<readonly Nameless[]>(added, listed.length > 0 ? listed : own));
}

/** The user's own word counts for the same path; what a folder allows already is not said twice. */
function added(folders: readonly Nameless[], { path, permission }: Reference): readonly Nameless[] {
  const same = folders.find((folder) => folder.path === path);
  if (same !== undefined) {
    return permission === 'write'
      ? folders.map((folder) => (folder === same ? { ...same, permission } : folder))
      : folders;
  }
  const isAllowed = folders.some(
    (folder) =>
      contains(folder.path, path) && (permission === 'read' || folder.permission === 'write'),
  );
  return isAllowed ? folders : [...folders, { path, permission, protectedPaths: [] }];
}

function contains(folder: string, path: string): boolean {
  const inner = relative(folder, path);
  return inner !== '' && !inner.startsWith('..') && !isAbsolute(inner);
}

/** Each with a name of its own, the last step of its path where that is free. */
export function named(folders: readonly Nameless[]): readonly ContextFolder[] {
  const taken = new Set<string>();
  return folders.map((folder) => {
    const name = freeName(basename(folder.path) || 'root', taken);
    taken.add(name);
    return { ...folder, name };
  });
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let n = 2; taken.has(name); n++) {
    name = `${wanted}-${n}`;
  }
  return name;
}
