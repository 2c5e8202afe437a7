import type { RecordedEvent } from '../../run/events';
import { toStatusJson } from '../status-json';
import type { PayloadReader } from './conversation';
import { jsonText } from './artifact-part';
import type { HostFacts } from './execution-metadata';
import { ArtifactProjection } from './projection';

export interface ProjectOptions {
  readonly toYaml: (document: unknown) => string;
  readonly host?: HostFacts;
  /** What `status.json` calls its folder. */
  readonly logDir?: string;
}

/**
 * All text files of a run by path, relative to the folder of its turn. The same events and payloads give the same bytes.
 * Files of snapshots are not among them: their bytes are named by the ids in the log.
 */
export function projectArtifacts(
  events: readonly RecordedEvent[],
  payloads: PayloadReader,
  options: ProjectOptions,
): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const projection = new ArtifactProjection({
    sink: {
      append: (path, text) => files.set(path, (files.get(path) ?? '') + text),
      replace: (path, text) => files.set(path, text),
      copyFiles: () => undefined,
    },
    payloads,
    toYaml: options.toYaml,
    logDir: options.logDir ?? '',
    host: options.host ?? null,
  });
  for (const recorded of events) {
    projection.add(recorded);
  }
  projection.refresh();
  const { state, tallies } = projection;
  if (state !== undefined) {
    const logDir = options.logDir ?? '';
    files.set('status.json', jsonText(toStatusJson(state, state.lastEventAt, { logDir, tallies })));
  }
  return files;
}
