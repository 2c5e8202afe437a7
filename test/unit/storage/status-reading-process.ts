// Runs as a process of its own: reads a status file over and over until the run in it is complete, and says what it saw.
import { readFileSync, writeSync } from 'node:fs';

const [file = ''] = process.argv.slice(2);
const faults: string[] = [];
let last = -Infinity;
let versions = 0;
for (let isComplete = false; !isComplete;) {
  try {
    const status = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly meta: { readonly last_updated: number };
      readonly is_complete: boolean;
    };
    if (status.meta.last_updated < last) {
      faults.push(`${status.meta.last_updated} after ${last}`);
    }
    if (status.meta.last_updated !== last) {
      versions++;
      writeSync(1, '.');
    }
    last = status.meta.last_updated;
    isComplete = status.is_complete;
  } catch (error) {
    faults.push(String(error));
    isComplete = true;
  }
}
writeSync(1, `\n${JSON.stringify({ versions, faults })}`);
