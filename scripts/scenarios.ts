// npm run scenarios -- FILE: plays every coordination scenario of a file and compares it with its expected trace.
import { readFileSync } from 'node:fs';
import { report } from '../test/support/scenarios/run-scenarios';

const [file] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('usage: npm run scenarios -- FILE\n');
  process.exitCode = 2;
} else {
  const { lines, failed } = report(readFileSync(file, 'utf8'));
  process.stdout.write(`${lines.join('\n')}\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}
