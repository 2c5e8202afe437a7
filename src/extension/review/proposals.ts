import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable';
import type { RunHandle } from '../../app/app-contract';
import type { WindowRuns } from '../runs/window-runs';
import type { LazyFiles, ProposalContent, ProposalSource } from './lazy-files';
import { type ProposalTarget, baseScheme, fromProposalUri } from './proposal-uri';
import type { ReviewDesk } from './review-desk';

/** An open proposal is read again this long after the user's file changed, ms. */
const settleMs = 150;

/**
 * What the two read-only file systems serve. A proposal is shown carried over to the user's present file, so it is
 * read again whenever that file or a decision changes.
 */
export class Proposals implements ProposalSource, Disposable {
  readonly #desk: ReviewDesk;
  readonly #runs: WindowRuns;
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
    this.#runs = runs;
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
        const types = events.map(({ event }) => event.type);
        if (types.includes('file-decided') || types.includes('mix-picked')) this.#refreshSoon();
      }),
    );
  }

  async read(uri: vscode.Uri): Promise<ProposalContent | undefined> {
    const target = fromProposalUri(uri);
    const bytes = target === undefined ? undefined : await this.#bytesOf(uri, target);
    if (bytes === undefined) {
      return undefined;
    }
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

  /** A side on which the file does not exist is shown as empty; `undefined`: it is no file of the review. */
  async #bytesOf(uri: vscode.Uri, target: ProposalTarget): Promise<Uint8Array | undefined> {
    const run = await this.#runs.open(target.runId);
    const { review } = run.state();
    if (uri.scheme === baseScheme && review !== null && target.label !== review.label) {
      return this.#ofOther(run, target);
    }
    const versions = await this.#desk.versions(target, this.#closing.signal);
    if (versions === undefined) {
      return undefined;
    }
    const { base, merged, proposed } = versions;
    return (uri.scheme === baseScheme ? base : (merged ?? proposed)) ?? new Uint8Array();
  }

  /** What another answer has at the path. */
  async #ofOther(run: RunHandle, { label, root, path }: ProposalTarget): Promise<Uint8Array> {
    const answers = run.state().agents.flatMap(({ revisions }) => revisions);
    const snapshotId = answers.find((answer) => answer.label === label)?.snapshotId ?? null;
    const bytes =
      snapshotId === null ? undefined : await run.readSnapshotFile(snapshotId, root, path);
    return bytes ?? new Uint8Array();
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
