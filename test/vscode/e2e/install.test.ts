import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommand, waitForActivation } from '../window.mjs';
import { stage } from './stage';

describe('the packaged extension in a real VS Code', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mg-install-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const opened = stage();

  it('is active once the editor has started, and knows its commands', async () => {
    const page = await opened.session.open(folder);
    expect(await waitForActivation(page, 'MassGen')).toBeGreaterThanOrEqual(0);
    await runCommand(page, 'MassGen: Show Logs');
    await page.locator('.part.panel .output-view, .part.panel .monaco-editor').first().waitFor();
  });
});
