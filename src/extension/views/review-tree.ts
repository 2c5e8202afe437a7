import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { RunHandle } from '../../app/app-contract';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { isDeliverable } from '../../run/selectors/deliverables';
import type { ReviewFile, RunState } from '../../run/state';
import type { ProposalTarget } from '../review/proposal-uri';
import { type ReviewDesk, livePathOf, targetsOf } from '../review/review-desk';
import type { WindowRuns } from '../runs/window-runs';
import type { TreeRow, TreeSource } from './lazy-tree';

/** A row that stands for one file of a review; commands take it as their argument. */
export interface ReviewRow extends TreeRow {
  readonly target: ProposalTarget;
}

/** The native tree of proposed files: name, counts, decision, and what can be done with each. */
export class ReviewTree implements TreeSource, Disposable {
  readonly #desk: ReviewDesk;
  readonly #view: vscode.TreeView<TreeRow>;
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changes.event;

  constructor(desk: ReviewDesk, runs: WindowRuns, view: vscode.TreeView<TreeRow>) {
    this.#desk = desk;
    this.#view = view;
    this.#store.add(runs.onDidChange(() => this.refresh()));
    this.#store.add(
      runs.onNews(({ events }) => {
        const isOfReview = events.some(
          ({ event }) => event.type === 'file-decided' || event.type === 'change-set-ready',
        );
        if (isOfReview) this.refresh();
      }),
    );
  }

  async rows(): Promise<readonly ReviewRow[]> {
    const run = this.#desk.current();
    return run === undefined ? [] : targetsOf(run).map((target) => toRow(run, target));
  }

  /** Draws the tree, its badge and the contexts of the commands anew. */
  refresh(): void {
    const state = this.#desk.current()?.state();
    const files = state?.review?.files ?? [];
    const open = state === undefined ? 0 : files.filter((file) => isUndecided(state, file)).length;
    const label = state?.review?.label;
    this.#view.description = label ?? '';
    const toReview =
      open === 1 ? vscode.l10n.t('1 file to review') : vscode.l10n.t('{0} files to review', open);
    this.#view.badge = open === 0 ? undefined : { value: open, tooltip: toReview };
    setContext('massgen.hasReview', files.length > 0);
    setContext('massgen.hasPendingReview', open > 0);
    setContext(
      'massgen.hasAcceptedFiles',
      files.some(({ decision }) => decision === 'accepted'),
    );
    this.#changes.fire();
  }

  dispose(): void {
    this.#store.dispose();
  }
}

export function isReviewRow(value: unknown): value is ReviewRow {
  return typeof value === 'object' && value !== null && 'item' in value && 'target' in value;
}

/** Files of an agent's own folder are taken with Save To…, so there is nothing to decide about them. */
function isUndecided(state: RunState, { decision, root }: ReviewFile): boolean {
  return !isDeliverable(state, root) && (decision === 'pending' || decision === 'conflict');
}

function setContext(key: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', key, value);
}

function toRow(run: RunHandle, target: ProposalTarget & { readonly file: ReviewFile }): ReviewRow {
  const { file } = target;
  const { runId, label, root, path } = target;
  const plain: ProposalTarget = { runId, label, root, path };
  const item = new vscode.TreeItem(posix.basename(path));
  const live = livePathOf(run, target);
  item.id = [runId, label, root, path].join('\n');
  item.resourceUri = vscode.Uri.file(live ?? `/${path}`);
  item.iconPath = iconOf(file);
  item.description = [countsOf(file), shortKindOf(file), folderOf(run, file), stateOf(file)]
    .filter((part) => part !== '')
    .join(' · ');
  item.tooltip = [`${root}/${path}`, kindOf(file), file.detail ?? ''].filter(Boolean).join('\n');
  item.contextValue = isDeliverable(run.state(), root) ? 'deliverable' : `file-${file.decision}`;
  item.accessibilityInformation = { label: spoken(file) };
  item.command = {
    command: 'massgen.openFileDiff',
    title: vscode.l10n.t('Open Diff'),
    arguments: [plain],
  };
  return { item, target: plain };
}

function iconOf({ decision }: ReviewFile): vscode.ThemeIcon {
  switch (decision) {
    case 'accepted':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('charts.green'));
    case 'rejected':
      return new vscode.ThemeIcon('discard');
    case 'conflict':
      return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
    case 'pending':
      return vscode.ThemeIcon.File;
  }
}

function countsOf({ added, removed, isBinary, sizeBytes }: ReviewFile): string {
  return isBinary
    ? vscode.l10n.t('{0} bytes', sizeBytes)
    : `+${String(added)} \u2212${String(removed)}`;
}

function folderOf(run: RunHandle, { root, path }: ReviewFile): string {
  const folder = posix.dirname(path) === '.' ? '' : posix.dirname(path);
  const needsRoot = run.state().contextRoots.length > 1 || isDeliverable(run.state(), root);
  return needsRoot ? posix.join(root, folder) : folder;
}

function stateOf({ decision, caution }: ReviewFile): string {
  switch (decision) {
    case 'accepted':
      return vscode.l10n.t('Accepted');
    case 'rejected':
      return vscode.l10n.t('Rejected');
    case 'conflict':
      return vscode.l10n.t('Conflict');
    case 'pending':
      return caution === undefined ? '' : cautionInWords(caution);
  }
}

function cautionInWords(caution: 'ignored' | 'sensitive'): string {
  return caution === 'ignored'
    ? vscode.l10n.t('Ignored file')
    : vscode.l10n.t('Needs its own Accept');
}

function kindOf({ kind }: ReviewFile): string {
  switch (kind) {
    case 'add':
      return vscode.l10n.t('New file');
    case 'modify':
      return vscode.l10n.t('Changed file');
    case 'delete':
      return vscode.l10n.t('Deleted file');
    case 'rename':
      return vscode.l10n.t('Moved file');
    case 'folder':
      return vscode.l10n.t('Empty folder');
    case 'mode':
      return vscode.l10n.t('Changed permissions');
    case 'link':
      return vscode.l10n.t('Symbolic link');
  }
}

/** A word for what the counts do not tell; empty for a change like any other. */
function shortKindOf({ kind }: ReviewFile): string {
  switch (kind) {
    case 'add':
      return vscode.l10n.t('new');
    case 'delete':
      return vscode.l10n.t('deleted');
    case 'modify':
      return '';
    case 'rename':
      return vscode.l10n.t('moved');
    case 'folder':
      return vscode.l10n.t('folder');
    case 'mode':
      return vscode.l10n.t('permissions');
    case 'link':
      return vscode.l10n.t('link');
  }
}

function spoken(file: ReviewFile): string {
  const state =
    file.decision === 'pending' ? vscode.l10n.t('not decided') : stateOf(file).toLowerCase();
  const counts = file.isBinary
    ? vscode.l10n.t('binary, {0} bytes', file.sizeBytes)
    : vscode.l10n.t('{0} added, {1} removed', file.added, file.removed);
  return [posix.basename(file.path), shortKindOf(file), counts, state]
    .filter((part) => part !== '')
    .join(', ');
}
