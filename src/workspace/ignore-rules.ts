// Patterns of `.gitignore` and `.massgenignore` files: `*`, `**`, `?`, `[…]`, `!`, trailing and leading `/`, escapes.

interface Rule {
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  readonly pattern: RegExp;
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
      if ((isFolder || !rule.isForFolders) && rule.pattern.test(inside)) {
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
  const isAnchored = text.includes('/');
  text = text.startsWith('/') ? text.slice(1) : text;
  if (text === '') {
    return undefined;
  }
  return { isNegated, isForFolders, pattern: toPattern(text, isAnchored) };
}

function toPattern(glob: string, isAnchored: boolean): RegExp {
  const body = tokens(glob).map(toRegExp).join('');
  try {
    return new RegExp(`^${isAnchored ? '' : '(?:.*/)?'}${body}$`, 's');
  } catch {
    // A malformed class, e.g. `[z-a]`, matches nothing.
    return /(?!)/;
  }
}

function tokens(glob: string): readonly string[] {
  return glob.match(/\\.|\/\*\*\/|^\*\*\/|\/\*\*$|\*+|\?|\[(?:[!^])?\]?[^\]]*\]|[^]/gu) ?? [];
}

function toRegExp(token: string): string {
  if (token === '/**/') {
    return '/(?:.*/)?';
  }
  if (token === '**/') {
    return '(?:.*/)?';
  }
  if (token === '/**') {
    return '/.+';
  }
  if (token.startsWith('*')) {
    return '[^/]*';
  }
  if (token === '?') {
    return '[^/]';
  }
  if (token.startsWith('[') && token.length > 2) {
    const isNot = /^\[[!^]/.test(token);
    const members = token.slice(isNot ? 2 : 1, -1).replace(/[\\\][]/g, '\\$&');
    return `(?!/)[${isNot ? '^' : ''}${members}]`;
  }
  const character = token.startsWith('\\') && token.length > 1 ? token.slice(1) : token;
  return character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
