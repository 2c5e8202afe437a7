// Checks of a run for tests: settings, reports and a runner that knows beforehand what each tree comes to.
import type { CheckReport, CheckResult, CheckSpec } from '../../src/run/check-facts';
import { compareResults } from '../../src/run/checks';
import { MassGenError } from '../../src/core/errors';
import type { CheckRunner, OnCheckEnded } from '../../src/core/ports/checks';

export function check(name: string, mode: CheckSpec['mode'] = 'gate'): CheckSpec {
  return { name, command: `run ${name}`, kind: 'other', timeoutMs: 60_000, mode };
}

export type Statuses = Readonly<Record<string, CheckResult['status']>>;

/** A report by names, compared with what the untouched folders come to; these pass unless something else is said. */
export function report(
  statuses: Statuses,
  { baseline = {}, tail = '' }: { readonly baseline?: Statuses; readonly tail?: string } = {},
): CheckReport {
  return {
    results: Object.entries(statuses).map(([name, status]) => ({
      name,
      status,
      exitCode: status === 'passed' ? 0 : status === 'failed' ? 1 : null,
      durationMs: 5,
      tail: status === 'passed' ? '' : tail,
      isCached: false,
      isFlaky: false,
      comparison: compareResults({ status }, { status: baseline[name] ?? 'passed' }),
    })),
    tests: { edited: [], deleted: [], skipped: [], isRestored: false },
  };
}

/** Answers for snapshots as `outcome` says, at once, or when a test lets it. */
export class KnownChecks implements CheckRunner {
  /** Trees that were asked for, `baseline` for the untouched folders. */
  readonly asked: string[] = [];
  /** Of those, the ones that were aborted. */
  readonly aborted: string[] = [];
  isClosed = false;
  readonly #outcome: (snapshotId: string, nth: number) => CheckReport | Promise<CheckReport>;
  readonly #baseline: CheckReport;

  constructor(
    baseline: CheckReport,
    outcome: (snapshotId: string, nth: number) => CheckReport | Promise<CheckReport>,
  ) {
    this.#baseline = baseline;
    this.#outcome = outcome;
  }

  async baseline(onEnded: OnCheckEnded, signal: AbortSignal): Promise<CheckReport> {
    return this.#told('baseline', this.#baseline, onEnded, signal);
  }

  async candidate(id: string, onEnded: OnCheckEnded, signal: AbortSignal): Promise<CheckReport> {
    const nth = this.asked.filter((one) => one !== 'baseline').length + 1;
    return this.#told(id, this.#outcome(id, nth), onEnded, signal);
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  async #told(
    tree: string,
    outcome: CheckReport | Promise<CheckReport>,
    onEnded: OnCheckEnded,
    signal: AbortSignal,
  ): Promise<CheckReport> {
    this.asked.push(tree);
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        this.aborted.push(tree);
        reject(new MassGenError('cancelled/user', 'The checks were stopped.'));
      });
    });
    const told = await Promise.race([aborted, outcome]);
    told.results.forEach(onEnded);
    return told;
  }
}
