// Places of a machine that nothing an agent runs may see: credentials in the user's home, sockets, the store of runs.
import type { Dirent } from 'node:fs';
import { lstat, readFile, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isSecretPath } from '../path-rules';

/** Real paths that exist. */
export interface HiddenPlaces {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/** Names at the top of a home; a `*` stands for any end of the name. */
const homeNames = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.gcloud', '.oci', '.terraform.d'],
  ...['.claude*', '.codex', '.gemini', '.massgen', '.copilot', '.cursor*', '.windsurf*'],
  ...['.vscode*', '.mozilla', '.thunderbird', '.password-store', '.gem', '.git-credentials'],
  ...['.netrc', '.npmrc', '.yarnrc*', '.pypirc', '.pgpass', '.my.cnf', '.env*', '.viminfo'],
  ...['.lesshst', '.zsh_sessions', '.wget-hsts', '.Xauthority', '.ICEauthority'],
];

/** Names of shells' and interpreters' histories. */
const historyName = /^\..*(history|hist)$/;

/** Further down in a home: a folder, and the names in it. */
const deeperNames: readonly (readonly [string, readonly string[]])[] = [
  [
    '.config',
    [
      ...['gcloud', 'gh', 'Code*', 'VSCodium*', 'Cursor*', 'Windsurf*', 'code-server', 'op'],
      ...['google-chrome*', 'chromium*', 'microsoft-edge*', 'BraveSoftware', 'rclone', 'hub'],
      ...['github-copilot', 'massgen', 'doctl', 'containers'],
    ],
  ],
  ['.config/git', ['credentials']],
  ['.local/share', ['keyrings', 'code-server', 'kwalletd', 'massgen']],
  ['.local/state', ['massgen']],
  ['.cache', ['mozilla', 'google-chrome*', 'chromium*']],
  ['.cargo', ['credentials*']],
  ['.m2', ['settings*.xml']],
  ['.gradle', ['gradle.properties']],
  ['.composer', ['auth.json']],
  ['Library', ['Keychains', 'Cookies']],
  ['Library/Application Support', ['Code*', 'VSCodium*', 'Cursor*', 'Google', 'Firefox']],
];

/** What is hidden below these homes; nothing below a home that cannot be read. */
export async function secretsOfHomes(homes: readonly string[]): Promise<HiddenPlaces> {
  const found: string[] = [];
  for (const home of new Set(homes)) {
    for (const { name } of await entriesOf(home)) {
      const isHidden =
        homeNames.some((pattern) => matches(name, pattern)) ||
        historyName.test(name) ||
        isSecretPath(name);
      found.push(...(isHidden ? [join(home, name)] : []));
    }
    for (const [folder, patterns] of deeperNames) {
      const names = (await entriesOf(join(home, folder))).map(({ name }) => name);
      const hidden = names.filter((name) => patterns.some((pattern) => matches(name, pattern)));
      found.push(...hidden.map((name) => join(home, folder, name)));
    }
  }
  return sortedByKind(found);
}

/** Sockets that a name in the file system leads to; a namespace of its own keeps nobody from connecting to those. */
export async function socketsWithNames(): Promise<readonly string[]> {
  const table = await readFile('/proc/net/unix', 'utf8').catch(() => '');
  const names = table.split('\n').flatMap((line) => {
    const name = /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1];
    return name === undefined ? [] : [name];
  });
  const { files } = await sortedByKind([...new Set(names)]);
  return files;
}

/** Follows links, drops what does not exist and what is already covered by a hidden folder. */
export async function sortedByKind(paths: readonly string[]): Promise<HiddenPlaces> {
  const folders = new Set<string>();
  const files = new Set<string>();
  for (const path of paths) {
    const real = await realpath(path).catch(() => undefined);
    const stat = real === undefined ? undefined : await lstat(real).catch(() => undefined);
    if (real !== undefined && stat !== undefined) {
      (stat.isDirectory() ? folders : files).add(real);
    }
  }
  const all = [...folders];
  const isCovered = (path: string): boolean => all.some((folder) => isBelow(path, folder));
  return {
    folders: all.filter((path) => !isCovered(path)),
    files: [...files].filter((path) => !isCovered(path)),
  };
}

/** Config files of repositories around a folder, which may hold credentials in addresses. */
export async function gitConfigsAbove(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (let at = dirname(folder); at !== dirname(at); at = dirname(at)) {
    found.push(join(at, '.git', 'config'));
  }
  return (await sortedByKind(found)).files;
}

/** Whether `path` lies below `folder`; by whole segments, and not the folder itself. */
export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith('/') ? folder : `${folder}/`) && path !== folder;
}

function matches(name: string, pattern: string): boolean {
  const [start = '', end] = pattern.split('*');
  return end === undefined
    ? name === pattern
    : name.startsWith(start) && name.endsWith(end) && name.length >= start.length + end.length;
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
