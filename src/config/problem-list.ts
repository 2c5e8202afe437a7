import type { LineCounter } from 'yaml';
import type { ConfigProblem, ProblemPlace } from './run-config';

/** Offsets into the text; the end is exclusive. */
export type TextRange = readonly [start: number, end: number];

export interface ProblemDraft {
  readonly code: ConfigProblem['code'];
  readonly range: TextRange;
  readonly keyPath: string;
  readonly message: string;
  readonly severity?: ConfigProblem['severity'];
  readonly suggestion?: string | undefined;
  readonly keyName?: string | undefined;
}

/** A key that is accepted and has no effect, or less than it says. */
export interface EffectNote {
  readonly range: TextRange;
  readonly keyPath: string;
  /** Why, or what to use, as the rest of a sentence that begins with the key; empty: nothing more is known. */
  readonly reason: string;
}

/** Gathers the problems of one file and turns offsets into lines and columns. */
export class ProblemList {
  readonly #file: string;
  readonly #lines: LineCounter;
  readonly #problems: ConfigProblem[] = [];
  readonly #notes: EffectNote[] = [];

  constructor(file: string, lines: LineCounter) {
    this.#file = file;
    this.#lines = lines;
  }

  add({ code, severity = 'error', suggestion, keyName, ...place }: ProblemDraft): void {
    this.#problems.push({
      severity,
      file: this.#file,
      ...this.#placeOf(place),
      ...(suggestion === undefined ? {} : { suggestion }),
      ...(keyName === undefined ? {} : { keyName }),
      code,
    });
  }

  /** Told together with all others of the file, by `reportNotes`. */
  note(note: EffectNote): void {
    this.#notes.push(note);
  }

  /** One warning at the first of the keys that were noted; it names all of them with their lines. */
  reportNotes(): void {
    const sorted = this.#notes
      .splice(0)
      .map((note) => this.#placeOf({ ...note, message: effectSentence(note) }))
      .sort(byPlace);
    const [first, ...others] = sorted;
    if (first !== undefined) {
      const what = sorted.length === 1 ? 'Accepted, has' : 'Accepted, have';
      const isYet = sorted.some(({ message }) => !message.includes(': '));
      this.#problems.push({
        ...first,
        severity: 'warning',
        file: this.#file,
        message: `${what} no effect${isYet ? ' yet' : ''}: ${listOf(sorted)}.`,
        code: 'not-supported',
        ...(others.length === 0 ? {} : { related: others }),
      });
    }
  }

  #placeOf({ range, keyPath, message }: PlaceDraft): ProblemPlace {
    const start = this.#lines.linePos(range[0]);
    const end = this.#lines.linePos(Math.max(range[0], range[1]));
    return {
      line: Math.max(1, start.line),
      column: Math.max(1, start.col),
      endLine: Math.max(1, end.line),
      endColumn: Math.max(1, end.col),
      keyPath,
      message,
    };
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

  /** Takes back problems with this code in lines that are wrong in their form: what is read there is not what was meant. */
  dropBesideSyntax(code: ConfigProblem['code']): void {
    const lines = new Set(
      this.#problems.flatMap((problem) => (problem.code === 'syntax' ? [problem.line] : [])),
    );
    const kept = this.#problems.filter(
      (problem) => problem.code !== code || !lines.has(problem.line),
    );
    this.#problems.splice(0, this.#problems.length, ...kept);
  }

  /** 1-based. */
  lineOf(offset: number): number {
    return Math.max(1, this.#lines.linePos(offset).line);
  }

  /** In the order of the file. */
  sorted(): readonly ConfigProblem[] {
    return [...this.#problems].sort(byPlace);
  }
}

type PlaceDraft = Pick<ProblemDraft, 'range' | 'keyPath' | 'message'>;

function byPlace(a: ProblemPlace, b: ProblemPlace): number {
  return a.line - b.line || a.column - b.column;
}

function effectSentence({ keyPath, reason }: EffectNote): string {
  return reason === '' ? keyOf(keyPath) : `${keyOf(keyPath)}: ${reason}`;
}

/** `backend.hooks` is clear without its agent, as its line is told; where it stands among others it is not. */
function keyOf(keyPath: string): string {
  return keyPath.replace(/^(?:agents\[\d+\]|agent|orchestrator\.coordination|orchestrator)\./, '');
}

/** Each sentence once, with the lines of all its keys. */
function listOf(places: readonly ProblemPlace[]): string {
  const lines = new Map<string, number[]>();
  for (const { message, line } of places) {
    lines.set(message, [...(lines.get(message) ?? []), line]);
  }
  return [...lines]
    .map(([message, at]) => {
      const [key = '', ...reason] = message.split(': ');
      const where = `${at.length === 1 ? 'line' : 'lines'} ${at.join(', ')}`;
      return `${key} (${[where, ...(reason.length === 0 ? [] : [reason.join(': ')])].join('; ')})`;
    })
    .join(', ');
}
