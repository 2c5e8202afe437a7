import type { AppParts } from '../app/app-contract';
import { revealHidden } from '../run/selectors/visible-text';
import type { Terminal } from './terminal';

type Logger = AppParts['logger'];

/** Warnings and errors on standard error, everything with `--debug`. The product has removed secrets before. */
export function stderrLogger(notes: Terminal, isVerbose: boolean): Logger {
  const write = (level: string, tag: string, message: string): void => {
    const text = isVerbose ? message : withoutStacks(message);
    notes.write(`[${level}] ${tag}: ${revealHidden(text)}\n`);
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

/** Stacks are for whoever mends the product; the causes between them are for everybody. */
function withoutStacks(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s+at /.test(line))
    .join('\n');
}
