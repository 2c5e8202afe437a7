// Says what came of a decision. Nothing is silently left out: whatever was not done is named.
import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { ReviewResult } from '../../core/ports/review';
import type { RunHandle } from '../../app/app-contract';
import type { Decision } from './review-targets';
import { toReviewTarget } from './review-targets';

/** A status text when all is done, else a message with what needs the user. */
export function tellResults(
  run: RunHandle,
  decision: Decision,
  results: readonly ReviewResult[],
): void {
  const done = results.filter(({ outcome }) => outcome === 'done');
  // What was left out on purpose is worth a word only when nothing else happened.
  const others = results.filter(
    ({ outcome }) =>
      outcome === 'conflict' ||
      outcome === 'failed' ||
      (done.length === 0 && outcome === 'skipped'),
  );
  if (others.length > 0) {
    void warn(run, done.length === 0 ? '' : doneInWords(decision, done), others);
  } else if (done.length > 0) {
    vscode.window.setStatusBarMessage(doneInWords(decision, done), 5_000);
  }
}

async function warn(run: RunHandle, done: string, others: readonly ReviewResult[]): Promise<void> {
  const [first] = others;
  const one = others.length === 1 ? first : undefined;
  const left =
    one === undefined
      ? vscode.l10n.t('{0} need your decision.', others.length)
      : vscode.l10n.t('{0} needs your decision: {1}', posix.basename(one.path), one.detail);
  const text = done === '' ? left : `${done}. ${left}`;
  const open = vscode.l10n.t('Open Review');
  const conflict = vscode.l10n.t('Open Conflict');
  const choices = one?.outcome === 'conflict' ? [conflict, open] : [open];
  const choice = await vscode.window.showWarningMessage(text, ...choices);
  if (choice === open) {
    await vscode.commands.executeCommand('massgen.review.focus');
  } else if (choice === conflict && one !== undefined) {
    await openConflict(run, one);
  }
}

async function openConflict(run: RunHandle, result: ReviewResult): Promise<void> {
  const { review } = run.state();
  if (review !== null) {
    const target = { runId: run.runId, label: review.label, ...toReviewTarget(result) };
    await vscode.commands.executeCommand('massgen.openConflict', target);
  }
}

function doneInWords(decision: Decision, done: readonly ReviewResult[]): string {
  const n = done.length;
  const areParts = done.every(({ hunk }) => hunk !== undefined);
  switch (decision) {
    case 'accept':
      return areParts ? hunksAccepted(n) : filesAccepted(n);
    case 'reject':
      return areParts ? hunksRejected(n) : filesRejected(n);
    case 'undo':
      return n === 1
        ? vscode.l10n.t('MassGen: 1 decision undone')
        : vscode.l10n.t('MassGen: {0} decisions undone', n);
  }
}

function filesAccepted(n: number): string {
  return n === 1
    ? vscode.l10n.t('MassGen: 1 file accepted')
    : vscode.l10n.t('MassGen: {0} files accepted', n);
}

function hunksAccepted(n: number): string {
  return n === 1
    ? vscode.l10n.t('MassGen: 1 hunk accepted')
    : vscode.l10n.t('MassGen: {0} hunks accepted', n);
}

function filesRejected(n: number): string {
  return n === 1
    ? vscode.l10n.t('MassGen: 1 file rejected')
    : vscode.l10n.t('MassGen: {0} files rejected', n);
}

function hunksRejected(n: number): string {
  return n === 1
    ? vscode.l10n.t('MassGen: 1 hunk rejected')
    : vscode.l10n.t('MassGen: {0} hunks rejected', n);
}
