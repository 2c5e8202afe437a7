import { isNode } from 'yaml';
import type { ProblemDraft, TextRange } from './problem-list';
import type { YamlText } from './yaml/parse-yaml';

/** Reports problems at places named by their path, for what is checked after reading. */
export class TeamReport {
  readonly #yaml: YamlText;
  /** Things that are accepted and mapped, one sentence each. */
  readonly notices: string[] = [];

  constructor(yaml: YamlText) {
    this.#yaml = yaml;
  }

  at(path: readonly (string | number)[], draft: Omit<ProblemDraft, 'range' | 'keyPath'>): void {
    this.#yaml.problems.add({ ...draft, range: this.#rangeAt(path), keyPath: toKeyPath(path) });
  }

  /** The value there is accepted and has no effect; `reason` goes on after the key and a colon. */
  noteNoEffect(path: readonly (string | number)[], reason: string): void {
    const keyPath = toKeyPath(path);
    this.#yaml.problems.note({ range: this.#rangeAt(path), keyPath, reason });
  }

  /** Of the value, or of the nearest thing around it that exists. */
  #rangeAt(path: readonly (string | number)[]): TextRange {
    const node: unknown = this.#yaml.document.getIn(path, true);
    if (isNode(node) && node.range) {
      return [node.range[0], node.range[1]];
    }
    return path.length === 0 ? [0, 0] : this.#rangeAt(path.slice(0, -1));
  }
}

function toKeyPath(path: readonly (string | number)[]): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`,
    )
    .join('');
}
