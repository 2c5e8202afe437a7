import type { ConfigProblem } from '../run-config';

export interface QuickFix {
  /** In title case, as the editor's menus have it. */
  readonly title: string;
  /** Replaces the range of the problem. */
  readonly newText: string;
}

/** What can be done about a problem with one click; empty when a person must think. */
export function quickFixes({ code, suggestion }: ConfigProblem): readonly QuickFix[] {
  if (suggestion === undefined) {
    return [];
  }
  const title =
    code === 'literal-key' ? `Replace the Key by ${suggestion}` : `Change to ${suggestion}`;
  return [{ title, newText: suggestion }];
}
