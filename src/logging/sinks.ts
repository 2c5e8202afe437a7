import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { formatLine, type LogSink } from './logger';

/** Lines on standard error; standard output belongs to the product's own output. */
export function stderrSink(): LogSink {
  return {
    write: (line) => {
      process.stderr.write(`${formatLine(line)}\n`);
    },
  };
}

/** Lines at the end of a file that only the user can read. A log that cannot be written must not stop the work: the first failure silences it. */
export function fileSink(path: string): LogSink {
  let isBroken = false;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return {
    write: (line) => {
      if (isBroken) {
        return;
      }
      try {
        appendFileSync(path, `${formatLine(line)}\n`, { mode: 0o600 });
      } catch {
        isBroken = true;
      }
    },
  };
}
