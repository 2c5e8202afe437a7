// Running the checks on what is proposed now, and what to say of their result before an Accept.
import * as vscode from 'vscode';
import type { RunHandle } from '../../app/app-contract';
import { linkAbort } from '../../base/abort';
import { MassGenError } from '../../core/errors';
import { selectMix } from '../../run/selectors/mix';
import { proposalInWords } from './check-words';

/** With progress. The user can stop it, which leaves nothing behind and no result. */
export async function checkProposalNow(run: RunHandle, signal: AbortSignal): Promise<void> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Running the checks on this proposal'),
    cancellable: true,
  };
  const report = await vscode.window.withProgress(options, async (_progress, token) => {
    const branch = linkAbort(signal);
    token.onCancellationRequested(() =>
      branch.abort(new MassGenError('cancelled/user', 'The checks were stopped.')),
    );
    try {
      return await run.checkMix(branch.signal);
    } finally {
      branch.dispose();
    }
  });
  if (report === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('This team has no checks, so there is nothing to run.'),
    );
    return;
  }
  const words = proposalInWords(run.state());
  vscode.window.setStatusBarMessage(vscode.l10n.t('MassGen: {0}', words), 10_000);
}

/** Says what the proposal has lost against the best single answer. `false`: it shall not be accepted now. */
export async function confirmMix(run: RunHandle): Promise<boolean> {
  const mix = selectMix(run.state(), vscode.env.language);
  if (mix?.status !== 'worse') {
    return true;
  }
  const accept = vscode.l10n.t('Accept Anyway');
  const look = vscode.l10n.t('Look');
  const choice = await vscode.window.showWarningMessage(mix.sentence, accept, look);
  if (choice === look) {
    await vscode.commands.executeCommand('massgen.openReview', run.runId);
  }
  return choice === accept;
}
