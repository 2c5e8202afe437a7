import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Node, visit } from 'yaml';
import type { ProblemList } from '../problem-list';
import { pathOf } from './duplicate-keys';

/** Keys that nobody could read: whole lists or mappings, and merges of something that is no mapping. */
export function reportOddKeys(document: Document.Parsed, problems: ProblemList): void {
  visit(document, {
    Pair(_key, { key, value }, ancestors) {
      const node = isNode(key) ? key : undefined;
      if (node?.range === undefined || node.range === null) {
        return;
      }
      const at = { range: [node.range[0], node.range[1]] as const, keyPath: pathOf(ancestors) };
      if (!isScalar(node)) {
        const message = 'A key is a plain name, not a list, mapping or alias.';
        problems.add({ ...at, code: 'wrong-type', message });
      } else if (node.value === '<<' && !isMergeable(isNode(value) ? value : null, document)) {
        const message = 'Only mappings can be merged: <<: *name, or a list of such aliases.';
        problems.add({ ...at, code: 'wrong-type', message });
      }
    },
  });
}

function isMergeable(node: Node | null, document: Document.Parsed): boolean {
  const found = resolved(node, document);
  return (
    isMap(found) ||
    (isSeq(found) &&
      found.items.every((item) => isMap(resolved(isNode(item) ? item : null, document))))
  );
}

/** An alias that leads nowhere is told where it is read. */
function resolved(node: Node | null, document: Document.Parsed): unknown {
  return isAlias(node) ? (node.resolve(document) ?? node) : node;
}
