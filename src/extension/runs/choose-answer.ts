import * as vscode from 'vscode';
import type { RunHandle } from '../../app/app-contract';
import type { Label, RunId } from '../../base/ids';
import type { Services } from '../services';

type Parts = Pick<Services, 'desk' | 'runs' | 'signal'>;

/**
 * Lets another answer stand than the one that was chosen. Files that were accepted of that one would stay without a way
 * to take them back here, so the user says first what becomes of them.
 */
export async function chooseAnswer(parts: Parts, runId: RunId, label: Label): Promise<void> {
  const run = parts.runs.get(runId);
  if (run !== undefined && (await isSettled(parts, run))) {
    run.override(label);
  }
}

/** False when the user has thought better of it, or when something could not be taken back, which the desk has said. */
async function isSettled({ desk, signal }: Parts, run: RunHandle): Promise<boolean> {
  const { review } = run.state();
  const accepted = review?.files.filter(({ decision }) => decision === 'accepted') ?? [];
  if (review === null || accepted.length === 0) {
    return true;
  }
  const choice = await askAbout(accepted.length, review.label);
  if (choice !== 'undo') {
    return choice === 'keep';
  }
  const targets = accepted.map(({ root, path }) => ({ root, path }));
  const results = await desk.decide(run.runId, 'undo', targets, signal);
  return results.every(({ outcome }) => outcome === 'done');
}

async function askAbout(count: number, label: Label): Promise<'undo' | 'keep' | undefined> {
  const undo = vscode.l10n.t('Undo Accept First');
  const keep = vscode.l10n.t('Keep the Files');
  const question =
    count === 1
      ? vscode.l10n.t('1 file of {0} is accepted.', label)
      : vscode.l10n.t('{0} files of {1} are accepted.', count, label);
  const detail = vscode.l10n.t(
    'What is kept stays in your folder, and cannot be undone here once another answer is used.',
  );
  const options = { modal: true, detail };
  const choice = await vscode.window.showWarningMessage(question, options, undo, keep);
  return choice === undo ? 'undo' : choice === keep ? 'keep' : undefined;
}
