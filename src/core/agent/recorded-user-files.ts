import type { InstructionFile } from '../../run/facts';
import type { PayloadStore } from '../ports/payload-store';
import type { UserFiles } from '../ports/user-files';

/** The instructions that a run was given, in the place of files that may have changed since. Later facts win. */
export function recordedUserFiles(
  files: readonly InstructionFile[],
  payloads: Pick<PayloadStore, 'get'>,
): UserFiles {
  return {
    async read(root, path, limitBytes) {
      const file = files.findLast((one) => one.root === root && one.path === path);
      const text = file === undefined ? undefined : payloads.get(file.text);
      if (file === undefined || text === undefined) {
        return undefined;
      }
      const head = new TextEncoder().encode(text).subarray(0, limitBytes);
      return { head, sizeBytes: file.isCut ? file.bytes : head.length };
    },
  };
}
