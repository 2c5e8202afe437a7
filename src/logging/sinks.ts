import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { formatLine, type LogSink } from './logger';

/** A full log is kept once more under this ending. */
const olderEnding = '.old';

/**
 * Lines at the end of a file that only the user can read; begins anew when it is full, so that two files at most
 * remain. The folder is made with the first line. A log that cannot be written must not stop the work: the first
 * failure silences it.
 */
export function fileSink(path: string, maxBytes: number): LogSink {
  let isBroken = false;
  let size: number | undefined;
  const append = (text: string): void => {
    size ??= sizeOf(path);
    if (size > 0 && size + text.length > maxBytes) {
      renameSync(path, `${path}${olderEnding}`);
      size = 0;
    }
    appendFileSync(path, text, { mode: 0o600 });
    size += text.length;
  };
  return {
    write: (line) => {
      if (isBroken) {
        return;
      }
      try {
        append(`${formatLine(line)}\n`);
      } catch {
        isBroken = true;
      }
    },
  };
}

function sizeOf(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
