import type { LineCounter } from 'yaml';
import type { ConfigProblem } from './run-config';

/** Offsets into the text; the end is exclusive. */
export type TextRange = readonly [start: number, end: number];

export interface ProblemDraft {
  readonly code: ConfigProblem['code'];
  readonly range: TextRange;
  readonly keyPath: string;
  readonly message: string;
  readonly severity?: ConfigProblem['severity'];
  readonly suggestion?: string | undefined;
}

/** Gathers the problems of one file and turns offsets into lines and columns. */
export class ProblemList {
  readonly #file: string;
  readonly #lines: LineCounter;
  readonly #problems: ConfigProblem[] = [];

  constructor(file: string, lines: LineCounter) {
    this.#file = file;
    this.#lines = lines;
  }

  add({ code, range, keyPath, message, severity = 'error', suggestion }: ProblemDraft): void {
    const start = this.#lines.linePos(range[0]);
    const end = this.#lines.linePos(Math.max(range[0], range[1]));
    this.#problems.push({
      severity,
      file: this.#file,
      line: Math.max(1, start.line),
      column: Math.max(1, start.col),
      endLine: Math.max(1, end.line),
      endColumn: Math.max(1, end.col),
      keyPath,
      message,
      ...(suggestion === undefined ? {} : { suggestion }),
      code,
    });
  }

  /** Whether something with this code was reported at the very start of a range. */
  has(code: ConfigProblem['code'], offset: number): boolean {
    const { line, col } = this.#lines.linePos(offset);
    return this.#problems.some(
      (problem) => problem.code === code && problem.line === line && problem.column === col,
    );
  }

  /** Takes back what is likely to be only a consequence of other problems. */
  drop(codes: readonly ConfigProblem['code'][]): void {
    const kept = this.#problems.filter(({ code }) => !codes.includes(code));
    this.#problems.splice(0, this.#problems.length, ...kept);
  }

  /** 1-based. */
  lineOf(offset: number): number {
    return Math.max(1, this.#lines.linePos(offset).line);
  }

  /** In the order of the file. */
  sorted(): readonly ConfigProblem[] {
    return [...this.#problems].sort((a, b) => a.line - b.line || a.column - b.column);
  }
}
