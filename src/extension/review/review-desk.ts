import type { RunHandle } from '../../app/app-contract';
import type { RunId } from '../../base/ids';
import type {
  FileVersions,
  ReviewResult,
  ReviewSession,
  ReviewTarget,
} from '../../core/ports/review';
import { isDeliverable } from '../../run/selectors/deliverables';
import type { WindowRuns } from '../runs/window-runs';
import { confirmCautioned } from './caution';
import { tellResults } from './decision-words';
import { confirmMix } from './mix-checks';
import type { ProposalTarget } from './proposal-uri';
import { makeWritable, readOnlyAmong } from './read-only-files';
import type { Decision } from './review-targets';
import { fileOf, toReviewTarget } from './review-targets';

/** Carries out what the user decides in any of the views, and says what came of it. */
export class ReviewDesk {
  readonly #runs: WindowRuns;
  /** Checked proposals that the user accepts from although they are worse than an answer. */
  readonly #confirmed = new Set<string>();

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
    const run = await this.#runs.open(target.runId);
    return fileOf(run, target) === undefined
      ? undefined
      : run.review()?.versions(toReviewTarget(target), signal);
  }

  /** Without `targets`: all that the decision can apply to. */
  async decide(
    runId: RunId,
    decision: Decision,
    targets: readonly ReviewTarget[] | undefined,
    signal: AbortSignal,
  ): Promise<readonly ReviewResult[]> {
    const run = await this.#runs.open(runId);
    const session = run.review();
    if (session === undefined) {
      return [];
    }
    const plain = targets?.map(toReviewTarget);
    switch (decision) {
      case 'accept':
        return this.#accept(run, session, plain, signal);
      case 'reject':
        return told(run, decision, await session.reject(plain));
      case 'undo':
        return told(run, decision, await session.undo(plain, signal));
    }
  }

  /** Settles a conflict with the bytes that the user chose. Answers whether that was done. */
  async resolve(
    target: ProposalTarget,
    chosen: Uint8Array | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    const run = await this.#runs.open(target.runId);
    const session = run.review();
    if (session === undefined) {
      return false;
    }
    const result = await session.resolve(toReviewTarget(target), chosen, signal);
    told(run, 'accept', [result]);
    return result.outcome === 'done';
  }

  async #accept(
    run: RunHandle,
    session: ReviewSession,
    targets: readonly ReviewTarget[] | undefined,
    signal: AbortSignal,
  ): Promise<readonly ReviewResult[]> {
    const mix = `${run.runId} ${run.state().review?.checkedMix ?? ''}`;
    if (!this.#confirmed.has(mix)) {
      if (!(await confirmMix(run))) {
        return [];
      }
      this.#confirmed.add(mix);
    }
    const cautioned = (targets ?? []).flatMap((target) => {
      const file = fileOf(run, target);
      return file?.caution === undefined || isDeliverable(run.state(), file.root) ? [] : [file];
    });
    if (!(await confirmCautioned([...new Set(cautioned)]))) {
      return [];
    }
    const results = await session.accept(targets, signal);
    const readOnly = await readOnlyAmong(run, results);
    if (readOnly.length === 0 || !(await makeWritable(readOnly))) {
      const isAsked = new Set(readOnly.map(({ result }) => result));
      told(
        run,
        'accept',
        results.filter((result) => !isAsked.has(result)),
      );
      return results;
    }
    const again = await session.accept(
      readOnly.map(({ result }) => toReviewTarget(result)),
      signal,
    );
    const first = results.filter((result) => readOnly.every((one) => one.result !== result));
    return told(run, 'accept', [...first, ...again]);
  }
}

function told(
  run: RunHandle,
  decision: Decision,
  results: readonly ReviewResult[],
): readonly ReviewResult[] {
  tellResults(run, decision, results);
  return results;
}
