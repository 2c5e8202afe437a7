import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';

/** Absolute paths of the programs that confinement is made of. */
export interface LinuxPrograms {
  readonly bwrap: string;
  readonly unshare: string;
  readonly nsenter: string;
  readonly prlimit: string;
}

/** Folders that only the system's administrator fills. PATH may lead into a project, whose program would confine nothing. */
const systemFolders = [
  ...['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/usr/local/sbin'],
  ...['/run/current-system/sw/bin'],
];

/** Names of the programs that are missing, or where they are. */
export async function findLinuxPrograms(): Promise<LinuxPrograms | readonly string[]> {
  const find = async (name: string): Promise<string> => {
    for (const folder of systemFolders) {
      const path = join(folder, name);
      if (await isExecutable(path)) {
        return path;
      }
    }
    return '';
  };
  const found = {
    bwrap: await find('bwrap'),
    unshare: await find('unshare'),
    nsenter: await find('nsenter'),
    prlimit: await find('prlimit'),
  };
  const missing = Object.entries(found).filter(([, path]) => path === '');
  return missing.length === 0 ? found : missing.map(([name]) => name);
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
