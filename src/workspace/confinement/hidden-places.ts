// Places of a machine that nothing an agent runs may see: credentials in the user's home, sockets, the store of runs.
import type { Dirent } from 'node:fs';
import { lstat, readFile, readdir, readlink, realpath } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { isSecretOfHome, secretFoldersOfHome } from '../home-secrets';

/** Real paths that exist. */
export interface HiddenPlaces {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/** What is hidden below these homes; nothing below a home that cannot be read. */
export async function secretsOfHomes(homes: readonly string[]): Promise<HiddenPlaces> {
  const found: string[] = [];
  for (const home of new Set(homes)) {
    for (const folder of ['', ...secretFoldersOfHome]) {
      const names = (await entriesOf(join(home, folder))).map(({ name }) => name);
      const hidden = names.filter((name) =>
        isSecretOfHome(folder === '' ? name : `${folder}/${name}`),
      );
      found.push(...hidden.map((name) => join(home, folder, name)));
    }
  }
  return sortedByKind(found);
}

/** Places of the system, and of other people's homes, that only its administrator can read. */
export async function secretsOfSystem(): Promise<HiddenPlaces> {
  if (process.getuid?.() !== 0) {
    return { folders: [], files: [] };
  }
  const homes = (await entriesOf('/home')).map(({ name }) => join('/home', name));
  const keys = (await entriesOf('/etc/ssh'))
    .filter(({ name }) => /^ssh_host_.*_key$/.test(name))
    .map(({ name }) => join('/etc/ssh', name));
  const { folders, files } = await secretsOfHomes(['/root', ...homes]);
  return sortedByKind([...systemPlaces, ...keys, ...folders, ...files]);
}

const systemPlaces = [
  ...['shadow', 'shadow-', 'gshadow', 'gshadow-', 'sudoers', 'sudoers.d', 'krb5.keytab'],
  ...['ssl/private', 'kubernetes', 'NetworkManager/system-connections', 'wireguard'],
]
  .map((name) => `/etc/${name}`)
  .concat(['/var/lib/docker', '/var/lib/containerd', '/var/lib/kubelet', '/var/lib/private']);

/** Variables that say where credentials are when they are not in their ordinary place; some hold a list of paths. */
const variables = [
  ...['GNUPGHOME', 'AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE', 'AWS_WEB_IDENTITY_TOKEN_FILE'],
  ...['AZURE_CONFIG_DIR', 'AZURE_FEDERATED_TOKEN_FILE', 'CLOUDSDK_CONFIG', 'KUBECONFIG'],
  ...['GOOGLE_APPLICATION_CREDENTIALS', 'DOCKER_CONFIG', 'GH_CONFIG_DIR', 'GLAB_CONFIG_DIR'],
  ...['NETRC', 'NPM_CONFIG_USERCONFIG', 'npm_config_userconfig', 'PIP_CONFIG_FILE', 'PGPASSFILE'],
  ...['CODEX_HOME', 'CLAUDE_CONFIG_DIR', 'XAUTHORITY', 'HISTFILE', 'CREDENTIALS_DIRECTORY'],
];

/** Existing places that an environment names as those of credentials. */
export async function secretsNamedBy(environment: NodeJS.ProcessEnv): Promise<HiddenPlaces> {
  const named = variables
    .flatMap((variable) => environment[variable]?.split(delimiter) ?? [])
    .filter((path) => isAbsolute(path) && dirname(path) !== '/' && path !== '/');
  const { folders, files } = await sortedByKind(named);
  return { folders: folders.filter((folder) => dirname(folder) !== '/' && folder !== '/'), files };
}

/** Sockets that a name in the file system leads to; a namespace of its own keeps nobody from connecting to those. */
export async function socketsWithNames(): Promise<readonly string[]> {
  const table = await readFile('/proc/net/unix', 'utf8').catch(() => '');
  const names = table.split('\n').flatMap((line) => {
    const name = /^(?:\S+\s+){7}([^@].*)$/.exec(line)?.[1];
    return name === undefined ? [] : [name];
  });
  const relative = names.filter((name) => !isAbsolute(name));
  const absolute = names.filter((name) => isAbsolute(name));
  const { files } = await sortedByKind([
    ...new Set([...absolute, ...(await inFoldersOfProcesses(relative))]),
  ]);
  return files;
}

/** A name that starts nowhere starts at the folder in which its process worked; most of them still do. */
async function inFoldersOfProcesses(names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) {
    return [];
  }
  const folders = new Set<string>();
  for (const { name } of await entriesOf('/proc')) {
    const folder = /^\d+$/.test(name)
      ? await readlink(`/proc/${name}/cwd`).catch(() => undefined)
      : undefined;
    if (folder !== undefined) {
      folders.add(folder);
    }
  }
  return [...folders].flatMap((folder) => names.map((name) => join(folder, name)));
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

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
