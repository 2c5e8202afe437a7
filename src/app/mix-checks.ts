import type { SnapshotId } from '../base/ids';
import { reportNotRun } from '../core/coordination/checks';
import { endMixChecks } from '../core/orchestrator/late-checks';
import type { RunRecord } from '../core/orchestrator/run-record';
import type { CheckReport } from '../run/check-facts';
import { checkParts } from './run-checks';
import type { CheckParts } from './run-files';
import type { Services } from './services';

interface MixChecksParts {
  readonly services: Services;
  readonly record: RunRecord;
  readonly decide: CheckParts['decide'];
}

/** Checks of what the user put together of a run's answers, on his folders as they are now. One at a time. */
export class MixChecks {
  readonly #parts: MixChecksParts;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: MixChecksParts) {
    this.#parts = parts;
  }

  /** The results become events of the run. Throws `cancelled/*`. */
  async check(snapshotId: SnapshotId, signal: AbortSignal): Promise<CheckReport> {
    const before = this.#last;
    const check = async (): Promise<CheckReport> => {
      await before;
      signal.throwIfAborted();
      return this.#check(snapshotId, signal);
    };
    const checking = check();
    this.#last = checking.catch(() => undefined);
    return checking;
  }

  async #check(snapshotId: SnapshotId, signal: AbortSignal): Promise<CheckReport> {
    const { services, record, decide } = this.#parts;
    const { clock, logger } = services;
    const { runId, settings } = record.state;
    const subject = { kind: 'mix', snapshotId } as const;
    const names = (settings.checks ?? []).map(({ name }) => name);
    const files = services.files.create({
      ...{ runId, folders: record.state.contextRoots, unsaved: new Map() },
      onWarning: (_code, message) => logger.warn('workspace', message),
    });
    const parts = checkParts(services, { runId, settings, decide });
    const runner = files.checkRunner({ ...parts, isLater: true });
    try {
      record.append([{ type: 'checks-started', subject, names }], clock.now());
      const report = await runner.candidate(
        snapshotId,
        (result) => record.append([{ type: 'check-ended', subject, result }], clock.now()),
        signal,
      );
      endMixChecks(record, { snapshotId, report }, clock.now());
      return report;
    } catch (error) {
      // What has begun must be seen to end.
      const report = reportNotRun(record.state, 'It was stopped.');
      endMixChecks(record, { snapshotId, report }, clock.now());
      throw error;
    } finally {
      await runner.close();
      await files.workspaces.close();
      await files.stored.close();
    }
  }
}
