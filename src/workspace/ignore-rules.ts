// Patterns of `.gitignore` and `.massgenignore` files: `*`, `**`, `?`, `[…]`, `!`, trailing and leading `/`, escapes.

import type { Glob } from './glob';
import { toGlob } from './glob';
import { nameOf } from './upper-layer';

interface Rule {
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  /** Of the whole path, or of its last name alone when the pattern says nothing of folders. */
  readonly isOfPath: boolean;
  readonly matches: Glob;
}

/** The rules of one ignore file and the folder (relative, `''` for the root) they are written for. */
export interface RuleSet {
  readonly folder: string;
  readonly rules: readonly Rule[];
}

export function parseIgnoreRules(text: string, folder: string): RuleSet {
  const rules = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map(toRule)
    .filter((rule) => rule !== undefined);
  return { folder, rules };
}

/**
 * Whether a path is ignored. Once a folder is ignored nothing below it can be taken back. `sets` in order from the
 * outermost ignore file to the innermost; the last matching rule decides.
 */
export function isIgnored(sets: readonly RuleSet[], path: string, isFolder: boolean): boolean {
  const parts = path.split('/');
  return parts.some((_part, index) => {
    const isLast = index === parts.length - 1;
    return decide(sets, parts.slice(0, index + 1).join('/'), isLast ? isFolder : true);
  });
}

function decide(sets: readonly RuleSet[], path: string, isFolder: boolean): boolean {
  let answer = false;
  for (const set of sets) {
    const inside = set.folder === '' ? path : stripFolder(path, set.folder);
    if (inside === undefined) {
      continue;
    }
    for (const rule of set.rules) {
      if (
        (isFolder || !rule.isForFolders) &&
        rule.matches(rule.isOfPath ? inside : nameOf(inside))
      ) {
        answer = !rule.isNegated;
      }
    }
  }
  return answer;
}

function stripFolder(path: string, folder: string): string | undefined {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
}

function toRule(line: string): Rule | undefined {
  // Trailing spaces count only when escaped.
  let text = line.replace(/(?<!\\) +$/, '');
  if (text === '' || text.startsWith('#')) {
    return undefined;
  }
  const isNegated = text.startsWith('!');
  text = isNegated ? text.slice(1) : text;
  const isForFolders = text.endsWith('/');
  text = isForFolders ? text.slice(0, -1) : text;
  const isOfPath = text.includes('/');
  text = text.startsWith('/') ? text.slice(1) : text;
  if (text === '') {
    return undefined;
  }
  return { isNegated, isForFolders, isOfPath, matches: toGlob(text) };
}
