// Where in a home credentials are kept, what shells remember, and other programs' own data.
import { realpath } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { relative, sep } from 'node:path';
import { isSecretPath } from './path-rules';

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

/** As the environment says, and as the system does. */
export function homesOfUser(): readonly string[] {
  try {
    return [homedir(), userInfo().homedir];
  } catch {
    // The system does not know everybody, in some containers.
    return [homedir()];
  }
}

/** Folders further down in a home that hold some of those names. */
export const secretFoldersOfHome: readonly string[] = deeperNames.map(([folder]) => folder);

/** Whether a path (relative to a home, `/`) is such a place or lies below one. */
export function isSecretOfHome(path: string): boolean {
  const top = path.split('/')[0] ?? '';
  if (
    homeNames.some((pattern) => matches(top, pattern)) ||
    historyName.test(top) ||
    isSecretPath(top)
  ) {
    return true;
  }
  return deeperNames.some(([folder, patterns]) => {
    const name = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0] : '';
    return patterns.some((pattern) => matches(name ?? '', pattern));
  });
}

/**
 * Which paths of a folder are such places of some home: the folder may hold a home, be one or lie in one. A folder that is
 * such a place itself was chosen for what is in it.
 */
export async function secretsOfHomesIn(
  folder: string,
  homes: readonly string[],
): Promise<(path: string) => boolean> {
  const rules: ((path: string) => boolean)[] = [];
  for (const home of new Set(homes)) {
    const real = await realpath(home).catch(() => home);
    const down = relative(real, folder).split(sep).join('/');
    const up = relative(folder, real).split(sep).join('/');
    if (!down.startsWith('..')) {
      const prefix = down === '' ? '' : `${down}/`;
      if (down === '' || !isSecretOfHome(down)) {
        rules.push((path) => path !== '' && isSecretOfHome(`${prefix}${path}`));
      }
    } else if (!up.startsWith('..')) {
      rules.push((path) => path.startsWith(`${up}/`) && isSecretOfHome(path.slice(up.length + 1)));
    }
  }
  return (path) => rules.some((rule) => rule(path));
}

function matches(name: string, pattern: string): boolean {
  const [start = '', end] = pattern.split('*');
  return end === undefined
    ? name === pattern
    : name.startsWith(start) && name.endsWith(end) && name.length >= start.length + end.length;
}
