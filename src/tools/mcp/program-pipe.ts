import { MassGenError } from '../../core/errors';
import type { Program } from '../../core/ports/workspace';
import { membersOf } from './schema-parts';
import { type MessagePipe, serverEnded } from './wire';

/** A line beyond this is no message of a server in its right mind. */
const longestLine = 64 * 1024 * 1024;

/** Characters of lines that answer nothing, over the life of a server: a year of honest notices. */
const mostUnasked = 256 * 1024 * 1024;

/** Messages that wait because the server does not read. */
const mostUnread = 1_000;

const lineEnd = 10;

/**
 * Messages of a program, one JSON text a line in both directions. Lines that are no JSON are what many programs print by
 * mistake, and go to `onNoise`.
 */
export function programPipe(
  program: Program,
  onNoise: (line: string) => void,
  most: number = mostUnasked,
): MessagePipe {
  const unanswered = new Set<unknown>();
  const flood = { unasked: 0, unread: 0, isOver: false };
  const end = (why: string): void => {
    if (!flood.isOver) {
      flood.isOver = true;
      onNoise(`${why}; the server is stopped.`);
      void program.stop();
    }
  };
  return {
    open(on): void {
      const lines = new Lines((line) => {
        const message = flood.isOver ? undefined : parse(line, onNoise);
        if (!isAnswer(message, unanswered)) {
          flood.unasked += line.length;
        }
        if (flood.unasked > most) {
          end('It says more than anybody asks for');
        } else if (message !== undefined) {
          on.onMessage(message);
        }
      });
      program.onOutput('stdout', (bytes) => {
        if (!lines.push(bytes)) {
          end('A line was too long');
        }
      });
      void program.ended.then(() => on.onClosed());
    },
    async send(message): Promise<void> {
      const { id, method } = membersOf(message) ?? {};
      if (id !== undefined && method !== undefined) {
        unanswered.add(id);
      }
      const bytes = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
      flood.unread += 1;
      if (flood.unread > mostUnread) {
        end('It asks and does not listen');
      }
      try {
        await program.input.write(bytes);
      } catch (error) {
        throw new MassGenError('tool/failed', serverEnded, { cause: error });
      } finally {
        flood.unread -= 1;
      }
    },
    async close(): Promise<void> {
      program.input.end();
      await program.stop();
    },
  };
}

/** `undefined` for what is no JSON, and for empty lines. */
function parse(line: string, onNoise: (line: string) => void): unknown {
  if (line.trim() === '') {
    return undefined;
  }
  try {
    return JSON.parse(line);
  } catch {
    onNoise(line);
    return undefined;
  }
}

/** Whether somebody waits for it. It is none the second time. */
function isAnswer(message: unknown, unanswered: Set<unknown>): boolean {
  const { id, method } = membersOf(message) ?? {};
  return method === undefined && unanswered.delete(id);
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
