import { StringDecoder } from 'node:string_decoder';
import { TerminalText } from './terminal-text';

const headLimit = 16 * 1024;
const tailLimit = 16 * 1024;

/** Keeps the first and the last 16 KB of an output of any length, cleaned for reading. */
export class OutputWindow {
  readonly #decoders = new Map<string, StringDecoder>();
  readonly #cleaners = new Map<string, TerminalText>();
  #head = '';
  #tail = '';
  #leftOut = 0;
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** Takes a piece of one of the streams; answers its clean text for live display. */
  push(stream: 'stdout' | 'stderr', chunk: Uint8Array): string {
    this.#bytes += chunk.length;
    const decoder = getOrMake(this.#decoders, stream, () => new StringDecoder('utf8'));
    const cleaner = getOrMake(this.#cleaners, stream, () => new TerminalText());
    const text = cleaner.push(decoder.write(Buffer.from(chunk)));
    this.#keep(text);
    return text;
  }

  /** Head, a line that tells how much was left out, tail. */
  text(): string {
    const gap =
      this.#leftOut === 0 ? '' : `\n[… ${this.#leftOut} characters of output left out …]\n`;
    return `${this.#head}${gap}${this.#tail}`;
  }

  #keep(text: string): void {
    const room = headLimit - this.#head.length;
    this.#head += text.slice(0, room);
    const rest = this.#tail + text.slice(room);
    const over = Math.max(0, rest.length - tailLimit);
    this.#leftOut += over;
    this.#tail = rest.slice(over);
  }
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) {
    return known;
  }
  const made = make();
  map.set(key, made);
  return made;
}
