import type { RunId } from '../base/ids';
import { isMassGenError } from '../core/errors';
import { RunRecord } from '../core/orchestrator/run-record';
import { MixChecks } from './mix-checks';
import { withoutBeginning } from './recorded-run';
import { Run } from './run-handle';
import { RunLog } from './run-log';
import type { Services } from './services';

export interface OpenedRun {
  readonly handle: Run;
  /** Settles when the readable files tell all that has happened. Never rejects. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A run read from its log. Throws `storage/failed` when there is none and `storage/corrupt` when its log holds nothing
 * that can be shown.
 */
export async function openStoredRun(services: Services, runId: RunId): Promise<OpenedRun> {
  const { store, redactor, clock, logger, files: ofRuns } = services;
  const { state, skippedLines } = await store.open(runId);
  if (skippedLines > 0) {
    logger.warn('storage', `${skippedLines} unreadable lines of run ${runId} were left out`);
  }
  if (state?.runId !== runId) {
    throw withoutBeginning(runId);
  }
  const log = new RunLog(store, runId);
  const record = new RunRecord(
    {
      ...{ writer: log, redact: (text) => redactor.redact(text), logger },
      writtenAfter: (seq) => log.writtenAfter(seq),
    },
    state,
  );
  const files = ofRuns.open(runId);
  const artifacts = services.artifacts.follow({ runId, record, files, onWarning: () => undefined });
  if (state.outcome === null) {
    markInterrupted(record, services);
  }
  return {
    handle: new Run({
      ...{ record, files, clock, artifactsDir: artifacts.dir },
      // Nobody is asked any more: what is confined runs, what is not does not.
      mixes: new MixChecks({ services, record, decide: () => undefined }),
    }),
    settled: () => artifacts.settled(),
    async close(): Promise<void> {
      await log.close();
      await artifacts.close();
      await files.close();
    },
  };
}

/**
 * A log without an end was cut off, unless somebody still writes it: then it is shown as it is. In a folder that cannot
 * be written the mark is only shown.
 */
function markInterrupted(record: RunRecord, { clock, logger }: Services): void {
  const mark = { type: 'run-ended', outcome: 'interrupted' } as const;
  try {
    record.catchUp();
    if (record.state.outcome === null) {
      record.append([mark], clock.now());
    }
  } catch (error) {
    if (isMassGenError(error, 'storage/locked')) {
      logger.info('storage', `run ${record.state.runId} is being written by another process`);
    } else if (isMassGenError(error, 'storage/failed')) {
      logger.warn('storage', `run ${record.state.runId} cannot be marked as interrupted`);
      record.endInMemory(mark, clock.now());
    } else {
      throw error;
    }
  }
}
