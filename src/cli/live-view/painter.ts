import { widthOf } from './text-cells';

/** The part of a terminal that is drawn on. */
export interface ScreenStream {
  readonly columns: number;
  readonly rows: number;
  write(text: string): unknown;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

const esc = '\u001B';
/** Its own page without a cursor, on which a line that is too wide is cut by the terminal instead of moving the rest. */
const enter = `${esc}[?1049h${esc}[?25l${esc}[?7l${esc}[?2004h${esc}[H${esc}[2J`;
const leave = `${esc}[?2004l${esc}[?7h${esc}[?25h${esc}[?1049l`;
const beginUpdate = `${esc}[?2026h`;
const endUpdate = `${esc}[?2026l`;

/** Draws whole pages of lines and writes only what has changed, at once, so that nothing flickers. */
export class Painter {
  readonly #stream: ScreenStream;
  #drawn: readonly string[] = [];
  #isOn = false;

  constructor(stream: ScreenStream) {
    this.#stream = stream;
  }

  enter(): void {
    if (!this.#isOn) {
      this.#isOn = true;
      this.#drawn = [];
      this.#stream.write(enter);
    }
  }

  /** Gives the terminal back with what was on it before. */
  leave(): void {
    if (this.#isOn) {
      this.#isOn = false;
      this.#stream.write(leave);
    }
  }

  /** The size has changed: nothing of what was drawn can be relied on. */
  forget(): void {
    this.#drawn = [];
    if (this.#isOn) {
      this.#stream.write(`${esc}[2J`);
    }
  }

  /** `lines` may hold styles; one for each row, from the top. */
  paint(lines: readonly string[]): void {
    if (!this.#isOn) {
      return;
    }
    const { columns } = this.#stream;
    const changed = lines.flatMap((line, row) => {
      if (line === this.#drawn[row]) {
        return [];
      }
      // Clearing to the end after a full line would take its last column with it.
      const clear = widthOf(line) < columns ? `${esc}[K` : '';
      return [`${esc}[${row + 1};1H${line}${clear}`];
    });
    this.#drawn = lines;
    if (changed.length > 0) {
      this.#stream.write(`${beginUpdate}${changed.join('')}${endUpdate}`);
    }
  }
}
