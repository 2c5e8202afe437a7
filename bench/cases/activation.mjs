// How long the extension takes to activate, in the real extension host.
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { copySample } from '../../test/vscode/suite.mjs';
import { startSession } from '../../test/vscode/session.mjs';
import { runCommand, waitForActivation } from '../../test/vscode/window.mjs';

const root = resolve(import.meta.dirname, '..', '..');
/** Twenty, so that the p95 is not simply the worst one. */
const STARTS = 20;

export const cases = [{ name: 'activation-time', unit: 'ms', budget: 60, measure }];

/** Each window has an extension host of its own; VS Code itself takes the time there. */
async function measure() {
  execFileSync(process.execPath, ['scripts/package.mjs'], { cwd: root, stdio: 'ignore' });
  const session = await startSession();
  const folder = copySample();
  const samples = [];
  try {
    while (samples.length < STARTS) {
      const page = await session.open(folder);
      await runCommand(page, 'MassGen: Show Logs');
      samples.push(await waitForActivation(page, 'MassGen'));
      await page.close();
    }
  } finally {
    await session.close();
  }
  return samples;
}
