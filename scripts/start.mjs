// npm start: makes the clone ready and runs the command line with the arguments as they are; without
// any the demonstration, whatever is set up on this machine.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { bootstrap } from './bootstrap.mjs';

const root = resolve(import.meta.dirname, '..');
bootstrap();

const args = process.argv.length > 2 ? process.argv.slice(2) : ['--demo'];
// Under npm the working folder is the clone; relative paths mean the folder the user is in.
const child = spawn(process.execPath, [join(root, 'dist', 'cli.js'), ...args], {
  cwd: process.env.INIT_CWD ?? process.cwd(),
  stdio: 'inherit',
});
// In a terminal Ctrl+C reaches both processes; the command line decides how it ends.
process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
for (const signal of ['SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child.kill(signal));
}
child.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
});
