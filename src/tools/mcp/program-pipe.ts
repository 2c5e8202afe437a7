import { MassGenError } from '../../core/errors';
import type { Program } from '../../core/ports/workspace';
import { type MessagePipe, type PipeListeners, serverEnded } from './wire';

/** A line beyond this is no message of a server in its right mind. */
const longestLine = 64 * 1024 * 1024;

const lineEnd = 10;

/**
 * Messages of a program, one JSON text a line in both directions. Lines that are no JSON are what many programs print by
 * mistake, and go to `onNoise`.
 */
export function programPipe(program: Program, onNoise: (line: string) => void): MessagePipe {
  return {
    open(on): void {
      const lines = new Lines((line) => give(line, on, onNoise));
      program.onOutput('stdout', (bytes) => {
        if (!lines.push(bytes)) {
          onNoise('A line was too long; the server is stopped.');
          void program.stop();
        }
      });
      void program.ended.then(() => on.onClosed());
    },
    async send(message): Promise<void> {
      const bytes = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
      try {
        await program.input.write(bytes);
      } catch (error) {
        throw new MassGenError('tool/failed', serverEnded, { cause: error });
      }
    },
    async close(): Promise<void> {
      program.input.end();
      await program.stop();
    },
  };
}

function give(line: string, on: PipeListeners, onNoise: (line: string) => void): void {
  if (line.trim() === '') {
    return;
  }
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    onNoise(line);
    return;
  }
  on.onMessage(message);
}

class Lines {
  readonly #onLine: (line: string) => void;
  #parts: Uint8Array[] = [];
  #bytes = 0;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  /** `false` when a line is too long; nothing more is read then. */
  push(bytes: Uint8Array): boolean {
    if (this.#bytes > longestLine) {
      return false;
    }
    let start = 0;
    for (let end = bytes.indexOf(lineEnd); end >= 0; end = bytes.indexOf(lineEnd, start)) {
      this.#parts.push(bytes.subarray(start, end));
      this.#onLine(Buffer.concat(this.#parts).toString('utf8'));
      this.#parts = [];
      this.#bytes = 0;
      start = end + 1;
    }
    this.#parts.push(bytes.subarray(start));
    this.#bytes += bytes.length - start;
    return this.#bytes <= longestLine;
  }
}
