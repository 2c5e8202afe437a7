import { execFile } from 'node:child_process';
import { basename, dirname } from 'node:path';

/**
 * Whether git would leave the file out of a commit; `undefined` outside of a repository and without git. Nothing of the
 * repository's own settings is run.
 */
export async function isGitIgnored(
  file: string,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const args = ['-c', 'core.fsmonitor=false', 'check-ignore', '-q', '--', basename(file)];
  return new Promise((resolve) => {
    execFile('git', args, { cwd: dirname(file), signal }, (error) => {
      // It answers 0 for ignored, 1 for not ignored, and anything else where it cannot tell.
      resolve(error === null ? true : error.code === 1 ? false : undefined);
    });
  });
}
