import { isNode, visit } from 'yaml';
import type { TextRange } from './problem-list';
import { keyRanges, looksLikeKey } from './secret-text';
import { pathOf } from './yaml/duplicate-keys';
import type { YamlText } from './yaml/parse-yaml';

const advice =
  'This looks like a key in clear text. Remove it from the file, and replace it at the service if others could read the file.';

/** Keys are looked for everywhere: in values, below unknown names, in names and in comments. */
export function reportKeysInText(text: string, { document, problems }: YamlText): void {
  const seen: TextRange[] = [];
  visit(document, {
    Scalar(_key, node, ancestors) {
      if (!isNode(node) || !node.range) {
        return;
      }
      const range: TextRange = [node.range[0], node.range[1]];
      seen.push(range);
      const isKey = typeof node.value === 'string' && looksLikeKey(node.value);
      if (isKey && !problems.has('literal-key', range[0])) {
        const keyPath = pathOf([...ancestors, node]);
        problems.add({ code: 'literal-key', range, keyPath, message: advice });
      }
    },
  });
  for (const range of keyRanges(text)) {
    if (!seen.some(([start, end]) => start <= range[0] && range[1] <= end)) {
      // What is no value goes nowhere.
      const severity = isOfComment(text, range[0]) ? 'warning' : 'error';
      problems.add({ code: 'literal-key', severity, range, keyPath: '', message: advice });
    }
  }
}

/** After a mark that can only begin a comment; in doubt it is none. */
function isOfComment(text: string, offset: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[^"']*(?:^|\s)#/.test(line);
}
