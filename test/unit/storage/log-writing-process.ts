// Runs as a process of its own: writes events until it is killed and acknowledges each one on standard output.
import { writeSync } from 'node:fs';
import { createFileEventStore } from '../../../src/storage/file-event-store';
import { started, warning } from './sample-events';
import { FakeClock } from '../../support/fake-clock';

const [dir = '', runId = ''] = process.argv.slice(2);
const writer = createFileEventStore({ dir, clock: new FakeClock() }).create(runId);
writer.append([started(runId)]);
for (let seq = 1; ; seq++) {
  writer.append([warning(seq, 'x'.repeat(seq % 300))]);
  writeSync(1, `${seq}\n`);
}
