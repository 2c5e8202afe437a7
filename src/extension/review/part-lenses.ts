import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { ShownHunk } from '../../core/ports/review';
import type { WindowRuns } from '../runs/window-runs';
import { partsAsShown } from './parts';
import { type ProposalTarget, fromProposalUri, proposedScheme } from './proposal-uri';
import type { ReviewDesk } from './review-desk';
import { decisionInWords } from './review-words';
import { reasonsAsMarkdown, reasonsFor } from './why';

/**
 * The same actions as in the tree, above each part of a proposal, and what the votes say about it on hovering. An extra:
 * in diff editors the user has to turn lenses on (`diffEditor.codeLens`).
 */
export class PartLenses implements vscode.CodeLensProvider, vscode.HoverProvider, Disposable {
  readonly #desk: ReviewDesk;
  readonly #runs: WindowRuns;
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.#changes.event;

  constructor(desk: ReviewDesk, runs: WindowRuns) {
    this.#desk = desk;
    this.#runs = runs;
    const selector = { scheme: proposedScheme };
    this.#store.add(vscode.languages.registerCodeLensProvider(selector, this));
    this.#store.add(vscode.languages.registerHoverProvider(selector, this));
    this.#store.add(
      runs.onNews(({ events }) => {
        const types = events.map(({ event }) => event.type);
        if (types.includes('file-decided') || types.includes('mix-picked')) this.#changes.fire();
      }),
    );
  }

  async provideCodeLenses(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeLens[]> {
    const target = fromProposalUri(document.uri);
    const hunks = target === undefined ? [] : await this.#hunks(target, token);
    return hunks.flatMap((hunk) =>
      target === undefined || hunk.merged === null
        ? []
        : lensesOf({ ...target, hunk: hunk.info.id }, hunk, hunk.merged.start),
    );
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    const target = fromProposalUri(document.uri);
    const run = target === undefined ? undefined : this.#runs.get(target.runId);
    const hunks = target === undefined ? [] : await this.#hunks(target, token);
    const hunk = hunks.find(
      ({ merged }) =>
        merged !== null && position.line >= merged.start && position.line < merged.end,
    );
    if (target === undefined || run === undefined || hunk === undefined) {
      return undefined;
    }
    const part = { ...target, hunk: hunk.info.id };
    const votes = await reasonsFor(this.#desk, run, part, signalOf(token));
    const text = reasonsAsMarkdown(votes);
    return text.value === '' ? undefined : new vscode.Hover(text);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #hunks(
    target: ProposalTarget,
    token: vscode.CancellationToken,
  ): Promise<readonly ShownHunk[]> {
    const versions = await this.#desk.versions(target, signalOf(token));
    return versions === undefined ? [] : partsAsShown(versions);
  }
}

function signalOf(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}

function lensesOf(target: ProposalTarget, hunk: ShownHunk, line: number): vscode.CodeLens[] {
  const range = new vscode.Range(line, 0, line, 0);
  const lens = (title: string, command: string): vscode.CodeLens =>
    new vscode.CodeLens(range, { title, command, arguments: [target] });
  const isOpen = hunk.decision === 'pending';
  const decision = decisionInWords(hunk.decision);
  return [
    ...(decision === '' ? [] : [lens(`${decision} (${hunk.from})`, 'massgen.why')]),
    ...(isOpen
      ? [
          lens(vscode.l10n.t('Accept'), 'massgen.acceptHunk'),
          lens(vscode.l10n.t('Reject'), 'massgen.rejectHunk'),
        ]
      : hunk.decision === 'conflict'
        ? [lens(vscode.l10n.t('Open Conflict'), 'massgen.openConflict')]
        : [lens(vscode.l10n.t('Undo'), 'massgen.undoHunk')]),
    ...(isOpen ? [lens(vscode.l10n.t('Why ({0})', hunk.from), 'massgen.why')] : []),
    lens(vscode.l10n.t('From Another Agent…'), 'massgen.fromAnotherAgent'),
  ];
}
