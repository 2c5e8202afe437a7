// Runs the integration suite inside the extension host of a real VS Code.
//
//   node test/vscode/run-integration.mjs [--list] [GREP]
//
// The results are in test-results/integration.json, in the form of vitest's report. Exit code 0
// only when VS Code and that file agree that all is well. --list prints the tests' titles.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildIntegrationTests } from '../../scripts/build-tests.mjs';
import { startServer } from './server.mjs';
import { launchChromium, workbenchUrl } from './window.mjs';

const root = resolve(import.meta.dirname, '..', '..');
const out = join(root, 'test-results');
const resultFile = join(out, 'integration.json');

/** The suite is ended when it takes longer (ms). */
const LIMIT = 10 * 60_000;

for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15, SIGHUP: 1 })) {
  process.once(signal, () => process.exit(128 + number)); // the exit handlers end the server
}

const args = process.argv.slice(2);
if (args.includes('--list')) {
  process.stdout.write(`${JSON.stringify(titles())}\n`);
} else {
  process.exit(await main(args[0] ?? ''));
}

/** The titles as the sources have them; running them needs the very thing that is missing. */
function titles() {
  const folder = join(import.meta.dirname, 'integration');
  const sources = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));
  return sources
    .flatMap((name) => [
      ...readFileSync(join(folder, name), 'utf8').matchAll(/^\s*test\(\s*(['"`])(.+?)\1,/gm),
    ])
    .map(([, , name]) => ({ name }));
}

async function main(grep) {
  const tests = await buildIntegrationTests();
  mkdirSync(out, { recursive: true });
  rmSync(resultFile, { force: true });
  const scratch = mkdtempSync(join(tmpdir(), 'mgws-'));
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
  const server = await startServer({
    testDriver: true,
    env: { MASSGEN_TEST_RESULTS: resultFile, MASSGEN_TEST_GREP: grep },
  });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const exit = watchExit(page);
    const uri = (path) => `vscode-remote://${server.authority}${path}`;
    const payload = [
      ['extensionDevelopmentPath', uri(root)],
      ['extensionTestsPath', uri(tests)],
      ['skipWelcome', 'true'],
    ];
    await page.goto(workbenchUrl(server, workspace(scratch), payload));
    const { code, lines } = await exit;
    const ok = report(code);
    if (!ok) {
      await keepEvidence(page, server, lines);
    }
    return ok ? 0 : 1;
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** A copy of the sample project: tests write into it. */
function workspace(scratch) {
  const copy = join(scratch, 'workspace');
  const sample = join(root, 'media', 'sample-project');
  mkdirSync(copy);
  if (existsSync(sample)) {
    cpSync(sample, copy, { recursive: true });
  }
  return copy;
}

/** The workbench calls these two functions of the page, when they exist, for its log and its end. */
function watchExit(page) {
  const lines = [];
  return new Promise((done) => {
    const end = (code) => done({ code, lines });
    void page.exposeFunction('codeAutomationLog', (type, parts) => {
      lines.push(`${type} ${parts.join(' ')}`);
    });
    void page.exposeFunction('codeAutomationExit', end);
    page.on('crash', () => end('the page crashed'));
    setTimeout(() => end(`no end after ${LIMIT / 60_000} minutes`), LIMIT).unref();
  });
}

/** Prints the outcomes; true when there are any, none failed, and VS Code says the same. */
function report(code) {
  if (!existsSync(resultFile)) {
    process.stdout.write(`the suite did not get to its end: ${code}\n`);
    return false;
  }
  const { testResults } = JSON.parse(readFileSync(resultFile, 'utf8'));
  const outcomes = testResults.flatMap(({ assertionResults }) => assertionResults);
  for (const { status, fullName, failureMessages } of outcomes) {
    process.stdout.write([`${status}: ${fullName}`, ...failureMessages, ''].join('\n'));
  }
  const passed = outcomes.some(({ status }) => status === 'passed');
  return code === 0 && passed && outcomes.every(({ status }) => status !== 'failed');
}

async function keepEvidence(page, server, lines) {
  writeFileSync(join(out, 'integration-window.log'), lines.join('\n'));
  await page.screenshot({ path: join(out, 'integration-failure.png') }).catch(() => undefined);
  for (const file of server.logs().filter((name) => /remoteexthost/.test(name))) {
    cpSync(file, join(out, 'integration-extension-host.log'));
  }
  process.stdout.write('what the window and the extension host wrote is in test-results/\n');
  for (const line of lines.filter((each) => each.startsWith('error')).slice(-8)) {
    process.stdout.write(`${line.slice(0, 400)}\n`);
  }
}
