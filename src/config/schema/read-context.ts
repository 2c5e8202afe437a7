import { type Document, isAlias, type Node } from 'yaml';
import type { ProblemDraft, ProblemList, TextRange } from '../problem-list';

/** What all contexts of one file share; the budget keeps aliases inside aliases from multiplying without end. */
interface Shared {
  readonly document: Document;
  readonly problems: ProblemList;
  aliasesLeft: number;
}

const maxAliases = 200;

/** Where reading is: the document, the path so far, and where problems go. */
export class ReadContext {
  readonly #shared: Shared;
  readonly path: string;
  /** Of the nearest key or item, for values that are absent. */
  readonly around: TextRange;

  private constructor(from: Shared, path: string, around: TextRange) {
    this.#shared = from;
    this.path = path;
    this.around = around;
  }

  static atTop(document: Document, problems: ProblemList): ReadContext {
    return new ReadContext({ document, problems, aliasesLeft: maxAliases }, '', [0, 0]);
  }

  key(name: string, around: TextRange): ReadContext {
    const path = this.path === '' ? name : `${this.path}.${name}`;
    return new ReadContext(this.#shared, path, around);
  }

  item(index: number, around: TextRange): ReadContext {
    return new ReadContext(this.#shared, `${this.path}[${index}]`, around);
  }

  /** Without a node the problem is about the key or item itself. */
  report(node: Node | null | undefined, draft: Omit<ProblemDraft, 'range' | 'keyPath'>): void {
    this.#shared.problems.add({
      ...draft,
      range: rangeOf(node) ?? this.around,
      keyPath: this.path,
    });
  }

  /** Follows an alias to what it stands for; reports one that leads nowhere. */
  resolve(node: Node | null | undefined): Node | null | undefined {
    if (!isAlias(node)) {
      return node;
    }
    if (--this.#shared.aliasesLeft < 0) {
      this.report(node, {
        code: 'too-large',
        message: 'The aliases of this file lead to too much.',
      });
      return null;
    }
    const target = node.resolve(this.#shared.document);
    if (target === undefined || isAlias(target)) {
      this.report(node, { code: 'syntax', message: 'This alias names no anchor.' });
      return null;
    }
    return target;
  }
}

export function rangeOf(node: Node | null | undefined): TextRange | undefined {
  return node?.range ? [node.range[0], node.range[1]] : undefined;
}
