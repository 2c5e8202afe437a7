import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PayloadReader } from '../protocol/artifacts/conversation';
import { projectArtifacts } from '../protocol/artifacts/project-artifacts';
import type { RecordedEvent } from '../run/events';
import { toYaml } from '../storage/artifact-writer';

/** Hold what only the process knew that played the run: its machine, and when it last looked. */
const notOfEvents: ReadonlySet<string> = new Set(['execution_metadata.yaml', 'status.json']);

/**
 * Compares the files in `dir` with those that the events give; answers the paths of those that differ or are missing.
 * Nothing is compared when the folder is gone.
 */
export async function changedArtifacts(
  dir: string,
  events: readonly RecordedEvent[],
  payloads: PayloadReader,
): Promise<readonly string[]> {
  const made = projectArtifacts(events, payloads, { toYaml, logDir: dir });
  if ((await textAt(join(dir, 'events.jsonl'))) === undefined) {
    return [];
  }
  const changed: string[] = [];
  for (const [path, text] of made) {
    if (!notOfEvents.has(path) && (await textAt(join(dir, path))) !== text) {
      changed.push(path);
    }
  }
  return changed.sort();
}

async function textAt(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
