import { type Document, isAlias, type Node } from 'yaml';
import type { Variables } from '../../core/ports/secrets';
import type { ProblemDraft, ProblemList, TextRange } from '../problem-list';

/** What all contexts of one file share; the budget keeps aliases inside aliases from multiplying without end. */
interface Shared {
  readonly document: Document;
  readonly problems: ProblemList;
  readonly variables: Variables;
  readonly placesOf: (name: string) => readonly string[];
  readonly keepKey: ((value: string) => string) | undefined;
  /** Names of the variables that the file's settings name. */
  readonly named: Set<string>;
  readonly filled: Map<string, string>;
  aliasesLeft: number;
}

/** Where no variable can be looked up, none is set. */
const noVariables: Variables = { get: () => undefined, places: [] };

const maxAliases = 200;

export interface ReadOptions {
  /** Absent: no variable is set. */
  readonly variables?: Variables | undefined;
  /** Where else in a file a key of this name belongs; absent: nowhere. */
  readonly placesOf?: (name: string) => readonly string[];
  /** Takes a key that stands in the file, and answers the name under which it is found; absent: such keys are refused. */
  readonly keepKey?: ((value: string) => string) | undefined;
}

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

  static atTop(
    document: Document,
    problems: ProblemList,
    { variables = noVariables, placesOf = () => [], keepKey }: ReadOptions = {},
  ): ReadContext {
    const named = new Set<string>();
    const filled = new Map<string, string>();
    const shared = {
      ...{ document, problems, variables, placesOf, keepKey, named, filled },
      aliasesLeft: maxAliases,
    };
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

  /** The key here is accepted and has no effect, or less than it says; `reason` goes on after the key and a colon. */
  noteNoEffect(reason: string): void {
    this.#shared.problems.note({ range: this.around, keyPath: this.path, reason });
  }

  /** Where in the file a key of this name belongs. */
  placesOf(name: string): readonly string[] {
    return this.#shared.placesOf(name);
  }

  /** The name under which a key that stands in the file is found from now on; `undefined`: it cannot be used. */
  keepKey(value: string): string | undefined {
    return this.#shared.keepKey?.(value);
  }

  get variables(): Variables {
    return this.#shared.variables;
  }

  /** A setting of the file takes its value from this variable. */
  noteVariable(name: string): void {
    this.#shared.named.add(name);
  }

  /** A setting that is written with variables has this value here. */
  noteFilled(value: string, written: string): void {
    this.#shared.filled.set(value, written);
  }

  /** How settings are written, by the value that they have here. */
  get filledSettings(): ReadonlyMap<string, string> {
    return this.#shared.filled;
  }

  /** All that have been noted in the file, in order of their names. */
  get namedVariables(): readonly string[] {
    return [...this.#shared.named].sort();
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
