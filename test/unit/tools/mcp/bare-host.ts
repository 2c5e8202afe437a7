// Runs as a process of its own: one server that nothing confines, then nothing until it is killed.
import { writeSync } from 'node:fs';
import { startBareProgram } from '../../../../src/tools/mcp/bare-program';

const [program = '', ...rest] = process.argv.slice(2);

async function main(): Promise<void> {
  const started = await startBareProgram(
    { argv: [program, ...rest], environment: {} },
    new AbortController().signal,
  );
  started.onOutput('stdout', (bytes) => void writeSync(1, bytes));
  await started.ended;
}

void main();
