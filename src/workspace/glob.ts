// Globs of ignore files as a machine that reads a path once. Such files come with any repository, and an expression that
// backtracks would let one line of them hold the whole process for ever.

/** Whether the whole text matches. Takes time in proportion to the lengths of both, never more. */
export type Glob = (text: string) => boolean;

type Matches = (character: string) => boolean;

/** `many` stands for any number of characters, none included; `folders` for nothing or anything that ends with `/`. */
type Atom =
  { readonly kind: 'one' | 'many'; readonly matches: Matches } | { readonly kind: 'folders' };

/** No path is longer, and a longer pattern is no pattern for one. */
const longestGlob = 4096;

export function toGlob(text: string): Glob {
  if (text.length > longestGlob) {
    return () => false;
  }
  const atoms = tokens(text).flatMap(toAtoms);
  return (path) => run(atoms, path);
}

function run(atoms: readonly Atom[], text: string): boolean {
  let states = new Set<number>();
  enter(atoms, 0, states);
  for (const character of text) {
    const next = new Set<number>();
    for (const state of states) {
      step(atoms, state, character, next);
    }
    if (next.size === 0) {
      return false;
    }
    states = next;
  }
  return states.has(atoms.length);
}

/** Adds a state and those that need no character to get to. */
function enter(atoms: readonly Atom[], state: number, states: Set<number>): void {
  for (let at = state; ; at++) {
    states.add(at);
    const atom = atoms[at];
    if (atom === undefined || atom.kind === 'one') {
      return;
    }
  }
}

function step(atoms: readonly Atom[], state: number, character: string, next: Set<number>): void {
  const atom = atoms[state];
  if (atom?.kind === 'folders') {
    next.add(state);
    if (character === '/') {
      enter(atoms, state + 1, next);
    }
  } else if (atom?.matches(character) === true) {
    enter(atoms, atom.kind === 'many' ? state : state + 1, next);
  }
}

function tokens(glob: string): readonly string[] {
  return glob.match(/\\.|\/\*\*\/|^\*\*\/|\/\*\*$|\*+|\?|\[(?:[!^])?\]?[^\]]*\]|[^]/gu) ?? [];
}

const isInName: Matches = (character) => character !== '/';
const isAny: Matches = () => true;

function toAtoms(token: string): readonly Atom[] {
  switch (token) {
    case '/**/':
      return [literal('/'), { kind: 'folders' }];
    case '**/':
      return [{ kind: 'folders' }];
    case '/**':
      return [literal('/'), { kind: 'one', matches: isAny }, { kind: 'many', matches: isAny }];
    case '?':
      return [{ kind: 'one', matches: isInName }];
    default:
      return [toAtom(token)];
  }
}

function toAtom(token: string): Atom {
  if (token.startsWith('*')) {
    return { kind: 'many', matches: isInName };
  }
  if (token.startsWith('[') && token.length > 2) {
    return { kind: 'one', matches: classOf(token) };
  }
  return literal(token.startsWith('\\') && token.length > 1 ? token.slice(1) : token);
}

function literal(wanted: string): Atom {
  return { kind: 'one', matches: (character) => character === wanted };
}

function classOf(token: string): Matches {
  const isNot = /^\[[!^]/.test(token);
  const members = token.slice(isNot ? 2 : 1, -1).replace(/[\\\][]/g, '\\$&');
  try {
    const pattern = new RegExp(`^[${isNot ? '^' : ''}${members}]$`, 'su');
    return (character) => character !== '/' && pattern.test(character);
  } catch {
    // A malformed class, e.g. `[z-a]`, matches nothing.
    return () => false;
  }
}
