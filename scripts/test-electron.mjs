// npm run test:electron: the integration suite in the desktop VS Code. It is downloaded, so this
// works only where that is possible; `npm test` runs the same suite without a download.
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { resolve } from 'node:path';
import { copySample, removeOldResults, report, resultFile } from '../test/vscode/suite.mjs';
import { testExtension } from '../test/vscode/test-models.mjs';
import { bootstrap, say } from './bootstrap.mjs';
import { buildIntegrationTests } from './build-tests.mjs';

const root = resolve(import.meta.dirname, '..');
bootstrap();
process.exit(await main());

async function main() {
  const vscodeExecutablePath = await download();
  if (vscodeExecutablePath === undefined) {
    return 1;
  }
  removeOldResults();
  const code = await runTests({
    vscodeExecutablePath,
    extensionDevelopmentPath: [root, testExtension],
    extensionTestsPath: await buildIntegrationTests(),
    extensionTestsEnv: { MASSGEN_TEST_RESULTS: resultFile },
    launchArgs: [copySample(), '--disable-extensions', '--disable-workspace-trust'],
  }).catch((error) => error.message);
  return report(code) ? 0 : 1;
}

async function download() {
  try {
    return await downloadAndUnzipVSCode({
      version: 'stable',
      cachePath: `${root}/.cache/electron`,
    });
  } catch (error) {
    say(
      `The desktop VS Code cannot be downloaded here (${error.message.split('\n')[0]}); ` +
        'npm run test:integration runs the same suite without a download.',
    );
    return undefined;
  }
}
