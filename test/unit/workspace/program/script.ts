import type { ProgramRequest } from '../../../../src/core/ports/workspace';

/** A program of a test: a small script for Node. */
export function script(text: string, parts: Partial<ProgramRequest> = {}): ProgramRequest {
  return {
    argv: [process.execPath, '-e', text],
    cwd: undefined,
    ...{ environment: {}, ownFolders: [], hosts: [], ...parts },
  };
}
