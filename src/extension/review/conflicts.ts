import { posix } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { FileVersions, ReviewTarget } from '../../core/ports/review';
import type { WindowRuns } from '../runs/window-runs';
import { hasOpenMarkers, isSameContent, takeProposedSides, toFileBytes } from './conflict-text';
import { languageIdFor } from './language-of';
import type { ProposalTarget } from './proposal-uri';
import type { ReviewDesk } from './review-desk';
import { livePathOf } from './review-targets';

interface Scratch {
  readonly target: ProposalTarget;
  /** The user's file as it was when the merged text was made. */
  readonly live: Uint8Array | undefined;
}

/**
 * The conflict view: the user's file beside a scratch document that holds both versions between markers. The user edits
 * that and takes the result, or takes one side. The scratch document is never the user's file; closing it decides
 * nothing.
 */
export class Conflicts implements Disposable {
  readonly #desk: ReviewDesk;
  readonly #runs: WindowRuns;
  readonly #store = new DisposableStore();
  readonly #scratch = new Map<string, Scratch>();

  constructor(desk: ReviewDesk, runs: WindowRuns) {
    this.#desk = desk;
    this.#runs = runs;
    const { window, workspace } = vscode;
    this.#store.add(window.onDidChangeActiveTextEditor(() => this.#updateContext()));
    this.#store.add(window.tabGroups.onDidChangeTabs(() => this.#updateContext()));
    this.#store.add(
      workspace.onDidCloseTextDocument(({ uri }) => {
        this.#scratch.delete(uri.toString());
      }),
    );
  }

  async open(target: ProposalTarget, signal: AbortSignal): Promise<void> {
    const versions = await this.#desk.versions(target, signal);
    if (versions === undefined) {
      return;
    }
    if (versions.mergedWithMarkers !== undefined) {
      await this.#showScratch(target, versions.mergedWithMarkers, versions.live);
    }
    await this.#offerSides(target, versions, signal);
  }

  /** The target that the scratch document in the active editor is about. */
  activeTarget(): ProposalTarget | undefined {
    const uri = activeScratch();
    return uri === undefined ? undefined : this.#scratch.get(uri.toString())?.target;
  }

  async keepMine(target: ProposalTarget, signal: AbortSignal): Promise<void> {
    await this.#desk.decide(target.runId, 'reject', [target], signal);
  }

  /** In the places of the conflict; edits of the user elsewhere in the file stay. */
  async takeProposed(target: ProposalTarget, signal: AbortSignal): Promise<void> {
    const versions = await this.#desk.versions(target, signal);
    if (versions === undefined) {
      return;
    }
    const { live, mergedWithMarkers, proposed, isConflict } = versions;
    if (!isConflict) {
      // The user has taken his own change back meanwhile, so the proposal fits again.
      await this.#desk.decide(target.runId, 'accept', [target], signal);
      return;
    }
    if (mergedWithMarkers === undefined) {
      if (versions.hunks.length === 0 || (await confirmReplacing(target))) {
        await this.#desk.resolve(target, proposed, signal);
      }
      return;
    }
    const text = takeProposedSides(mergedWithMarkers);
    if (text === undefined) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('The file has conflict markers of its own. Edit the merged text instead.'),
      );
      return;
    }
    await this.#desk.resolve(target, toFileBytes(text, live), signal);
  }

  /** Accepts the parts of a file that still fit; those that overlap the user's lines stay open. */
  async acceptRest(target: ProposalTarget, signal: AbortSignal): Promise<void> {
    const versions = await this.#desk.versions(whole(target), signal);
    const fitting = versions === undefined ? [] : fittingParts(target, versions);
    if (fitting.length > 0) {
      await this.#desk.decide(target.runId, 'accept', fitting, signal);
    }
  }

  /** Takes the text of the active scratch document, once no marker is left in it. */
  async takeMergedText(signal: AbortSignal): Promise<void> {
    const uri = activeScratch();
    const scratch = this.#scratch.get(uri?.toString() ?? '');
    const document = vscode.workspace.textDocuments.find(
      (each) => each.uri.toString() === uri?.toString(),
    );
    if (document === undefined || scratch === undefined) {
      return;
    }
    const { target } = scratch;
    const text = document.getText();
    if (hasOpenMarkers(text)) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('The text still has conflict markers; settle them first.'),
      );
      return;
    }
    const live = (await this.#desk.versions(target, signal))?.live;
    if (!isSameContent(live, scratch.live)) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          'Your file changed after this text was made, and taking it would lose that. Open the conflict again.',
        ),
      );
      return;
    }
    if (!(await this.#desk.resolve(target, toFileBytes(text, live), signal))) {
      return;
    }
    this.#scratch.delete(document.uri.toString());
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }

  dispose(): void {
    this.#store.dispose();
    this.#scratch.clear();
  }

  /** Beside the user's file where there is one, so that both can be compared. */
  async #showScratch(
    target: ProposalTarget,
    text: string,
    live: Uint8Array | undefined,
  ): Promise<void> {
    const language = languageIdFor(target.path);
    const document = await vscode.workspace.openTextDocument({
      content: text,
      ...(language === undefined ? {} : { language }),
    });
    this.#scratch.set(document.uri.toString(), { target, live });
    const path = live === undefined ? undefined : this.#livePathOf(target);
    if (path === undefined) {
      await vscode.window.showTextDocument(document);
    } else {
      const title = vscode.l10n.t('{0} (yours ↔ merged text)', posix.basename(target.path));
      const own = vscode.Uri.file(path);
      await vscode.commands.executeCommand('vscode.diff', own, document.uri, title);
    }
    this.#updateContext();
  }

  #livePathOf(target: ProposalTarget): string | undefined {
    const run = this.#runs.get(target.runId);
    return run === undefined ? undefined : livePathOf(run, target);
  }

  async #offerSides(
    target: ProposalTarget,
    versions: FileVersions,
    signal: AbortSignal,
  ): Promise<void> {
    const { text, keep, take } = choicesFor(target, versions);
    const all = await this.#desk.versions(whole(target), signal);
    const fitting = all === undefined ? [] : fittingParts(target, all);
    const rest = vscode.l10n.t('Accept the Rest');
    const fits =
      all === undefined || fitting.length === 0
        ? ''
        : vscode.l10n.t('{0} of {1} hunks still fit.', fitting.length, all.hunks.length);
    const choices = fitting.length === 0 ? [keep, take] : [keep, take, rest];
    const choice = await vscode.window.showWarningMessage(`${text} ${fits}`.trim(), ...choices);
    if (choice === keep) {
      await this.keepMine(target, signal);
    } else if (choice === take) {
      await this.takeProposed(target, signal);
    } else if (choice === rest) {
      await this.acceptRest(target, signal);
    }
  }

  #updateContext(): void {
    const isConflictText = this.activeTarget() !== undefined;
    void vscode.commands.executeCommand('setContext', 'massgen.isConflictText', isConflictText);
  }
}

