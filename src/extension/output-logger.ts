import type { LogOutputChannel } from 'vscode';
import type { Logger } from '../core/ports/logger';

/** Writes to the "MassGen" output channel; its level is the user's, set with the editor's own command. */
export function outputLogger(channel: LogOutputChannel): Logger {
  return {
    trace: (tag, message) => channel.trace(`[${tag}] ${message}`),
    debug: (tag, message) => channel.debug(`[${tag}] ${message}`),
    info: (tag, message) => channel.info(`[${tag}] ${message}`),
    warn: (tag, message) => channel.warn(`[${tag}] ${message}`),
    error(tag, message, error): void {
      channel.error(`[${tag}] ${message}`);
      if (error !== undefined) {
        channel.error(error instanceof Error ? error : JSON.stringify(error));
      }
    },
  };
}
