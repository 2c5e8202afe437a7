import { join } from 'node:path';
import type { RunId } from '../base/ids';
import type { Clock } from '../core/ports/clock';
import { createStatusWriter, type StatusWriter } from '../storage/status-writer';
import type { App, RunHandle } from './app-contract';

export interface StatusFilesParts {
  readonly storageDir: string;
  readonly clock: Clock;
}

/** The same app, which keeps `status.json` beside the log of every run that it starts or brings to an end. */
export function withStatusFiles(app: App, { storageDir, clock }: StatusFilesParts): App {
  const writers = new Map<RunId, StatusWriter>();

  const follow = (handle: RunHandle): RunHandle => {
    if (!writers.has(handle.runId)) {
      const dir = join(storageDir, 'runs', handle.runId);
      const writer = createStatusWriter({ dir, clock });
      writers.set(handle.runId, writer);
      handle.onEvents((_events, state) => writer.update(state));
      const state = handle.state();
      if (handle.isLive || state.outcome === 'interrupted') {
        writer.update(state);
      }
    }
    return handle;
  };
  return {
    ...app,
    startRun: async (request, signal) => follow(await app.startRun(request, signal)),
    openRun: async (runId) => follow(await app.openRun(runId)),
    async close(): Promise<void> {
      await app.close();
      writers.forEach((writer) => writer.dispose());
      writers.clear();
    },
  };
}
