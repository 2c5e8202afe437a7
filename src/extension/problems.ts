import * as vscode from 'vscode';
import { isCancelled, isMassGenError } from '../core/errors';
import type { Logger } from '../core/ports/logger';

/** Shows one failure to the user, once while its message is open; a cancellation is no failure. */
export class Problems {
  readonly #logger: Logger;
  readonly #open = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** `what` is for the log; `toText` makes what the user reads. */
  report(what: string, error: unknown, toText = toSentences): void {
    if (isCancelled(error)) {
      return;
    }
    this.#logger.error('view', what, error);
    void this.#show(toText(error));
  }

  async #show(text: string): Promise<void> {
    if (this.#open.has(text)) {
      return;
    }
    this.#open.add(text);
    const showLogs = vscode.l10n.t('Show Logs');
    const choice = await vscode.window.showErrorMessage(text, showLogs);
    this.#open.delete(text);
    if (choice === showLogs) {
      await vscode.commands.executeCommand('massgen.showLogs');
    }
  }
}

/** What happened and what the user can do, for a message or a line of the panel. */
export function toSentences(error: unknown): string {
  if (isMassGenError(error)) {
    return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
  }
  return error instanceof Error ? error.message : String(error);
}
