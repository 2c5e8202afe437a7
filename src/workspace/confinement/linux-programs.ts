import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** Absolute paths of the programs that confinement is made of. */
export interface LinuxPrograms {
  readonly bwrap: string;
  readonly unshare: string;
  readonly nsenter: string;
  readonly prlimit: string;
}

/** The system's own folders come first: PATH may lead into a project. */
const systemFolders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin'];

/** Names of the programs that are missing, or where they are. */
export async function findLinuxPrograms(
  searchPath: string,
): Promise<LinuxPrograms | readonly string[]> {
  const folders = [...systemFolders, ...searchPath.split(delimiter).filter(isAbsolute)];
  const find = async (name: string): Promise<string> => {
    for (const folder of folders) {
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
