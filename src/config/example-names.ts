// Names of the shipped team files, as they are written after `@examples/`.
import { nearest } from '../base/text';

const prefix = '@examples/';

export type ExampleLookup =
  /** `path`: the file below `configs/`, without its suffix. */
  | { readonly kind: 'found'; readonly path: string }
  /** More than one file is called so; nothing is guessed. */
  | { readonly kind: 'ambiguous'; readonly ambiguous: readonly string[] }
  /** The names that are most like it, nearest first; empty when none is. */
  | { readonly kind: 'unknown'; readonly nearest: readonly string[] };

/** Whether a team is named as a shipped one rather than as a file. */
export function isExampleName(name: string): boolean {
  return name.startsWith(prefix);
}

/** `basic/multi/three_agents_default` as the user writes it. */
export function exampleName(path: string): string {
  return `${prefix}${path}`;
}

/**
 * The shipped file that `name` means, with or without `@examples/`: its path below `configs/`, that path with `_` for
 * each `/`, or the last part of the path alone. `available` holds all paths, without suffix.
 */
export function resolveExample(name: string, available: readonly string[]): ExampleLookup {
  const wanted = plainName(name);
  if (available.includes(wanted)) {
    return { kind: 'found', path: wanted };
  }
  const found = available.filter(
    (path) => withUnderscores(path) === wanted || lastPart(path) === wanted,
  );
  const [path] = found;
  if (path === undefined) {
    return { kind: 'unknown', nearest: mostLike(wanted, available) };
  }
  return found.length === 1
    ? { kind: 'found', path }
    : { kind: 'ambiguous', ambiguous: [...found].sort() };
}

function plainName(name: string): string {
  const plain = isExampleName(name) ? name.slice(prefix.length) : name;
  return plain.replace(/\.ya?ml$/, '');
}

function withUnderscores(path: string): string {
  return path.replaceAll('/', '_');
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const mostNames = 5;

/** First those that hold the word, then those that a typing error makes of it. */
function mostLike(wanted: string, available: readonly string[]): readonly string[] {
  const sorted = [...available].sort();
  const word = withUnderscores(wanted).toLowerCase();
  const holders =
    word === '' ? [] : sorted.filter((path) => withUnderscores(path).toLowerCase().includes(word));
  const rest = new Set(sorted.filter((path) => !holders.includes(path)));
  const similar: string[] = [];
  while (holders.length + similar.length < mostNames) {
    const path = mostSimilar(wanted, [...rest]);
    if (path === undefined) {
      break;
    }
    similar.push(path);
    rest.delete(path);
  }
  return [...holders, ...similar].slice(0, mostNames);
}

function mostSimilar(wanted: string, paths: readonly string[]): string | undefined {
  const spellings = new Map(
    paths.flatMap((path) =>
      [path, withUnderscores(path), lastPart(path)].map((spelling) => [spelling, path] as const),
    ),
  );
  return spellings.get(nearest(wanted, [...spellings.keys()]) ?? '');
}
