// npm run vscode: opens a real VS Code with the extension on a copy of the sample project. That is
// your own VS Code when `code` is on the PATH, otherwise one in the browser, on this machine only.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { install, unsupported } from '../test/vscode/install.mjs';
import { installVsix, newDataDir, startServer } from '../test/vscode/server.mjs';
import { copySample } from '../test/vscode/suite.mjs';
import { workbenchUrl } from '../test/vscode/browser.mjs';
import { bootstrap, say } from './bootstrap.mjs';
import { isOnPath } from './debian-packages.mjs';

const root = resolve(import.meta.dirname, '..');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => process.exit(0)); // the exit handlers end the server
}

bootstrap();
const folder = copySample();
if (!isOnPath('code') || !(await openDesktop())) {
  await openInBrowser();
}

/** Resolves with true when the window was closed, with false when `code` could not open one. */
async function openDesktop() {
  say(`opening your VS Code on ${folder}; close its window to end`);
  const args = ['--new-window', '--wait', `--extensionDevelopmentPath=${root}`, folder];
  const child = spawn('code', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  process.once('exit', () => child.kill());
  const code = await new Promise((done) => {
    child.on('error', () => done(-1));
    child.on('exit', done);
  });
  if (code !== 0) {
    say('your VS Code did not open a window here');
  }
  return code === 0;
}

async function openInBrowser() {
  const reason = unsupported();
  if (reason !== undefined) {
    say(`there is no \`code\` on the PATH, and ${reason}`);
    process.exitCode = 1;
    return;
  }
  say('preparing a VS Code for the browser; the first time takes about a minute');
  install();
  await pack();
  const dir = newDataDir();
  process.once('exit', () => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }));
  installVsix(dir, resolve(root, 'dist', 'massgen.vsix'));
  const server = await startServer({ dataDir: dir, env: ownKeys(), trust: true, stay: true });
  say(`sample project: ${folder}`);
  say('keys that you store there are forgotten when the page is loaded again');
  process.stdout.write(`\nOpen ${workbenchUrl(server, folder)}\nCtrl+C ends it.\n`);
  setInterval(() => undefined, 60_000); // the server runs in a process of its own: stay until Ctrl+C
}

/** The extension offers keys of the environment for import; tests leave them out, this does not. */
function ownKeys() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name.endsWith('_API_KEY')),
  );
}

async function pack() {
  const child = spawn(process.execPath, ['scripts/package.mjs'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise((done) => child.on('exit', done));
  if (code !== 0) {
    say('the extension could not be packaged');
    process.exit(1);
  }
}
