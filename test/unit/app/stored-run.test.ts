import { expect, it } from 'vitest';
import { openStoredRun } from '../../../src/app/stored-run';
import type { Services } from '../../../src/app/services';
import { MassGenError, type ErrorCode } from '../../../src/core/errors';
import type { EventStore } from '../../../src/core/ports/event-store';
import { applyAll } from '../../../src/run/reducer';
import { startedBy } from '../../support/engine';
import { FakeClock } from '../../support/fake-clock';
import { silent } from '../../support/run-harness';

/** What opening a stored run needs, over a log that nobody may write. */
function servicesRefusing(code: ErrorCode): Services {
  const store: Pick<EventStore, 'open' | 'reopen' | 'readAfter'> = {
    open: async () => ({
      state: applyAll(undefined, [{ seq: 0, at: 1_000, event: startedBy({ count: 2 }) }]),
      skippedLines: 0,
    }),
    reopen: () => {
      throw new MassGenError(code, 'no');
    },
    readAfter: () => [],
  };
  return {
    store,
    clock: new FakeClock(),
    logger: silent,
    redactor: { redact: (text: string) => text },
    files: { open: () => ({ close: async () => undefined }) },
    artifacts: { follow: () => ({ dir: '/files', close: async () => undefined }) },
  } as unknown as Services;
}

it('shows a run that was cut off as interrupted also where that cannot be written down', async () => {
  const run = await openStoredRun(servicesRefusing('storage/failed'), 'run-1');
  expect(run.handle.state().outcome).toBe('interrupted');
  await run.close();
});

it('shows a run as going on while another process writes it', async () => {
  const run = await openStoredRun(servicesRefusing('storage/locked'), 'run-1');
  expect(run.handle.state().outcome).toBeNull();
  await run.close();
});
