// The rows of the native review tree: a file, and its parts below it.
import { posix } from 'node:path';
import * as vscode from 'vscode';
import { isDeliverable } from '../../run/selectors/deliverables';
import type { ReviewDecision, ReviewFile } from '../../run/state';
import { foreignLabels } from '../../run/selectors/mix';
import { playerName } from '../../run/selectors/player-name';
import { cautionInWords, riskOf } from '../review/caution';
import { type FilePart, partsOf } from '../review/parts';
import type { ProposalTarget } from '../review/proposal-uri';
import { type FileTarget, type ShownRun, livePathOf } from '../review/review-targets';
import {
  capitalized,
  countsOf,
  decisionInWords,
  joined,
  kindOf,
  lineCounts,
  linesOf,
  shortKindOf,
  spokenFile,
  spokenPart,
  wholeFileInWords,
  withoutIcons,
} from '../review/review-words';
import type { TreeRow } from './lazy-tree';

/** A row that stands for one file or part of a review; commands take it as their argument. */
export interface ReviewRow extends TreeRow {
  readonly target: ProposalTarget;
  readonly children?: readonly ReviewRow[];
}

/** So many parts are shown without opening their files first. */
const openParts = 24;

export function isReviewRow(value: unknown): value is ReviewRow {
  return typeof value === 'object' && value !== null && 'item' in value && 'target' in value;
}

/** What needs its own Accept comes last, as it is not part of Accept All. */
export function toRows(run: ShownRun, targets: readonly FileTarget[]): readonly ReviewRow[] {
  const parts = targets.reduce((sum, { file }) => sum + (file.hunks?.length ?? 0), 0);
  const isOpen = parts <= openParts;
  const ordered = targets.toSorted(
    (a, b) => Number(a.file.caution !== undefined) - Number(b.file.caution !== undefined),
  );
  return ordered.map((target) => toFileRow(run, target, isOpen));
}

function toFileRow(run: ShownRun, target: FileTarget, isOpen: boolean): ReviewRow {
  const { file, runId, label, root, path } = target;
  const plain: ProposalTarget = { runId, label, root, path };
  const parts = partsOf(file, label);
  const hasParts = parts.length > 1 || file.parts !== undefined;
  const children = !hasParts ? [] : parts.map((part) => toPartRow(run, plain, part));
  const item = new vscode.TreeItem(posix.basename(path), collapsible(children, isOpen));
  const isOwn = isDeliverable(run.state(), root);
  const origins = foreignLabels(file, label);
  const live = livePathOf(run, target);
  item.id = [runId, label, root, path].join('\n');
  item.resourceUri = vscode.Uri.file(live ?? `/${path}`);
  item.iconPath = file.caution !== undefined && file.decision === 'pending' ? shield : iconOf(file);
  item.description = joined(
    [
      countsOf(file),
      progressOf(file, parts),
      origins.length === 0 ? '' : vscode.l10n.t('with {0}', origins.join(', ')),
      shortKindOf(file),
      folderOf(run, file),
    ],
    ' · ',
  );
  item.tooltip = joined(
    [
      `${root}/${path}`,
      kindOf(file),
      file.baseMoved === true ? vscode.l10n.t('You changed it since the run began.') : '',
      file.caution === undefined ? '' : riskOf(file),
      wholeFileInWords(file),
      file.detail ?? '',
    ],
    '\n',
  );
  item.contextValue = isOwn ? 'deliverable' : contextOf('file', file, parts);
  item.accessibilityInformation = { label: spokenFile(file, spokenExtras(file, parts, isOwn)) };
  item.command = openDiff(plain);
  return { item, target: plain, children };
}