/** A text that cannot be merged here is replaced as a whole, the user's own edits with it. */
async function confirmReplacing({ path }: ProposalTarget): Promise<boolean> {
  const replace = vscode.l10n.t('Replace');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Replace all of {0}?', posix.basename(path)),
    {
      modal: true,
      detail: vscode.l10n.t(
        'Its encoding cannot be merged here, so your own edits in it go, too. Undo Accept brings them back.',
      ),
    },
    replace,
  );
  return choice === replace;
}

/** The document that is edited in the active editor, or on the right side of the active diff. */
function activeScratch(): vscode.Uri | undefined {
  const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputTextDiff) {
    return input.modified;
  }
  return input instanceof vscode.TabInputText ? input.uri : undefined;
}

function whole({ runId, label, root, path }: ProposalTarget): ProposalTarget {
  return { runId, label, root, path };
}

/** Undecided parts of the file that have a place in the user's present text. */
function fittingParts(
  { root, path, hunk }: ProposalTarget,
  { hunks }: FileVersions,
): readonly ReviewTarget[] {
  return hunks
    .filter(
      ({ info, decision, live }) => decision === 'pending' && live !== null && info.id !== hunk,
    )
    .map(({ info }) => ({ root, path, hunk: info.id }));
}

function choicesFor(
  { path }: ProposalTarget,
  { base, live, proposed }: FileVersions,
): { readonly text: string; readonly keep: string; readonly take: string } {
  const name = posix.basename(path);
  const keep = vscode.l10n.t('Keep Mine');
  if (live === undefined) {
    return {
      text: vscode.l10n.t('{0} is not in your folder any more.', name),
      keep: vscode.l10n.t('Leave It Away'),
      take: vscode.l10n.t('Create It at Its Path'),
    };
  }
  if (proposed === undefined) {
    return {
      text: vscode.l10n.t('{0} would be deleted, and you changed it.', name),
      keep,
      take: vscode.l10n.t('Delete It'),
    };
  }
  const text =
    base === undefined
      ? vscode.l10n.t('{0} would be new, and you have a file of that name.', name)
      : vscode.l10n.t(
          '{0} changed since the run began, and the proposal overlaps your change. Keep yours, take the proposal, or edit the merged text and choose Take Merged Text in its title.',
          name,
        );
  return { text, keep, take: vscode.l10n.t('Take Proposed') };
}
