// Runs the integration suite inside the extension host of a real VS Code.
//
//   node test/vscode/run-integration.mjs [--list] [GREP]
//
// The results are in test-results/integration.json, in the form of vitest's report. Exit code 0
// only when VS Code and that file agree that all is well. --list prints the tests' titles.
import { cpSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildIntegrationTests } from '../../scripts/build-tests.mjs';
import { startServer } from './server.mjs';
import { copySample, removeOldResults, report, resultFile, titles } from './suite.mjs';
import { launchChromium, workbenchUrl } from './browser.mjs';
import { withTestModels } from './test-models.mjs';

const root = resolve(import.meta.dirname, '..', '..');
const out = join(root, 'test-results');

/** The suite is ended when it takes longer (ms). */
const LIMIT = 10 * 60_000;

for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15, SIGHUP: 1 })) {
  process.on(signal, () => process.exit(128 + number)); // the exit handlers end the server
}

const args = process.argv.slice(2);
if (args.includes('--list')) {
  process.stdout.write(`${JSON.stringify(titles())}\n`);
} else {
  process.exit(await main(args[0] ?? ''));
}

async function main(grep) {
  const tests = await buildIntegrationTests();
  removeOldResults();
  const server = await startServer({
    testDriver: true,
    args: withTestModels(),
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
    await page.goto(workbenchUrl(server, copySample(), payload));
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
