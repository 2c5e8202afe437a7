import type { RunId } from '../base/ids';
import { isMassGenError, MassGenError } from '../core/errors';
import { RunRecord } from '../core/orchestrator/run-record';
import type { RecordedEvent } from '../run/events';
import { apply } from '../run/reducer';
import type { RunState } from '../run/state';
import { Run } from './run-handle';
import { RunLog } from './run-log';
import type { Services } from './services';

export interface OpenedRun {
  readonly handle: Run;
  close(): Promise<void>;
}

/**
 * A run read from its log. Throws `storage/failed` when there is none and `storage/corrupt` when its log holds nothing
 * that can be shown.
 */
export async function openStoredRun(services: Services, runId: RunId): Promise<OpenedRun> {
  const { store, redactor, clock, logger, files: ofRuns } = services;
  const { events, skippedLines } = await store.read(runId);
  if (skippedLines > 0) {
    logger.warn('storage', `${skippedLines} unreadable lines of run ${runId} were left out`);
  }
  const state = stateOf(runId, events);
  const log = new RunLog(store, runId);
  const record = new RunRecord(
    { writer: log, redact: (text) => redactor.redact(text), logger },
    state,
  );
  if (state.outcome === null) {
    markInterrupted(record, services);
  }
  const files = ofRuns.open(runId);
  return {
    handle: new Run({ record, files, clock, artifactsDir: '' }),
    async close(): Promise<void> {
      await log.close();
      await files.close();
    },
  };
}

function stateOf(runId: RunId, events: readonly RecordedEvent[]): RunState {
  let state: RunState | undefined;
  try {
    for (const event of events) {
      state = apply(state, event);
    }
  } catch (error) {
    // The reducer trusts our own log; somebody else's lines in it may be of any shape.
    throw new MassGenError('storage/corrupt', `The log of run ${runId} is damaged.`, {
      cause: error,
    });
  }
  if (state?.runId !== runId) {
    throw new MassGenError('storage/corrupt', `The log of run ${runId} holds no run of that name.`);
  }
  return state;
}

/** A log without an end was cut off, unless somebody still writes it: then it is shown as it is. */
function markInterrupted(record: RunRecord, { clock, logger }: Services): void {
  try {
    record.append([{ type: 'run-ended', outcome: 'interrupted' }], clock.now());
  } catch (error) {
    if (!isMassGenError(error, 'storage/locked')) {
      throw error;
    }
    logger.info('storage', `run ${record.state.runId} is being written by another process`);
  }
}
