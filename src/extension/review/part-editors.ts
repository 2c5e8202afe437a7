import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { ShownHunk } from '../../core/ports/review';
import { isCancelled } from '../../core/errors';
import type { Logger } from '../../core/ports/logger';
import type { WindowRuns } from '../runs/window-runs';
import { activeProposal } from './diff-editors';
import { type DiffSide, partAtLine, partBeside, partsAsShown } from './parts';
import type { ProposalTarget } from './proposal-uri';
import { fromProposalUri, proposedScheme } from './proposal-uri';
import type { ReviewDesk } from './review-desk';
import { fileOf } from './review-targets';
import { decisionInWords, joined, linesOf, spokenPart } from './review-words';

/** Where the cursor is in a diff of a review. */
interface Place {
  readonly target: ProposalTarget;
  readonly editor: vscode.TextEditor;
  readonly side: DiffSide;
}

/** The parts of the proposal that has the focus: which one the cursor is in, and the way to the next. */
export class PartEditors implements Disposable {
  readonly #desk: ReviewDesk;
  readonly #runs: WindowRuns;
  readonly #logger: Logger;
  readonly #store = new DisposableStore();
  readonly #item: vscode.StatusBarItem;
  readonly #mark: vscode.TextEditorDecorationType;
  readonly #closing = new AbortController();
  /** Of the proposal that is shown; read again when the text or a decision changes. */
  #shown: { readonly key: string; readonly hunks: readonly ShownHunk[] } | undefined;

