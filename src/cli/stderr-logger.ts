import type { AppParts } from '../app/app-contract';
import type { Terminal } from './terminal';

type Logger = AppParts['logger'];

/** Warnings and errors on standard error, everything with `--debug`. The product has removed secrets before. */
export function stderrLogger(notes: Terminal, isVerbose: boolean): Logger {
  const write = (level: string, tag: string, message: string): void => {
    notes.write(`[${level}] ${tag}: ${message}\n`);
  };
  const detail =
    (level: string) =>
    (tag: string, message: string): void => {
      if (isVerbose) {
        write(level, tag, message);
      }
    };
  return {
    trace: detail('trace'),
    debug: detail('debug'),
    info: detail('info'),
    warn: (tag, message) => {
      write('warn', tag, message);
    },
    error: (tag, message, error) => {
      const cause = error instanceof Error ? `: ${error.message}` : '';
      write('error', tag, `${message}${cause}`);
    },
  };
}
