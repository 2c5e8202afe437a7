// Somebody who reads what the command says leaves before it is over, as `2>&1 | head -1` does.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { finished, installCli, type InstalledCli, startCli } from '../../support/built-cli';
import { startFakeModelService } from '../../support/fake-model-service/fake-model-service';
import { HeldClock } from '../../support/fake-model-service/held-clock';

let install: InstalledCli;

beforeAll(async () => {
  install = await installCli();
});

const answer = {
  steps: [{ kind: 'tool-call', name: 'new_answer', arguments: { content: 'Done.' } }],
} as const;

describe('without a reader of standard error', () => {
  it('a run comes to its end all the same', async () => {
    const home = mkdtempSync(join(tmpdir(), 'massgen-pipes-'));
    const service = await startFakeModelService(
      { models: { small: { answers: [answer] } } },
      new HeldClock(),
    );
    onTestFinished(async () => {
      await service.close();
      rmSync(home, { recursive: true });
    });
    const model = ['--model', 'small', '--backend', 'chatcompletion'];
    const child = startCli(
      install,
      [...model, '--base-url', service.baseUrl, '--automation', '--debug', 'Do it'],
      { cwd: home, environment: { HOME: home } },
    );
    child.stderr?.destroy();
    const { code, output } = await finished(child);
    expect(output).toContain('\nCOMPLETED: ');
    expect(code).toBe(0);
  });
});
