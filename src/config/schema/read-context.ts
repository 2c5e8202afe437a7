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

  /** Inside brackets, where braces and commas must be quoted. */
  readonly isFlow: boolean;
  readonly #severity: ProblemDraft['severity'];

  private constructor(
    from: Shared,
    place: Pick<ReadContext, 'path' | 'around' | 'isFlow'>,
    severity?: ProblemDraft['severity'],
  ) {
    this.#shared = from;
    this.#severity = severity;
    this.path = place.path;
    this.around = place.around;
    this.isFlow = place.isFlow;
  }

  static atTop(document: Document, problems: ProblemList): ReadContext {
    const shared = { document, problems, aliasesLeft: maxAliases };
    return new ReadContext(shared, { path: '', around: [0, 0], isFlow: false });
  }

  key(name: string, around: TextRange, isFlow = false): ReadContext {
    const path = this.path === '' ? name : `${this.path}.${name}`;
    return new ReadContext(this.#shared, { path, around, isFlow: this.isFlow || isFlow });
  }

  item(index: number, around: TextRange): ReadContext {
    const path = `${this.path}[${index}]`;
    return new ReadContext(this.#shared, { path, around, isFlow: this.isFlow });
  }

  /** The same place, where what is wrong has a safe meaning and does not keep the file from being used. */
  withWarnings(): ReadContext {
    return new ReadContext(this.#shared, this, 'warning');
  }

  /** Without a node the problem is about the key or item itself. */
  report(node: Node | null | undefined, draft: Omit<ProblemDraft, 'range' | 'keyPath'>): void {
    this.#shared.problems.add({
      ...(this.#severity === undefined ? {} : { severity: this.#severity }),
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
