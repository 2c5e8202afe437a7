// From the bytes of an answer to its events: server-sent events as the standard has them, and what services send instead.
import { WireError } from './wire-fault';

/** Far more than the longest real answer; without a bound one service could take all memory of the process. */
export interface AnswerLimits {
  readonly totalBytes: number;
  /** Of one event, or of an answer that is no stream. */
  readonly eventLength: number;
}

export const usualLimits: AnswerLimits = {
  totalBytes: 256 * 1024 * 1024,
  eventLength: 16 * 1024 * 1024,
};

type BodyKind = 'unknown' | 'stream' | 'value';

export interface ServerEvent {
  /** Empty for one without a name. */
  readonly name: string;
  readonly data: string;
}

/**
 * Takes bytes as they come and gives the events that are whole. A body that is one JSON value (some services ignore the wish
 * for a stream) is one event, known at the end. Throws `WireError` for a web page and for what is beyond the limits.
 */
export class EventDecoder {
  readonly #limits: AnswerLimits;
  readonly #decoder = new TextDecoder();
  #kind: BodyKind = 'unknown';
  #total = 0;
  /** The line, or the value, that has not ended yet. */
  #held = '';
  #isAfterReturn = false;
  #name = '';
  #data: string | undefined;

  constructor(limits: AnswerLimits) {
    this.#limits = limits;
  }

  push(bytes: Uint8Array): ServerEvent[] {
    this.#total += bytes.length;
    const text = this.#decoder.decode(bytes, { stream: true });
    if (this.#kind === 'unknown') {
      this.#kind = kindOf(text);
    }
    const events = this.#kind === 'stream' ? this.#readLines(text) : [];
    if (this.#kind === 'value') {
      this.#held += text;
    }
    const held = this.#held.length + (this.#data?.length ?? 0);
    if (this.#total > this.#limits.totalBytes || held > this.#limits.eventLength) {
      throw malformed('it has no end');
    }
    return events;
  }

  /** What is whole only because nothing more comes. An event that was cut is none. */
  end(): ServerEvent[] {
    return this.#kind === 'value' ? [{ name: '', data: this.#held }] : [];
  }

  #readLines(piece: string): ServerEvent[] {
    const text = this.#withPlainEnds(piece);
    const events: ServerEvent[] = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const line = this.#held + text.slice(start, end);
      this.#held = '';
      start = end + 1;
      if (line !== '') {
        this.#readLine(line);
        continue;
      }
      const event = this.#endEvent();
      if (event !== undefined) {
        events.push(event);
      }
    }
    this.#held += text.slice(start);
    return events;
  }

  /** A line may end in CR, LF or both, also when they come apart. */
  #withPlainEnds(piece: string): string {
    if (piece === '') {
      return piece;
    }
    const text = this.#isAfterReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    this.#isAfterReturn = piece.endsWith('\r');
    return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  }

  #readLine(line: string): void {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') {
      this.#name = value;
    } else if (field === 'data') {
      this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    }
  }

  #endEvent(): ServerEvent | undefined {
    const [name, data] = [this.#name, this.#data];
    this.#name = '';
    this.#data = undefined;
    return data === undefined ? undefined : { name, data };
  }
}

/** By the first letter; blanks before it belong to neither. */
function kindOf(text: string): BodyKind {
  const first = text.trimStart()[0];
  if (first === '<') {
    throw malformed('a web page instead of an answer');
  }
  if (first === undefined) {
    return 'unknown';
  }
  return first === '{' || first === '[' ? 'value' : 'stream';
}

function malformed(detail: string): WireError {
  return new WireError({ kind: 'malformed', detail });
}
