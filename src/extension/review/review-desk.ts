import { join } from 'node:path';
import * as vscode from 'vscode';
import type { RunHandle } from '../../app/app-contract';
import type { RunId } from '../../base/ids';
import type {
  FileVersions,
  ReviewResult,
  ReviewSession,
  ReviewTarget,
} from '../../core/ports/review';
import type { ReviewFile } from '../../run/state';
import type { WindowRuns } from '../runs/window-runs';
import type { ProposalTarget } from './proposal-uri';

export type Decision = 'accept' | 'reject' | 'undo';

/** Carries out what the user decides in any of the views, and says what came of it. */
export class ReviewDesk {
  readonly #runs: WindowRuns;

  constructor(runs: WindowRuns) {
    this.#runs = runs;
  }

  /** The run whose review the native views show: the shown one, else the newest with a review. */
  current(): RunHandle | undefined {
    const { shown } = this.#runs;
    const candidates = [...(shown === undefined ? [] : [shown]), ...this.#runs.all];
    return candidates.find((run) => (run.state().review?.files.length ?? 0) > 0);
  }

  async session(runId: RunId): Promise<ReviewSession | undefined> {
    return (await this.#runs.open(runId)).review();
  }

  async versions(target: ProposalTarget, signal: AbortSignal): Promise<FileVersions | undefined> {
    const session = await this.session(target.runId);
    const isKnown = session?.subject.files.some(
      ({ root, path }) => root === target.root && path === target.path,
    );
    return isKnown === true ? session?.versions(target, signal) : undefined;
  }

  /** Without `targets`: all that the decision can apply to. */
  async decide(
    runId: RunId,
    decision: Decision,
    targets: readonly ReviewTarget[] | undefined,
    signal: AbortSignal,
  ): Promise<readonly ReviewResult[]> {
    const session = await this.session(runId);
    if (session === undefined) {
      return [];
    }
    switch (decision) {
      case 'accept':
        return tell(decision, await session.accept(targets, signal));
      case 'reject':
        return tell(decision, await session.reject(targets));
      case 'undo':
        return tell(decision, await session.undo(targets, signal));
    }
  }

  /** Settles a conflict with the bytes that the user chose. */
  async resolve(
    { runId, root, path }: ProposalTarget,
    chosen: Uint8Array | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const session = await this.session(runId);
    if (session !== undefined) {
      tell('accept', [await session.resolve({ root, path }, chosen, signal)]);
    }
  }
}

/** The files of a run's review as targets, in the order of the change set. */
export function targetsOf(
  run: RunHandle,
): readonly (ProposalTarget & { readonly file: ReviewFile })[] {
  const { review } = run.state();
  return (review?.files ?? []).map((file) => ({
    runId: run.runId,
    label: review?.label ?? '',
    root: file.root,
    path: file.path,
    file,
  }));
}

/** Where the file is or would be on disk; `undefined` for files of an agent's own folder. */
export function livePathOf(run: RunHandle, target: ReviewTarget): string | undefined {
  const root = run.state().contextRoots.find(({ name }) => name === target.root);
  return root === undefined ? undefined : join(root.path, target.path);
}

/** Nothing is silently left out: whatever was not done is named. */
function tell(decision: Decision, results: readonly ReviewResult[]): readonly ReviewResult[] {
  const done = results.filter(({ outcome }) => outcome === 'done').length;
  // What was left out on purpose is worth a word only when nothing else happened.
  const others = results.filter(
    ({ outcome }) =>
      outcome === 'conflict' || outcome === 'failed' || (done === 0 && outcome === 'skipped'),
  );
  if (others.length > 0) {
    void warn(done, others);
  } else if (done > 0) {
    vscode.window.setStatusBarMessage(doneInWords(decision, done), 5_000);
  }
  return results;
}

async function warn(done: number, others: readonly ReviewResult[]): Promise<void> {
  const [first] = others;
  const left =
    others.length === 1 && first !== undefined
      ? vscode.l10n.t('{0} needs your decision: {1}', first.path, first.detail)
      : vscode.l10n.t('{0} files need your decision.', others.length);
  const text = done === 0 ? left : vscode.l10n.t('{0} done. {1}', done, left);
  const open = vscode.l10n.t('Open Review');
  if ((await vscode.window.showWarningMessage(text, open)) === open) {
    await vscode.commands.executeCommand('massgen.review.focus');
  }
}

function doneInWords(decision: Decision, done: number): string {
  switch (decision) {
    case 'accept':
      return done === 1
        ? vscode.l10n.t('MassGen: 1 file accepted')
        : vscode.l10n.t('MassGen: {0} files accepted', done);
    case 'reject':
      return done === 1
        ? vscode.l10n.t('MassGen: 1 file rejected')
        : vscode.l10n.t('MassGen: {0} files rejected', done);
    case 'undo':
      return done === 1
        ? vscode.l10n.t('MassGen: 1 decision undone')
        : vscode.l10n.t('MassGen: {0} decisions undone', done);
  }
}
