import type { HiddenPlaces } from './hidden-places';
import { isBelow } from './hidden-places';

export interface SandboxLink {
  readonly path: string;
  readonly target: string;
}

/** What a confined process sees of the machine. All paths are absolute and real. */
export interface SandboxView {
  /** Seen and written at their own place. */
  readonly writable: readonly string[];
  /** Seen at their own place although something around them is hidden. */
  readonly readable: readonly string[];
  readonly hidden: HiddenPlaces;
  /** Those of the hidden folders that can be written all the same, in memory; absent: only `/tmp`. */
  readonly scratch?: readonly string[];
  /** Made in hidden folders, so that other spellings of what is shown lead there; absent: none. */
  readonly links?: readonly SandboxLink[];
  readonly cwd: string;
  readonly user: { readonly uid: number; readonly gid: number };
  /** Descriptor on which the sandbox tells the id of its first process, and that the command began. */
  readonly statusFd: number;
  /** Whether the program can bound a folder in memory. */
  readonly canBoundMemory: boolean;
}

/** Folders where sockets and other people's temporary files are. */
export const emptiedFolders = ['/tmp', '/run', '/var/tmp', '/var/run'];

const temporaryBytes = 1024 * 1024 * 1024;

const namespaces = [
  ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts'],
  '--unshare-cgroup-try',
];

/**
 * Arguments of bubblewrap. Everything can be read but what is hidden; only `writable` and memory of its own can be
 * written. The order matters: what is shown again lies over what is hidden. No place is mounted on below a folder that an
 * agent can change, for there a link could lead the mount elsewhere.
 */
export function sandboxArguments(view: SandboxView): readonly string[] {
  const shown = [...view.readable, ...view.writable].sort();
  const isInShown = (path: string): boolean => shown.some((folder) => isBelow(path, folder));
  const folders = view.hidden.folders.filter((path) => !isInShown(path) && !shown.includes(path));
  const files = view.hidden.files.filter((path) => !isInShown(path) && !shown.includes(path));
  const scratch = ['/tmp', ...(view.scratch ?? [])];
  const bound = view.canBoundMemory ? ['--size', String(temporaryBytes)] : [];
  return [
    ...namespaces,
    ...['--uid', String(view.user.uid), '--gid', String(view.user.gid)],
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...['--json-status-fd', String(view.statusFd)],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    // Settings of the whole kernel: the system's own administrator may change them without any special right.
    ...['--ro-bind', '/proc/sys', '/proc/sys'],
    ...[...bound, '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...folders.flatMap((path) => [...bound, '--tmpfs', path]),
    ...files.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...shown.flatMap((path) => [view.writable.includes(path) ? '--bind' : '--ro-bind', path, path]),
    ...(view.links ?? []).flatMap(({ path, target }) => ['--symlink', target, path]),
    // Once everything is in its place, the emptied folders themselves hold nothing new.
    ...folders.filter((path) => !scratch.includes(path)).flatMap((path) => ['--remount-ro', path]),
    ...['--chdir', view.cwd],
  ];
}