function toPartRow(run: ShownRun, file: ProposalTarget, part: FilePart): ReviewRow {
  const target: ProposalTarget = { ...file, hunk: part.hunk.id };
  const item = new vscode.TreeItem(capitalized(linesOf(part.hunk)));
  const isForeign = part.from !== file.label;
  item.id = [file.runId, file.label, file.root, file.path, part.hunk.id].join('\n');
  item.iconPath = part.decision === 'pending' ? new vscode.ThemeIcon('diff') : iconOf(part);
  item.description = joined(
    [
      lineCounts(part.hunk),
      isForeign ? vscode.l10n.t('from {0}', part.from) : '',
      decisionInWords(part.decision),
      withoutIcons(part.hunk.title),
    ],
    ' · ',
  );
  item.tooltip = joined([authorOf(run, part), part.hunk.title, part.detail], '\n');
  item.contextValue = `hunk-${part.decision}`;
  item.accessibilityInformation = { label: spokenPart(file.path, part, isForeign) };
  item.command = openDiff(target);
  return { item, target };
}

/** `agent2.1 (opal-9)`: who wrote it. */
function authorOf(run: ShownRun, { from }: Pick<FilePart, 'from'>): string {
  const author = run
    .state()
    .agents.find(({ revisions }) => revisions.some(({ label }) => label === from));
  return author === undefined ? from : `${from} (${playerName(author.info)})`;
}

function openDiff(target: ProposalTarget): vscode.Command {
  return {
    command: 'massgen.openFileDiff',
    title: vscode.l10n.t('Open Diff'),
    arguments: [target],
  };
}

function collapsible(
  children: readonly ReviewRow[],
  isOpen: boolean,
): vscode.TreeItemCollapsibleState {
  if (children.length === 0) {
    return vscode.TreeItemCollapsibleState.None;
  }
  return isOpen
    ? vscode.TreeItemCollapsibleState.Expanded
    : vscode.TreeItemCollapsibleState.Collapsed;
}

/** `file-pending`; with `-some` where a part has been decided that can be taken back. */
function contextOf(kind: string, file: ReviewFile, parts: readonly FilePart[]): string {
  const isOpen = file.decision === 'pending' || file.decision === 'conflict';
  const some = isOpen && parts.some(({ decision }) => isSettled(decision)) ? '-some' : '';
  return `${kind}-${file.decision}${some}`;
}

function isSettled(decision: ReviewDecision): boolean {
  return decision === 'accepted' || decision === 'rejected';
}

/** How far a file is decided: a word, or how many of its parts. */
function progressOf(file: ReviewFile, parts: readonly FilePart[]): string {
  const accepted = parts.filter(({ decision }) => decision === 'accepted').length;
  const isMixed = accepted > 0 && accepted < parts.length;
  if (isMixed && file.decision !== 'conflict') {
    return vscode.l10n.t('{0} of {1} accepted', accepted, parts.length);
  }
  return file.decision === 'pending' ? cautionInWords(file) : decisionInWords(file.decision);
}

function spokenExtras(
  file: ReviewFile,
  parts: readonly FilePart[],
  isOwn: boolean,
): readonly string[] {
  return [
    parts.length > 1 ? vscode.l10n.t('{0} hunks', parts.length) : '',
    isOwn ? vscode.l10n.t('to be saved') : '',
    file.decision === 'pending' ? cautionInWords(file).toLowerCase() : '',
  ];
}

const shield = new vscode.ThemeIcon('shield', new vscode.ThemeColor('list.warningForeground'));

function iconOf({ decision }: { readonly decision: ReviewDecision }): vscode.ThemeIcon {
  switch (decision) {
    case 'accepted':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('charts.green'));
    case 'rejected':
      return new vscode.ThemeIcon('circle-slash');
    case 'conflict':
      return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
    case 'pending':
      return vscode.ThemeIcon.File;
  }
}

function folderOf(run: ShownRun, { root, path }: ReviewFile): string {
  const folder = posix.dirname(path) === '.' ? '' : posix.dirname(path);
  const needsRoot = run.state().contextRoots.length > 1 || isDeliverable(run.state(), root);
  return needsRoot ? posix.join(root, folder) : folder;
}
