import { type Document, isPair, isScalar, isSeq, visit } from 'yaml';
import type { ProblemList } from '../problem-list';
import { shown } from '../secret-text';

/** Each key that stands twice in one mapping, with the line of the first. */
export function reportDuplicates(document: Document.Parsed, problems: ProblemList): void {
  visit(document, {
    Map(_key, map, ancestors) {
      const seen = new Map<string, number>();
      for (const { key } of map.items) {
        if (!isScalar(key) || !key.range) continue;
        const name = String(key.value);
        const first = seen.get(name);
        if (first === undefined) {
          seen.set(name, key.range[0]);
        } else {
          const line = problems.lineOf(first);
          const hint = name === '<<' ? ' Several mappings are merged as a list: <<: [*a, *b].' : '';
          problems.add({
            code: 'duplicate',
            range: [key.range[0], key.range[1]],
            keyPath: joinPath(pathOf([...ancestors, map]), shown(name)),
            message: `${shown(name)} is already set in line ${line}.${hint}`,
          });
        }
      }
    },
  });
}

/** The key path of the innermost of nested nodes, e.g. `agents[1].backend`. */
export function pathOf(nodes: readonly unknown[]): string {
  let path = '';
  for (const [index, node] of nodes.entries()) {
    const outer = nodes[index - 1];
    if (isPair(node) && isScalar(node.key)) {
      path = joinPath(path, shown(String(node.key.value)));
    } else if (isSeq(outer)) {
      path = `${path}[${outer.items.indexOf(node)}]`;
    }
  }
  return path;
}

function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
