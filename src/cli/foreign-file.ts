import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';

interface ProjectPlace {
  /** Absolute. */
  readonly project: string;
  readonly home: string;
}

/**
 * Whether a file comes with a project, so that anybody may have written it: it lies inside the project or inside the
 * repository around it, by its own path or, where links lead elsewhere, by the place that they lead to.
 */
export async function comesWithProject(file: string, place: ProjectPlace): Promise<boolean> {
  const roots = [place.project, ...(await repositoryAround(place))];
  const folders = await withRealPaths(roots);
  const files = await withRealPaths([file]);
  return files.some((path) => folders.some((folder) => contains(folder, path)));
}

/** Whether a file is in a folder, whatever links lead there. */
export async function isReallyInside(file: string, folder: string): Promise<boolean> {
  const [path, outer] = await Promise.all([realPathOf(file), realPathOf(folder)]);
  return path !== undefined && outer !== undefined && contains(outer, path);
}

/** A home that is kept in a repository makes its projects and settings no part of one another. */
async function repositoryAround({ project, home }: ProjectPlace): Promise<readonly string[]> {
  for (let folder = project; ; folder = dirname(folder)) {
    if (folder === home || contains(folder, home)) {
      return [];
    }
    if (await isThere(join(folder, '.git'))) {
      return [folder];
    }
    if (dirname(folder) === folder) {
      return [];
    }
  }
}

async function withRealPaths(paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map(realPathOf));
  return [...paths, ...real.filter((path) => path !== undefined)];
}

async function realPathOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function contains(folder: string, path: string): boolean {
  const inner = relative(folder, path);
  return inner !== '' && !inner.startsWith('..') && !isAbsolute(inner);
}
