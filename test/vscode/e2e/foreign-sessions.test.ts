// A session that the command line has begun, in a window that has its folder open; then the other way round.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FakeModelService } from '../../support/fake-model-service/fake-model-service';
import type { ScriptedAnswer, ServiceScript } from '../../support/fake-model-service/script';
import { until } from '../processes.mjs';
import { runCommand } from '../window.mjs';
import { openPanel, trustTeamFile, untilOver } from './panel';
import { teamStage } from './stage';

const cli = resolve(import.meta.dirname, '../../../dist/cli.js');
const tasks = [
  'Name the function that parses.',
  'And where is it tested?',
  'Who calls it?',
] as const;
const replies = [
  'It is called parseDuration.',
  'In test/duration.test.js.',
  'Nobody yet.',
] as const;

const answers = (content: string, when: ScriptedAnswer['when']): ScriptedAnswer => ({
  when: { ...when, offersTool: 'new_answer' },
  isRepeated: true,
  steps: [{ kind: 'tool-call', name: 'new_answer', arguments: { content } }],
});

const script: ServiceScript = {
  models: {
    solo: {
      answers: [
        answers(replies[2], { contains: tasks[2] }),
        answers(replies[1], { contains: tasks[1] }),
        answers(replies[0], { lacks: tasks[1] }),
      ],
    },
  },
};

describe('a session of the command line', () => {
  const opened = teamStage(script, { team: { models: ['solo'], hasKey: false } });
  let service: FakeModelService;
  let page: Page;
  let panel: Frame;
  let run: Locator;
  let home: string;

  /** Runs the command in the home that the window has, and answers what it prints. */
  async function massgen(...args: readonly string[]): Promise<string> {
    const { folder } = opened.project;
    const options = ['--config', join(folder, 'team.massgen.yaml'), '--trust-config'];
    const all = [cli, ...args, ...options, '--project', folder, '--automation'];
    const environment = { PATH: process.env['PATH'], HOME: home };
    const child = spawn(process.execPath, all, { cwd: home, env: environment });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    expect([await once(child, 'close'), output]).toMatchObject([[0, null], expect.anything()]);
    return output;
  }

  const rows = (): Locator =>
    page.locator('.pane').filter({ hasText: 'History' }).locator('.monaco-list-row');

  beforeAll(async () => {
    ({ service, page } = opened);
    home = join(opened.session.dir, 'home');
    await massgen(tasks[0]);
    panel = await openPanel(page);
    await trustTeamFile(page, panel);
  });

  it('stands in the history of a window with its folder, and says where it was made', async () => {
    await runCommand(page, 'MassGen: Run History');
    const row = rows().filter({ hasText: tasks[0] });
    await row.waitFor();
    expect(await row.innerText()).toContain('command line');
    await row.click();
    run = panel.locator('article.run');
    await run.getByText(replies[0]).first().waitFor();
  });

  it('goes on in the window, with all that was said, in the storage of the command line', async () => {
    const before = await run.getAttribute('data-run');
    await run.getByLabel('Follow-up').fill(tasks[1]);
    await run.getByRole('button', { name: 'Continue', exact: true }).click();
    run = panel.locator(`article.run:not([data-run="${before ?? ''}"])`);
    await run.getByText(replies[1]).first().waitFor();
    await untilOver(run);
    expect(await run.locator('.run-sums').innerText()).toContain('Turn 2');
    expect(JSON.stringify(service.journal.at(-1)?.body)).toContain(replies[0]);
    const list = JSON.parse(readFileSync(join(home, '.massgen/sessions.json'), 'utf8')) as unknown;
    expect(list).toMatchObject({
      sessions: [
        { session_id: before, origin: 'cli', data_path: join(home, '.local/share/massgen') },
      ],
    });
  });

  it('goes on at the command line again, and the window shows the new turn', async () => {
    expect(await massgen(tasks[2], '--continue')).toContain('/turn_3/');
    expect(JSON.stringify(service.journal.at(-1)?.body)).toContain(replies[1]);
    await until('the third turn is listed', 60_000, async () => {
      await page.bringToFront();
      const texts = await rows().allInnerTexts();
      return texts.some((text) => text.includes('3 turns') && text.includes('command line'));
    });
  });
});
