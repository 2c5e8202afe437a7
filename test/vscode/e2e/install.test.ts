import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSession } from '../session.mjs';
import { activationTime, runCommand, waitForActivation } from '../window.mjs';

describe('the packaged extension in a real VS Code', () => {
  let session: Awaited<ReturnType<typeof startSession>>;
  const folder = mkdtempSync(join(tmpdir(), 'mg-install-'));

  beforeAll(async () => {
    session = await startSession();
  });

  afterAll(async () => {
    await session.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is not activated before it is asked for, and is active after its first command', async () => {
    const page = await session.open(folder);
    expect(await activationTime(page, 'MassGen')).toBeUndefined();
    await runCommand(page, 'MassGen: Show Logs');
    expect(await waitForActivation(page, 'MassGen')).toBeGreaterThanOrEqual(0);
  });
});
