import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckKind, CheckSpec } from '../../../run/check-facts';
import type { CheckProposal } from '../../../core/ports/checks';
import { defaultCheckTimeoutMs } from '../../../run/check-specs';

/** Small files at the top of a project, as text. Nothing of them is ever run. */
export interface ProjectFiles {
  has(name: string): Promise<boolean>;
  /** `undefined` for what is not there, is no regular file or is too large. */
  read(name: string): Promise<string | undefined>;
}

const mostBytes = 1_000_000;

export function filesOf(folder: string): ProjectFiles {
  const size = async (name: string): Promise<number | undefined> => {
    const found = await stat(join(folder, name)).catch(() => undefined);
    return found?.isFile() === true ? found.size : undefined;
  };
  return {
    has: async (name) => (await size(name)) !== undefined,
    async read(name): Promise<string | undefined> {
      const bytes = await size(name);
      return bytes === undefined || bytes > mostBytes
        ? undefined
        : readFile(join(folder, name), 'utf8').catch(() => undefined);
    },
  };
}

/** What says nothing about right and wrong is only told; the rest keeps answers out that fail it anew. */
const informing: ReadonlySet<CheckKind> = new Set<CheckKind>(['lint', 'format']);

export function proposal(
  spec: Pick<CheckSpec, 'name' | 'command' | 'kind'>,
  source: string,
): CheckProposal {
  const mode = informing.has(spec.kind) ? 'inform' : 'gate';
  return { spec: { ...spec, mode, timeoutMs: defaultCheckTimeoutMs }, source };
}
