import { StringDecoder } from 'node:string_decoder';

/** A line that is longer than this is no message, UTF-16 units. */
const longestLine = 32 * 1024 * 1024;

/** Cuts a stream of bytes into lines of UTF-8; empty ones are left out. */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onLine: (line: string) => void;
  #pieces: string[] = [];
  #length = 0;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  /** Answers `false` when a line has become too long; then it is to be dropped, and nothing is to be given to it any more. */
  take(bytes: Uint8Array): boolean {
    const [first = '', ...rest] = this.#decoder.write(Buffer.from(bytes)).split('\n');
    this.#keep(first);
    for (const piece of rest) {
      this.end();
      this.#keep(piece);
    }
    return this.#length <= longestLine;
  }

  /** Passes on what came after the last line end. */
  end(): void {
    const line = this.#pieces.join('').trim();
    this.#pieces = [];
    this.#length = 0;
    if (line !== '') {
      this.#onLine(line);
    }
  }

  /** Forgets what came after the last line end. */
  drop(): void {
    this.#pieces = [];
    this.#length = 0;
  }

  #keep(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }
}
