// Runs as a process of its own, never as root: tells what can be done with the runs of a folder.
import { isMassGenError } from '../../../src/core/errors';
import { createFileEventStore } from '../../../src/storage/file-event-store';
import { FakeClock } from '../../support/fake-clock';

// Root may write everywhere. It is left only here, as the program itself may lie where nobody else can start it.
if (process.getuid?.() === 0) {
  const nobody = 65_534;
  process.setgroups?.([nobody]);
  process.setgid?.(nobody);
  process.setuid?.(nobody);
}

const [dir = ''] = process.argv.slice(2);
const store = createFileEventStore({ dir, clock: new FakeClock() });

function codeOf(act: () => unknown): string {
  try {
    act();
    return 'done';
  } catch (error) {
    return isMassGenError(error) ? error.code : 'unknown';
  }
}

async function tell(): Promise<void> {
  const { state } = await store.open('r1');
  const listed = (await store.list()).length;
  const reopen = codeOf(() => store.reopen('r1'));
  const create = codeOf(() => store.create('r2'));
  process.stdout.write(JSON.stringify({ seq: state?.seq, listed, reopen, create }));
}

void tell();
