import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable';
import type { WindowRuns } from '../runs/window-runs';
import type { LazyFiles, ProposalContent, ProposalSource } from './lazy-files';
import { baseScheme, fromProposalUri } from './proposal-uri';
import type { ReviewDesk } from './review-desk';

/** An open proposal is read again this long after the user's file changed, ms. */
const settleMs = 150;

/**
 * What the two read-only file systems serve. A proposal is shown carried over to the user's present file, so it is
 * read again whenever that file or a decision changes.
 */
export class Proposals implements ProposalSource, Disposable {
  readonly #desk: ReviewDesk;
  readonly #files: { readonly base: LazyFiles; readonly proposed: LazyFiles };
  readonly #store = new DisposableStore();
  readonly #served = new Map<
    string,
    { readonly uri: vscode.Uri; readonly content: ProposalContent }
  >();
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    desk: ReviewDesk,
    runs: WindowRuns,
    files: { readonly base: LazyFiles; readonly proposed: LazyFiles },
  ) {
    this.#desk = desk;
    this.#files = files;
    this.#store.add(toDisposable(() => clearTimeout(this.#timer)));
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme === 'file') this.#refreshSoon();
      }),
    );
    this.#store.add(vscode.workspace.onDidSaveTextDocument(() => this.#refreshSoon()));
    this.#store.add(
      runs.onNews(({ events }) => {
        if (events.some(({ event }) => event.type === 'file-decided')) this.#refreshSoon();
      }),
    );
  }

  async read(uri: vscode.Uri): Promise<ProposalContent | undefined> {
    const target = fromProposalUri(uri);
    const versions =
      target === undefined ? undefined : await this.#desk.versions(target, this.#closing.signal);
    if (versions === undefined) {
      return undefined;
    }
    const { base, merged, proposed } = versions;
    // A side on which the file does not exist is shown as empty.
    const bytes = (uri.scheme === baseScheme ? base : (merged ?? proposed)) ?? new Uint8Array();
    const key = uri.toString();
    const before = this.#served.get(key)?.content;
    const isSame = before !== undefined && Buffer.compare(before.bytes, bytes) === 0;
    const content = isSame ? before : { bytes, changedAt: Date.now() };
    this.#served.set(key, { uri, content });
    return content;
  }

  dispose(): void {
    this.#closing.abort();
    this.#store.dispose();
    this.#served.clear();
  }

  #refreshSoon(): void {
    if (this.#served.size === 0 || this.#store.isDisposed) {
      return;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#refresh();
    }, settleMs);
  }

  async #refresh(): Promise<void> {
    const changed: vscode.Uri[] = [];
    for (const { uri, content } of [...this.#served.values()]) {
      const now = await this.read(uri).catch(() => undefined);
      if (now !== undefined && now !== content) {
        changed.push(uri);
      }
    }
    if (changed.length > 0 && !this.#store.isDisposed) {
      this.#files.base.changed(changed.filter(({ scheme }) => scheme === baseScheme));
      this.#files.proposed.changed(changed.filter(({ scheme }) => scheme !== baseScheme));
    }
  }
}
