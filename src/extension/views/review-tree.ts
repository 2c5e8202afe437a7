import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { hasChecks } from '../../run/checks';
import { isDeliverable } from '../../run/selectors/deliverables';
import type { ReviewFile, RunState } from '../../run/state';
import { proposalInWords } from '../review/check-words';
import type { ReviewDesk } from '../review/review-desk';
import { targetsOf } from '../review/review-targets';
import type { WindowRuns } from '../runs/window-runs';
import type { TreeRow, TreeSource } from './lazy-tree';
import { type ReviewRow, toRows } from './review-rows';

/** The tree is drawn once for all that happens within this time, ms. */
const settleMs = 50;

const shownEvents: ReadonlySet<string> = new Set([
  'file-decided',
  'mix-picked',
  'change-set-ready',
  'checks-started',
  'checks-ended',
]);

/** The native tree of proposed files: name, counts, decision, and what can be done with each. */
export class ReviewTree implements TreeSource, Disposable {
  readonly #desk: ReviewDesk;
  readonly #view: vscode.TreeView<TreeRow>;
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changes.event;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    { desk, runs }: { desk: ReviewDesk; runs: WindowRuns },
    view: vscode.TreeView<TreeRow>,
  ) {
    this.#desk = desk;
    this.#view = view;
    this.#store.add(runs.onDidChange(() => this.refresh()));
    this.#store.add(
      runs.onNews(({ events }) => {
        if (events.some(({ event }) => shownEvents.has(event.type))) this.#refreshSoon();
      }),
    );
  }

  async rows(): Promise<readonly ReviewRow[]> {
    const run = this.#desk.current();
    return run === undefined ? [] : toRows(run, targetsOf(run));
  }

  /** Draws the tree, its badge and the contexts of the commands anew. */
  refresh(): void {
    const state = this.#desk.current()?.state();
    const files = state?.review?.files ?? [];
    const open = files.filter((file) => state !== undefined && isUndecided(state, file)).length;
    this.#view.message = state === undefined ? '' : proposalInWords(state);
    const toReview =
      open === 1 ? vscode.l10n.t('1 file to review') : vscode.l10n.t('{0} files to review', open);
    this.#view.badge = open === 0 ? undefined : { value: open, tooltip: toReview };
    setContexts(files, open > 0, state !== undefined && hasChecks(state));
    this.#changes.fire();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#store.dispose();
  }

  #refreshSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (!this.#store.isDisposed) this.refresh();
    }, settleMs);
  }
}

function setContexts(files: readonly ReviewFile[], isOpen: boolean, isChecked: boolean): void {
  setContext('massgen.hasReview', files.length > 0);
  setContext('massgen.hasPendingReview', isOpen);
  setContext('massgen.hasAcceptedFiles', files.some(hasAccepted));
  setContext('massgen.hasDecisions', files.some(hasDecision));
  setContext('massgen.hasChecks', isChecked);
}

/** Files of an agent's own folder are taken with Save To…, so there is nothing to decide about them. */
function isUndecided(state: RunState, { decision, root }: ReviewFile): boolean {
  return !isDeliverable(state, root) && (decision === 'pending' || decision === 'conflict');
}

function hasAccepted(file: ReviewFile): boolean {
  const parts = Object.values(file.hunkDecisions ?? {});
  return file.decision === 'accepted' || parts.some(({ decision }) => decision === 'accepted');
}

function hasDecision(file: ReviewFile): boolean {
  const parts = Object.values(file.hunkDecisions ?? {});
  return (
    hasAccepted(file) ||
    file.decision === 'rejected' ||
    parts.some(({ decision }) => decision === 'rejected')
  );
}

function setContext(key: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
