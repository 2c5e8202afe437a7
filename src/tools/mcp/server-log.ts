import { StringDecoder } from 'node:string_decoder';
import { visible } from './schema-parts';
import type { Logger } from '../../core/ports/logger';

const mostLines = 500;
const longestLine = 500;
/** More is looked at for secrets than is kept, because half of one would not be found. */
const longestRead = 16 * longestLine;
const lastLines = 12;

/** What a server prints beside its messages: for the log, and its last lines for the sentence about its end. */
export class ServerLog {
  readonly #decoder = new StringDecoder('utf8');
  readonly #write: (line: string) => void;
  readonly #redact: (text: string) => string;
  readonly #last: string[] = [];
  #open = '';
  #count = 0;

  constructor(server: string, logger: Logger, redact: (text: string) => string) {
    this.#write = (line) => logger.debug('tool', `${server}: ${line}`);
    this.#redact = redact;
  }

  /** The server is started anew: what was said before is not among its last words. */
  begin(): void {
    this.#last.length = 0;
    this.#open = '';
  }

  bytes(bytes: Uint8Array): void {
    this.#open += this.#decoder.write(Buffer.from(bytes));
    const lines = this.#open.split(/\r?\n/);
    this.#open = (lines.pop() ?? '').slice(0, longestRead);
    lines.forEach((line) => this.line(line));
  }

  line(line: string): void {
    const text = oneLine(this.#redact(line.slice(0, longestRead))).slice(0, longestLine);
    if (text === '') {
      return;
    }
    this.#last.push(text);
    this.#last.splice(0, this.#last.length - lastLines);
    this.#count += 1;
    if (this.#count <= mostLines) {
      this.#write(text);
    } else if (this.#count === mostLines + 1) {
      this.#write('(prints on, which is no longer kept)');
    }
  }

  /** One clause for people; empty when it has said nothing. */
  lastWords(): string {
    const said = [...this.#last, oneLine(this.#redact(this.#open))].join(' ').trim();
    return said === '' ? '' : `It said last: ${said.slice(-longestLine)}`;
  }
}

/** Without what a terminal would obey or nobody sees. */
export function oneLine(text: string): string {
  return visible(text.replaceAll(/\p{Cc}+/gu, ' ')).trim();
}
