import { fileKeyName } from '../../base/variables';
import type { BackendKind } from '../../core/ports/backend-kind';
import { loadConfig, type LoadOptions } from '../load-config';
import type { ConfigProblem } from '../run-config';
import { teamFile } from '../schema/team-file';
import { refuseText } from '../yaml/refuse-text';
import { complete, type Completion } from './complete';
import { hover, type Hover } from './hover';
import { type QuickFix, quickFixes } from './quick-fixes';

/** What an editor offers for team files, all from the one schema. Offsets count UTF-16 units. Nothing here throws. */
export interface TeamLanguage {
  complete(text: string, offset: number): readonly Completion[];
  hover(text: string, offset: number): Hover | undefined;
  /** All problems and warnings, in the order of the file. */
  diagnose(text: string, file: string): readonly ConfigProblem[];
  quickFixes(problem: ConfigProblem): readonly QuickFix[];
}

export function createTeamLanguage(
  kinds: readonly BackendKind[],
  options: LoadOptions = {},
): TeamLanguage {
  const { shape } = teamFile(kinds);
  return {
    // What is refused as a whole is not parsed while somebody types either.
    complete: (text, offset) =>
      refuseText(text) === undefined ? complete(text, offset, shape) : [],
    hover: (text, offset) =>
      refuseText(text) === undefined ? hover(text, offset, shape) : undefined,
    diagnose(text, file): readonly ConfigProblem[] {
      // While somebody types, what could be a key is not held.
      const result = loadConfig(text, file, kinds, { ...options, keepKey: () => fileKeyName('') });
      return result.kind === 'ok' ? result.warnings : result.problems;
    },
    quickFixes,
  };
}
