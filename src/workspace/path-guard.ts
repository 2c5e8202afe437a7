// The one place where a path written by an agent becomes a place in a root. Text first, then links through the agent's
// own view, and every step is compared by whole segments.
import { MassGenError } from '../core/errors';
import type { FileStat } from '../core/ports/workspace';
import type { LayeredRoot } from './layered-root';
import { isGitPath } from './path-rules';
import { joinPath } from './upper-layer';

/** A root with the absolute places that mean it. */
export interface GuardedRoot {
  readonly root: LayeredRoot;
  /** As the system writes it. */
  readonly shownPath: string;
  /** The shown path first, in the form of `toPlace`; further spellings of the same root, e.g. the user's own folder, follow. */
  readonly places: readonly string[];
}

export interface Place {
  readonly guarded: GuardedRoot;
  readonly root: LayeredRoot;
  /** Relative to the root with `/`; `''` is the root itself. */
  readonly path: string;
  /** `undefined`: nothing is there (its parents may be missing too). */
  readonly stat: FileStat | undefined;
}

const linkLimit = 40;
/** Longer ones exist, but not for tools that have to put something in front of them. */
const longestPath = 2000;
/** Each folder on the way is held open. */
const deepestPath = 100;
const longestNameBytes = 255;

/** An absolute path of this machine in the form compared here: slashes, a drive as the first segment. */
export function toPlace(path: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32') {
    return path;
  }
  const slashes = path.replaceAll('\\', '/');
  return /^[A-Za-z]:\//.test(slashes)
    ? `/${slashes.charAt(0).toUpperCase()}${slashes.slice(1)}`
    : slashes;
}

/**
 * Where a path leads when its text is taken at its word, without looking at any file. Throws `workspace/path-escape`.
 * Relative paths start at the first root.
 */
export function locate(
  roots: readonly GuardedRoot[],
  path: string,
): { readonly guarded: GuardedRoot; readonly path: string } {
  const refuse = (why: string): MassGenError =>
    new MassGenError('workspace/path-escape', `${shorten(path)} is not usable: ${why}.`, {
      hint: `Use a path inside ${roots
        .filter(({ root }) => root.kind !== 'peers')
        .map(({ shownPath }) => shownPath)
        .join(' or ')}.`,
    });
  if (path.includes('\0')) {
    throw refuse('it contains a NUL character');
  }
  if (isTooLong(path)) {
    throw refuse('it is too long');
  }
  const written = toPlace(path);
  if (/^[A-Za-z]:|^\/\/|^\\/.test(written)) {
    throw refuse('drives and network shares cannot be reached');
  }
  const first = roots[0]?.places[0] ?? '/';
  const found = findRoot(
    roots,
    normalize(written.startsWith('/') ? written : `${first}/${written}`),
  );
  if (found === undefined) {
    throw refuse('it leads out of the folders of this task');
  }
  return found;
}

/**
 * Where a path really leads for the agent: links are resolved through its own view, the last segment too unless
 * `keepLastLink`. Throws `workspace/path-escape` for anything outside or hidden.
 */
export async function resolvePath(
  roots: readonly GuardedRoot[],
  path: string,
  options: { readonly keepLastLink: boolean },
  signal: AbortSignal,
): Promise<Place> {
  let { guarded, path: rest } = locate(roots, path);
  for (let links = 0; ;) {
    const step = await walk(guarded.root, rest, options.keepLastLink, signal);
    if (step.link === undefined) {
      return { guarded, root: guarded.root, path: step.path, stat: step.stat };
    }
    links += 1;
    const target = linkTarget(guarded, step.folder, step.link);
    const next = target === undefined ? undefined : findRoot(roots, target);
    if (next === undefined || links > linkLimit) {
      throw new MassGenError(
        'workspace/path-escape',
        `${shorten(path)} passes through the link ${step.path}, which leads to ${shorten(step.link)}, outside the folders of this task.`,
      );
    }
    guarded = next.guarded;
    rest = step.rest === '' ? next.path : joinPath(next.path, step.rest);
  }
}

