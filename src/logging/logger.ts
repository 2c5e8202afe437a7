import type { LogTag, Logger } from '../core/ports/logger';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

export interface LogLine {
  /** Unix ms. */
  readonly at: number;
  readonly level: LogLevel;
  readonly tag: LogTag;
  /** Without secrets. */
  readonly message: string;
}

/** Where log lines end up. Must not throw. */
export interface LogSink {
  write(line: LogLine): void;
}

const order: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];

export interface LoggerParts {
  readonly sinks: readonly LogSink[];
  /** Lines below this level are dropped. */
  readonly level: LogLevel;
  readonly now: () => number;
}

export function createLogger({ sinks, level, now }: LoggerParts): Logger {
  const lowest = order.indexOf(level);
  return loggerOf((lineLevel, tag, message) => {
    if (order.indexOf(lineLevel) >= lowest) {
      for (const sink of sinks) {
        sink.write({ at: now(), level: lineLevel, tag, message });
      }
    }
  });
}

/** Tells both. */
export function both(first: Logger, second: Logger): Logger {
  return loggerOf((level, tag, message) => {
    first[level](tag, message);
    second[level](tag, message);
  });
}

/** In front of every sink: nothing that is logged keeps a secret, error texts and causes included. */
export function withoutSecrets(logger: Logger, redact: (text: string) => string): Logger {
  return loggerOf((level, tag, message) => {
    logger[level](tag, redact(message));
  });
}

/** One line for people. */
export function formatLine({ at, level, tag, message }: LogLine): string {
  return `${new Date(at).toISOString()} [${level}] ${tag}: ${message}`;
}

function loggerOf(write: (level: LogLevel, tag: LogTag, message: string) => void): Logger {
  return {
    trace: (tag, message) => write('trace', tag, message),
    debug: (tag, message) => write('debug', tag, message),
    info: (tag, message) => write('info', tag, message),
    warn: (tag, message) => write('warn', tag, message),
    error: (tag, message, error) =>
      write('error', tag, error === undefined ? message : `${message}: ${describe(error)}`),
  };
}

/** Stacks help whoever reports a bug; the chain of causes tells what really went wrong. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause === undefined ? own : `${own}\ncaused by ${describe(error.cause)}`;
}
