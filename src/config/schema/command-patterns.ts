import { isScalar } from 'yaml';
import { list } from './collections';
import { text } from './scalars';
import type { Spec } from './spec';

const longest = 500;

/** Regular expressions as Python writes them, each one that is understood here as well. */
export function commandPatterns(): Spec<readonly string[]> {
  const plain = text();
  const pattern: Spec<string> = {
    shape: plain.shape,
    read: (node, context) => {
      const written = plain.read(node, context);
      const why = written === undefined ? undefined : faultOf(written);
      if (why !== undefined) {
        context.report(node, { code: 'wrong-value', message: why });
        return undefined;
      }
      return written;
    },
  };
  return nullableList(pattern);
}

/** Nothing after the key says nothing. */
function nullableList(item: Spec<string>): Spec<readonly string[]> {
  const many = list(item);
  return {
    shape: { ...many.shape, isNullable: true },
    read: (node, context) =>
      isScalar(node) && node.value === null ? undefined : many.read(node, context),
  };
}

function faultOf(written: string): string | undefined {
  if (written.length > longest) {
    return `An expression has at most ${longest} characters.`;
  }
  try {
    new RegExp(`^(?:${written})`);
    return undefined;
  } catch {
    return 'This is no regular expression that is understood here.';
  }
}
