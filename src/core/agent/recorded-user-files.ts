import type { RecordedEvent } from '../../run/events';
import type { PayloadStore } from '../ports/payload-store';
import type { UserFiles } from '../ports/user-files';

/**
 * The instructions that a run was given, in the place of files that may have changed since; what it was not given is
 * read from `behind`, if there is such.
 */
export function recordedUserFiles(
  events: readonly RecordedEvent[],
  payloads: Pick<PayloadStore, 'get'>,
  behind?: UserFiles,
): UserFiles {
  const files = events.flatMap(({ event }) =>
    event.type === 'instructions-read' ? event.files : [],
  );
  return {
    async read(root, path, limitBytes, signal) {
      const file = files.findLast((one) => one.root === root && one.path === path);
      const text = file === undefined ? undefined : payloads.get(file.text);
      if (file === undefined || text === undefined) {
        return behind?.read(root, path, limitBytes, signal);
      }
      const head = new TextEncoder().encode(text).subarray(0, limitBytes);
      return { head, sizeBytes: file.isCut ? file.bytes : head.length };
    },
  };
}
