import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { activationTime, runCommand, waitForActivation } from '../window.mjs';
import { stage } from './stage';

describe('the packaged extension in a real VS Code', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mg-install-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const opened = stage();

  it('is not activated before it is asked for, and is active after its first command', async () => {
    const page = await opened.session.open(folder);
    expect(await activationTime(page, 'MassGen')).toBeUndefined();
    await runCommand(page, 'MassGen: Show Logs');
    expect(await waitForActivation(page, 'MassGen')).toBeGreaterThanOrEqual(0);
  });
});
