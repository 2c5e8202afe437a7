import type { Program } from '../../core/ports/workspace';
import { clip } from '../../base/text';
import { LineSplitter } from './line-splitter';

/** How much of what a program said last is kept, UTF-16 units. */
const lastWordsChars = 2_000;

/** A program that is spoken to with one JSON value per line. */
export class LineProgram {
  readonly #program: Program;
  #lastWords = '';
  #hasEnded = false;
  /** Resolves when nothing of it runs any more. */
  readonly ended: Promise<void>;

  /** `onLine` is told every line of its output that is JSON. */
  constructor(program: Program, onLine: (message: unknown) => void) {
    this.#program = program;
    const lines = new LineSplitter((line) => {
      const message = parsed(line);
      if (message === undefined) {
        this.#hear(`${line}\n`);
      } else {
        onLine(message);
      }
    });
    let isMad = false;
    program.onOutput('stdout', (bytes) => {
      if (isMad || lines.take(bytes)) {
        return;
      }
      isMad = true;
      lines.drop();
      this.#hear('\nIt wrote a line without end.');
      program.stop().catch(() => undefined);
    });
    program.onOutput('stderr', (bytes) => this.#hear(Buffer.from(bytes).toString('utf8')));
    this.ended = program.ended.then(() => {
      lines.end();
      this.#hasEnded = true;
    });
  }

  get isRunning(): boolean {
    return !this.#hasEnded;
  }

  /** End of what it wrote for people, for an error; may be empty. */
  get lastWords(): string {
    return clip(this.#lastWords.replace(/\u001b\[[0-9;]*[A-Za-z]/g, '').trim(), 600);
  }

  /** Rejects when the program does not read any more. */
  async send(message: unknown): Promise<void> {
    await this.#program.input.write(Buffer.from(`${JSON.stringify(message)}\n`));
  }

  /** Writes text as it is and then nothing any more. */
  async finish(text: string): Promise<void> {
    await this.#program.input.write(Buffer.from(text));
    this.#program.input.end();
  }

  async stop(): Promise<void> {
    await this.#program.stop();
    await this.ended;
  }

  #hear(text: string): void {
    this.#lastWords = `${this.#lastWords}${text}`.slice(-lastWordsChars);
  }
}

/** `undefined` for what is no object: programs mix notes into their output. */
function parsed(line: string): unknown {
  if (!line.startsWith('{')) {
    return undefined;
  }
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