  constructor(desk: ReviewDesk, runs: WindowRuns, logger: Logger) {
    this.#desk = desk;
    this.#runs = runs;
    this.#logger = logger;
    const { window, workspace } = vscode;
    this.#item = this.#store.add(
      window.createStatusBarItem('massgen.hunk', vscode.StatusBarAlignment.Left, 9),
    );
    this.#item.name = vscode.l10n.t('MassGen Hunk');
    this.#mark = this.#store.add(
      window.createTextEditorDecorationType({
        overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.infoForeground'),
        overviewRulerLane: vscode.OverviewRulerLane.Center,
      }),
    );
    const refresh = (): void => void this.refresh();
    this.#store.add(window.onDidChangeActiveTextEditor(refresh));
    this.#store.add(window.tabGroups.onDidChangeTabs(refresh));
    this.#store.add(window.onDidChangeTextEditorSelection(() => this.#showPlace()));
    this.#store.add(
      workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme === proposedScheme) refresh();
      }),
    );
    this.#store.add(
      runs.onNews(({ events }) => {
        const types = events.map(({ event }) => event.type);
        if (types.includes('file-decided') || types.includes('mix-picked')) refresh();
      }),
    );
  }

  /** The part under the cursor. */
  async current(): Promise<ProposalTarget | undefined> {
    await this.refresh();
    const place = this.#place();
    const hunk = place === undefined ? undefined : this.#partUnder(place);
    return place === undefined || hunk === undefined
      ? undefined
      : { ...place.target, hunk: hunk.info.id };
  }

  /** Moves the cursor to the next part below (1) or above (-1). */
  async move(step: 1 | -1): Promise<void> {
    await this.refresh();
    const place = this.#place();
    const line = place?.editor.selection.active.line;
    if (place === undefined || line === undefined) {
      return;
    }
    const next = partBeside(this.#shown?.hunks ?? [], place.side, { line, step });
    const start = next?.[place.side]?.start;
    if (start !== undefined) {
      const last = Math.max(place.editor.document.lineCount - 1, 0);
      const at = new vscode.Position(Math.min(start, last), 0);
      place.editor.selection = new vscode.Selection(at, at);
      place.editor.revealRange(
        new vscode.Range(at, at),
        vscode.TextEditorRevealType.InCenterIfOutsideViewport,
      );
      this.#showPlace();
    }
  }

  /** The line in the proposed text at which a part begins; `undefined` when it has no place there. */
  async lineOf(target: ProposalTarget): Promise<number | undefined> {
    const versions = await this.#desk.versions(target, this.#closing.signal);
    const hunks = versions === undefined ? [] : partsAsShown(versions);
    return hunks.find(({ info }) => info.id === target.hunk)?.merged?.start;
  }

  /** Reads the parts of the shown proposal anew. Never rejects. */
  async refresh(): Promise<void> {
    const target = activeProposal();
    const key = JSON.stringify(target ?? null);
    try {
      const versions =
        target === undefined ? undefined : await this.#desk.versions(target, this.#closing.signal);
      if (key === JSON.stringify(activeProposal() ?? null)) {
        this.#shown = { key, hunks: versions === undefined ? [] : partsAsShown(versions) };
      }
    } catch (error) {
      if (!isCancelled(error) && !this.#closing.signal.aborted) {
        this.#logger.error('view', 'The hunks of a proposal could not be read.', error);
      }
    }
    if (!this.#store.isDisposed) {
      this.#setContexts(target);
      this.#decorate();
      this.#showPlace();
    }
  }

  dispose(): void {
    this.#closing.abort();
    this.#store.dispose();
  }

  #place(): Place | undefined {
    const target = activeProposal();
    const editor =
      vscode.window.activeTextEditor ??
      vscode.window.visibleTextEditors.find(({ document }) => isProposed(document.uri));
    if (target === undefined || editor === undefined) {
      return undefined;
    }
    return { target, editor, side: isProposed(editor.document.uri) ? 'merged' : 'live' };
  }

  #partUnder({ editor, side }: Place): ShownHunk | undefined {
    return partAtLine(this.#shown?.hunks ?? [], side, editor.selection.active.line);
  }

  #setContexts(target: ProposalTarget | undefined): void {
    const run = target === undefined ? undefined : this.#runs.get(target.runId);
    const file = run === undefined || target === undefined ? undefined : fileOf(run, target);
    setContext('massgen.proposalHasHunks', (this.#shown?.hunks.length ?? 0) > 0);
    setContext('massgen.proposalIsConflict', file?.decision === 'conflict');
  }

  /** Marks beside the scroll bar, with a word about what was decided or who wrote it. */
  #decorate(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const target = fromProposalUri(editor.document.uri);
      if (isProposed(editor.document.uri) && JSON.stringify(target) === this.#shown?.key) {
        const { hunks } = this.#shown;
        const label = target?.label ?? '';
        editor.setDecorations(
          this.#mark,
          hunks.flatMap((hunk) => markOf(editor.document, hunk, label)),
        );
      }
    }
  }

  /** Says in the status bar which part the cursor is in; a screen reader reads it as it changes. */
  #showPlace(): void {
    const place = this.#place();
    const hunk = place === undefined ? undefined : this.#partUnder(place);
    if (place === undefined || hunk === undefined) {
      this.#item.hide();
      return;
    }
    const all = this.#shown?.hunks ?? [];
    const number = vscode.l10n.t('Hunk {0} of {1}', all.indexOf(hunk) + 1, all.length);
    const state = decisionInWords(hunk.decision) || vscode.l10n.t('not decided');
    this.#item.text = joined([number, state, hunk.from], ' · ');
    const part = { hunk: hunk.info, from: hunk.from, decision: hunk.decision, detail: '' };
    const isForeign = hunk.from !== place.target.label;
    const label = `${number}: ${spokenPart(place.target.path, part, isForeign)}`;
    this.#item.accessibilityInformation = { label, role: 'status' };
    this.#item.tooltip = joined([linesOf(hunk.info), hunk.info.title], '\n');
    this.#item.show();
  }
}

function isProposed(uri: vscode.Uri): boolean {
  return uri.scheme === proposedScheme;
}

function markOf(
  document: vscode.TextDocument,
  hunk: ShownHunk,
  label: string,
): readonly vscode.DecorationOptions[] {
  if (hunk.merged === null || document.lineCount === 0) {
    return [];
  }
  const line = Math.min(hunk.merged.start, document.lineCount - 1);
  const words = joined(
    [hunk.from === label ? '' : hunk.from, decisionInWords(hunk.decision)],
    ' · ',
  );
  const range = document.lineAt(line).range;
  const color = new vscode.ThemeColor('editorCodeLens.foreground');
  const after = { contentText: words, color, margin: '0 0 0 2em' };
  return [{ range, ...(words === '' ? {} : { renderOptions: { after } }) }];
}

function setContext(key: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
