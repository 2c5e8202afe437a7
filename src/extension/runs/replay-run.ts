import * as vscode from 'vscode';
import { linkAbort } from '../../base/abort';
import type { RunId } from '../../base/ids';
import { MassGenError, isMassGenError } from '../../core/errors';
import type { RecordedEvent } from '../../run/events';
import type { Services } from '../services';

/** Events between two reports of the progress. */
const reportEvery = 50;

/** Plays a stored run again through the same engine, without a network, and shows what came of it step by step. */
export async function replayRun(services: Services, runId: RunId): Promise<void> {
  const { app, panel, runs, signal } = services;
  const run = await runs.open(runId);
  const total = run.state().seq + 1;
  const events: RecordedEvent[] = [];
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Playing the run again'),
    cancellable: true,
  };
  try {
    const report = await vscode.window.withProgress(options, async (progress, token) => {
      const branch = linkAbort(signal);
      token.onCancellationRequested(() =>
        branch.abort(new MassGenError('cancelled/user', 'The replay was stopped.')),
      );
      try {
        return await app.replayRun(runId, branch.signal, (event) => {
          if (events.push(event) % reportEvery === 0) {
            progress.report({
              increment: (100 * reportEvery) / total,
              message: `${String(events.length)}/${String(total)}`,
            });
          }
        });
      } finally {
        branch.dispose();
      }
    });
    runs.show(runId);
    await panel.show();
    const { difference, changedFiles, damage } = report;
    panel.showReplay({ runId, events, result: { difference, changedFiles } });
    if (damage !== undefined) {
      void vscode.window.showWarningMessage(damage);
    }
  } catch (error) {
    if (!isMassGenError(error, 'cancelled/user')) {
      throw error;
    }
  }
}
