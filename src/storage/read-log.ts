import { MassGenError } from '../core/errors';
import { logVersion, type RecordedEvent } from '../run/events';
import { migrate } from '../run/migrate';

export interface LogHeader {
  /** Version of the log's shapes. */
  readonly v: number;
  readonly runId: string;
}

/** Where reading begins: at the start of a line. */
export interface LogPlace {
  readonly offset: number;
  /** Of the last event before it; -1 when there is none. */
  readonly lastSeq: number;
  /** Version of the log; the header tells it when reading begins at 0. */
  readonly version: number;
}

export const logStart: LogPlace = { offset: 0, lastSeq: -1, version: 1 };

const firstVersionWithCauses = 2;
const newline = 10;
/** A longer line is no event of ours. */
const longestLine = 2 ** 28;

/**
 * Takes the bytes of a log in pieces of any size. A line that is not an event, or whose number does not rise, is skipped
 * and counted; a last line without its end is left out. Events of types that this version does not know are kept.
 */
export class LogReader {
  /** Lines that were left out. */
  skippedLines = 0;
  /** Where the last whole line ends; what follows was torn by a crash. */
  wholeBytes: number;
  lastSeq: number;
  version: number;
  /** `undefined` when the log has lost it. */
  header: LogHeader | undefined;
  readonly #runId: string;
  readonly #onEvent: (recorded: RecordedEvent, offset: number) => void;
  #torn: Buffer[] = [];
  #tornBytes = 0;

  /** `onEvent` is told each event with the offset of its line. */
  constructor(
    runId: string,
    from: LogPlace,
    onEvent: (recorded: RecordedEvent, offset: number) => void,
  ) {
    this.#runId = runId;
    this.#onEvent = onEvent;
    this.wholeBytes = from.offset;
    this.lastSeq = from.lastSeq;
    this.version = from.version;
  }

  /**
   * `bytes` may be overwritten afterwards. Throws `storage/corrupt` for what another run or a later version of the
   * product wrote; a lost header is no reason.
   */
  push(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      if (this.#tornBytes > 0) {
        this.#takeTorn(bytes.subarray(0, end));
      } else {
        this.#takeLine(textOf(bytes, start, end), end - start);
      }
      start = end + 1;
    }
    if (start < bytes.length) {
      this.#keepTorn(bytes.subarray(start));
    }
  }

  #keepTorn(piece: Buffer): void {
    this.#tornBytes += piece.length;
    if (this.#tornBytes > longestLine) {
      this.#torn = [];
    } else {
      this.#torn.push(Buffer.from(piece));
    }
  }

  #takeTorn(last: Buffer): void {
    const length = this.#tornBytes + last.length;
    const line = length > longestLine ? Buffer.alloc(0) : Buffer.concat([...this.#torn, last]);
    this.#torn = [];
    this.#tornBytes = 0;
    this.#takeLine(textOf(line, 0, line.length), length);
  }

  #takeLine(text: string, length: number): void {
    const offset = this.wholeBytes;
    this.wholeBytes += length + 1;
    const value = parseJson(text);
    if (isRecordedEvent(value) && value.seq > this.lastSeq) {
      this.lastSeq = value.seq;
      this.#guessVersion(value);
      this.#onEvent(this.version < logVersion ? migrate(value, this.version) : value, offset);
    } else if (offset === 0 && isHeader(value)) {
      this.#takeHeader(value);
    } else {
      this.skippedLines++;
    }
  }

  /** Without its header a log would be taken for one of the first version, which noted no causes. */
  #guessVersion({ by }: RecordedEvent): void {
    if (by !== undefined && this.header === undefined) {
      this.version = Math.max(this.version, firstVersionWithCauses);
    }
  }

  #takeHeader(header: LogHeader): void {
    checkHeader(header, this.#runId);
    this.header = header;
    this.version = header.v;
  }
}

function checkHeader(header: LogHeader, runId: string): void {
  if (header.v > logVersion) {
    throw new MassGenError('storage/corrupt', 'A later version of MassGen has written this run.', {
      hint: 'Update MassGen to open it.',
    });
  }
  if (header.runId !== runId) {
    throw new MassGenError('storage/corrupt', `The log of run ${runId} belongs to another run.`);
  }
}

/** A line too long for a string is no event either. */
function textOf(bytes: Buffer, start: number, end: number): string {
  try {
    return bytes.toString('utf8', start, end);
  } catch {
    return '';
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isHeader(value: unknown): value is LogHeader {
  return (
    isObject(value) &&
    'v' in value &&
    typeof value.v === 'number' &&
    Number.isInteger(value.v) &&
    value.v >= 1 &&
    'runId' in value &&
    typeof value.runId === 'string'
  );
}

/**
 * Checks the envelope by hand, as it is done for every line of a long log; the fields of an event are those that this
 * product's own log writer put there.
 */
function isRecordedEvent(value: unknown): value is RecordedEvent {
  return (
    isObject(value) &&
    'seq' in value &&
    typeof value.seq === 'number' &&
    Number.isSafeInteger(value.seq) &&
    value.seq >= 0 &&
    'at' in value &&
    typeof value.at === 'number' &&
    'event' in value &&
    isObject(value.event) &&
    'type' in value.event &&
    typeof value.event.type === 'string'
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
