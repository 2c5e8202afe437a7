// The user goes on working while agents do: what they began with must not change under their hands.
import { lstatSync, readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Logger } from '../../core/ports/logger';
import type { RunHandle } from '../../app/app-contract';

/** The runs that are at work now. */
interface LiveRuns {
  readonly live: readonly Pick<RunHandle, 'state' | 'keepBase'>[];
}

/** Larger files are left to the comparison of sizes and times that each look at a file begins with. */
const largestBytes = 64 * 1024 * 1024;

/** Hands each live run the bytes of a file on the disk just before the editor changes, moves or deletes it. */
export class KeepBases implements Disposable {
  readonly #runs: LiveRuns;
  readonly #logger: Pick<Logger, 'error'>;
  readonly #store = new DisposableStore();

  constructor(runs: LiveRuns, logger: Pick<Logger, 'error'>) {
    this.#runs = runs;
    this.#logger = logger;
    const { workspace } = vscode;
    // Each is read before the event returns: afterwards the editor writes.
    this.#store.add(workspace.onWillSaveTextDocument(({ document }) => this.#keep(document.uri)));
    this.#store.add(
      workspace.onWillDeleteFiles(({ files }) => files.forEach((uri) => this.#keep(uri))),
    );
    this.#store.add(
      workspace.onWillRenameFiles(({ files }) =>
        files.forEach(({ oldUri, newUri }) => {
          this.#keep(oldUri);
          this.#keep(newUri);
        }),
      ),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  #keep(uri: vscode.Uri): void {
    const path = uri.fsPath;
    const runs = this.#runs.live.filter((run) =>
      run.state().contextRoots.some((root) => isInside(path, root.path)),
    );
    if (uri.scheme !== 'file' || runs.length === 0) {
      return;
    }
    try {
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (stat?.isFile() === true && stat.size <= largestBytes) {
        const bytes = readFileSync(path);
        runs.forEach((run) => run.keepBase(path, bytes));
      }
    } catch (error) {
      this.#logger.error('workspace', `The old content of ${path} could not be kept.`, error);
    }
  }
}

function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(/[/\\]$/.test(root) ? root : `${root}/`);
}
