import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';

const suffix = '.yaml';

/** The folder of the shipped team files in an installed product. */
function examplesFolder(installDir: string): string {
  return join(installDir, 'configs');
}

/** The paths of all shipped team files, sorted, without suffix and with `/` between their parts. */
export async function exampleNames(installDir: string): Promise<readonly string[]> {
  const entries = await readdir(examplesFolder(installDir), { recursive: true });
  return entries
    .filter((entry) => entry.endsWith(suffix))
    .map((entry) => entry.slice(0, -suffix.length).split(sep).join('/'))
    .sort();
}

/** The file of a path that `exampleNames` answered. */
export function exampleFile(installDir: string, path: string): string {
  return join(examplesFolder(installDir), `${path}${suffix}`);
}
