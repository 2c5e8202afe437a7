// Runs as a process of its own: runs one command until it is killed, and passes on what the command says.
import { writeSync } from 'node:fs';
import { runShell } from '../../../src/workspace/command/run-shell';

const [folder = '', command = ''] = process.argv.slice(2);
void runShell(
  {
    command,
    cwd: folder,
    folder,
    environment: { PATH: process.env['PATH'] ?? '' },
    mark: `killed-${process.pid}`,
    timeoutMs: 600_000,
    onOutput: (text) => writeSync(1, text),
  },
  new AbortController().signal,
);