/** Refuses writes into read-only roots, protected paths and below any `.git`. Throws `workspace/read-only`. */
export function checkWritable(place: Place): void {
  if (!place.root.canWrite) {
    throw new MassGenError('workspace/read-only', `${place.root.name} can only be read.`, {
      hint: 'Leave its files as they are.',
    });
  }
  if (place.root.isProtected(place.path)) {
    throw new MassGenError(
      'workspace/read-only',
      `${place.path} is protected: it can only be read.`,
      {
        hint: 'Leave it as it is.',
      },
    );
  }
  if (isGitPath(place.path)) {
    throw new MassGenError('workspace/read-only', 'Files below .git cannot be changed.');
  }
  if (place.path === '') {
    throw new MassGenError('workspace/read-only', 'The folder itself cannot be replaced.');
  }
}

interface Step {
  readonly path: string;
  readonly folder: string;
  readonly stat: FileStat | undefined;
  readonly link: string | undefined;
  readonly rest: string;
}

/** Goes down segment by segment until the path ends or a link is met. */
async function walk(
  root: LayeredRoot,
  path: string,
  keepLastLink: boolean,
  signal: AbortSignal,
): Promise<Step> {
  const segments = path === '' ? [] : path.split('/');
  let folder = '';
  let at = '';
  let stat = await root.stat('', signal);
  for (const [index, segment] of segments.entries()) {
    if (stat !== undefined && stat.kind !== 'directory') {
      throw new MassGenError('workspace/not-found', `${at} is not a folder.`);
    }
    folder = at;
    at = joinPath(at, stat === undefined ? segment : await root.nameIn(at, segment, signal));
    stat = stat === undefined ? undefined : await root.stat(at, signal);
    checkVisible(root, at, stat);
    const rest = segments.slice(index + 1).join('/');
    if (stat?.kind === 'link' && (rest !== '' || !keepLastLink)) {
      return { path: at, folder, stat, link: (await root.readLink(at, signal)) ?? '', rest };
    }
  }
  return { path: at, folder, stat, link: undefined, rest: '' };
}

function checkVisible(root: LayeredRoot, path: string, stat: FileStat | undefined): void {
  if (root.isHidden(path, stat?.kind === 'directory')) {
    throw new MassGenError('workspace/path-escape', `${path} is hidden from agents.`, {
      hint: 'It may hold secrets, or the project keeps it back; go on without it.',
    });
  }
}

/** Absolute form of a link's target in the spelling of the root's first place. */
function linkTarget(guarded: GuardedRoot, folder: string, target: string): string | undefined {
  if (target === '' || target.includes('\0') || /^[A-Za-z]:|^\\/.test(target)) {
    return undefined;
  }
  if (target.startsWith('/')) {
    return normalize(target);
  }
  // A relative target must not climb out of its root, wherever the root happens to stand.
  const inside = `${folder}/${target}`;
  return climbsOut(inside) ? undefined : normalize(`${guarded.places[0] ?? ''}/${inside}`);
}

/** Without `.`, `..` and doubled slashes. `..` stops at the top, as it does for the system. */
function normalize(absolute: string): string {
  const parts: string[] = [];
  for (const part of absolute.split('/')) {
    if (part === '..') {
      parts.pop();
    } else if (part !== '' && part !== '.') {
      parts.push(part);
    }
  }
  return `/${parts.join('/')}`;
}

function climbsOut(relative: string): boolean {
  let depth = 0;
  return relative.split('/').some((part) => {
    depth += part === '..' ? -1 : part === '' || part === '.' ? 0 : 1;
    return depth < 0;
  });
}

function findRoot(
  roots: readonly GuardedRoot[],
  absolute: string,
): { readonly guarded: GuardedRoot; readonly path: string } | undefined {
  let best: { guarded: GuardedRoot; path: string; length: number } | undefined;
  for (const guarded of roots) {
    for (const place of guarded.places) {
      const isInside = absolute === place || absolute.startsWith(`${place}/`);
      if (isInside && place.length > (best?.length ?? -1)) {
        best = { guarded, path: absolute.slice(place.length + 1), length: place.length };
      }
    }
  }
  return best;
}

/** Longer than what an agent may name, and than what every system could write. */
export function isTooLong(path: string): boolean {
  const names = path.split(/[\\/]/);
  return path.length > longestPath || names.length > deepestPath || names.some(isLongName);
}

function isLongName(name: string): boolean {
  return new TextEncoder().encode(name).length > longestNameBytes;
}

function shorten(text: string): string {
  const visible = JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
  return visible.slice(1, -1);
}
