import { parse, stringify } from 'yaml';
import type { PayloadReader } from '../../src/protocol/artifacts/conversation';
import { projectArtifacts } from '../../src/protocol/artifacts/project-artifacts';
import type { RecordedEvent } from '../../src/run/events';

export const noPayloads: PayloadReader = { get: () => undefined };

export type Files = ReadonlyMap<string, string>;

/** The files of a run by path, from its log. */
export function filesOf(
  events: readonly RecordedEvent[],
  payloads: PayloadReader = noPayloads,
): Files {
  return projectArtifacts(events, payloads, { toYaml: stringify, logDir: '/logs' });
}

export function textOf(files: Files, path: string): string {
  const text = files.get(path);
  if (text === undefined) {
    throw new Error(`there is no ${path} among ${[...files.keys()].join(', ')}`);
  }
  return text;
}

export function jsonOf(files: Files, path: string): unknown {
  return path.endsWith('.yaml') ? parse(textOf(files, path)) : JSON.parse(textOf(files, path));
}

/** Paths of all files with this name, in order. */
export function named(files: Files, name: string): readonly string[] {
  return [...files.keys()].filter((path) => path.split('/').at(-1) === name).sort();
}
