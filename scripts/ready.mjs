// node scripts/ready.mjs FILE [arguments]: makes node_modules ready, then runs FILE. A TypeScript
// file is bundled first; the bundle lies in .cache/scripts and is made anew at every run.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { bootstrap, say } from './bootstrap.mjs';

const root = resolve(import.meta.dirname, '..');
const [file, ...args] = process.argv.slice(2);
bootstrap({ build: false });

const script = file.endsWith('.ts') ? await bundled(file) : join(root, file);
const child = spawn(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' });
process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
for (const signal of ['SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child.kill(signal));
}
child.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
});

async function bundled(entry) {
  const { bundle } = await import('./bundle.mjs'); // it needs packages that were missing before
  try {
    return await bundle(entry);
  } catch (error) {
    say(`${entry} cannot be built: ${error.message}`);
    process.exit(1);
  }
}
