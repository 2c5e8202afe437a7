import { lstat, readFile, realpath } from 'node:fs/promises';
import { isAbsolute, sep } from 'node:path';
import { MassGenError, isMassGenError } from '../core/errors';
import type { OpenAddresses } from '../core/ports/open-web';
import type { AgentWorkspace } from '../core/ports/workspace';
import { download } from '../tools/web/download';
import { isSecretOfHome } from '../workspace/home-secrets';
import { isSecretPath } from '../workspace/path-rules';

export interface UploadPlaces {
  readonly workspace: AgentWorkspace;
  /** Absolute paths of the user's folders that the run works in. */
  readonly folders: readonly string[];
  readonly addressesOf: OpenAddresses;
}

const downloadMs = 60_000;

/**
 * Reads what a team file names: an https address of the open internet, a file of the run as its agent sees it, or another
 * file by its whole path that holds no secrets. Throws errors of the product's own kind.
 */
export async function uploadBytes(
  source: string,
  { workspace, folders, addressesOf }: UploadPlaces,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (/^https:\/\//i.test(source)) {
    // Whoever trusted the team file has seen the address in it.
    const allow = async (): Promise<void> => undefined;
    const limits = { maxBytes, timeoutMs: downloadMs };
    return (await download(source, { addressesOf, allow, limits }, signal)).bytes;
  }
  try {
    const { sizeBytes } = await workspace.stat(source, signal);
    checkSize(sizeBytes, maxBytes);
    return await workspace.readFile(source, signal);
  } catch (error) {
    if (!isMassGenError(error, 'workspace/path-escape') || !isAbsolute(source)) {
      throw error;
    }
  }
  return outsideBytes(source, folders, maxBytes);
}

async function outsideBytes(
  path: string,
  folders: readonly string[],
  maxBytes: number,
): Promise<Uint8Array> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) {
    throw new MassGenError('workspace/not-found', 'there is no such file');
  }
  const isHidden = folders.some((folder) => real.startsWith(`${folder}${sep}`));
  if (isHidden || isSecretOfHome(real) || isSecretPath(real)) {
    throw new MassGenError('workspace/path-escape', 'agents may not see it');
  }
  const stat = await lstat(real);
  if (!stat.isFile()) {
    throw new MassGenError('workspace/not-found', 'it is no file');
  }
  checkSize(stat.size, maxBytes);
  return readFile(real);
}

function checkSize(size: number, maxBytes: number): void {
  if (size > maxBytes) {
    throw new MassGenError(
      'workspace/too-large',
      `it has ${size} bytes, and at most ${maxBytes} fit into a request`,
    );
  }
}
