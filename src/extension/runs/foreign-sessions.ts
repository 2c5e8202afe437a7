import { basename, dirname, relative, isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import type { App, SessionSummary } from '../../app/app-contract';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Logger } from '../../core/ports/logger';

interface Parts {
  readonly app: Pick<App, 'listSessions'>;
  /** The list of sessions that all shells share. */
  readonly registryFile: string;
  readonly logger: Logger;
}

/** Sessions about the open folders that other shells of the user keep: the command line, a program, another window. */
export class ForeignSessions implements Disposable {
  readonly #parts: Parts;
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new vscode.EventEmitter<void>());
  /** Something in the list has begun or ended. */
  readonly onDidChange = this.#changes.event;

  constructor(parts: Parts) {
    this.#parts = parts;
    const folder = vscode.Uri.file(dirname(parts.registryFile));
    const pattern = new vscode.RelativePattern(folder, basename(parts.registryFile));
    const watcher = this.#store.add(vscode.workspace.createFileSystemWatcher(pattern));
    const tell = (): void => this.#changes.fire();
    this.#store.add(watcher.onDidChange(tell));
    this.#store.add(watcher.onDidCreate(tell));
    // A folder that is made later is not watched everywhere; whoever comes back to the window looks anew.
    this.#store.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) {
          tell();
        }
      }),
    );
  }

  /** Never rejects: what cannot be read is left out. */
  async list(): Promise<readonly SessionSummary[]> {
    try {
      const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
      return (await this.#parts.app.listSessions()).filter(
        ({ isOwn, runs }) => !isOwn && runs.some((run) => isAbout(run.folders ?? [], folders)),
      );
    } catch (error) {
      this.#parts.logger.error('storage', 'The sessions of other shells are not listed.', error);
      return [];
    }
  }

  dispose(): void {
    this.#store.dispose();
  }
}

/** A run worked in an open folder, below one, or on one from above. */
function isAbout(ofRun: readonly string[], open: readonly string[]): boolean {
  return ofRun.some((path) => open.some((folder) => isIn(folder, path) || isIn(path, folder)));
}

function isIn(folder: string, path: string): boolean {
  const inner = relative(folder, path);
  return inner === '' || (!inner.startsWith('..') && !isAbsolute(inner));
}
