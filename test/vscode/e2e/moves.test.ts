// The panel is hidden, moved and loaded anew while a team works: nothing is lost, and whoever is needed hears of it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type FakeModelService,
  startFakeModelService,
} from '../../support/fake-model-service/fake-model-service';
import type { ScriptedAnswer, ServiceScript } from '../../support/fake-model-service/script';
import { startSession } from '../session.mjs';
import { pick, runCommand, webviewWith } from '../window.mjs';
import { teamFile } from './fake-team';
import {
  untilStopped,
  newRun,
  openPanel,
  picturesOfFailures,
  startRun,
  textOf,
  trustTeamFile,
} from './panel';
import { makeProject } from './project';

const command = 'echo seen';
const runs = (text: string, ms = 0): ScriptedAnswer => ({
  steps: [
    { kind: 'text', text },
    { kind: 'wait', ms },
    { kind: 'tool-call', name: 'run_command', arguments: { command } },
  ],
});
const answers = (content: string): ScriptedAnswer => ({
  steps: [{ kind: 'tool-call', name: 'new_answer', arguments: { content } }],
});

/** Asks for the same command in three runs; the fourth is silent after its first words. */
const script: ServiceScript = {
  models: {
    solo: {
      answers: [
        runs('First words.'),
        runs('Second words.', 3_000),
        answers('The whole of the first run.'),
        runs('Of the second run.'),
        answers('The whole of the second run.'),
        runs('Of the third run.'),
        answers('The whole of the third run.'),
        {
          steps: [
            { kind: 'text', text: 'Words that stay.' },
            { kind: 'wait', ms: 1_000 },
            { kind: 'hang' },
          ],
        },
      ],
    },
  },
};

describe('a panel out of sight', () => {
  const project = makeProject();
  let service: FakeModelService;
  let session: Awaited<ReturnType<typeof startSession>>;
  let page: Page;
  let panel: Frame;

  picturesOfFailures(() => session.context.pages());
  beforeAll(async () => {
    service = await startFakeModelService(script);
    const text = teamFile(service.baseUrl, { models: ['solo'], hasKey: false });
    writeFileSync(join(project.folder, 'solo.massgen.yaml'), text);
    session = await startSession();
    page = await session.open(project.folder);
    panel = await openPanel(page);
    await trustTeamFile(page, panel);
  });

  afterAll(async () => {
    await session.close();
    await service.close();
    project.remove();
  });

  it('while it is hidden, a command that waits is told, and Deny in the message denies it', async () => {
    const run = await startRun(panel, 'Say what you see.');
    await run.locator('section.approval').getByRole('button', { name: 'Deny' }).click();
    await runCommand(page, 'View: Show Explorer');
    const message = question(page);
    await message.waitFor();
    expect(await message.innerText()).toContain(command);
    await message.getByRole('button', { name: 'Deny' }).click();
    await question(page, 'has ended').or(question(page, 'won the run')).first().waitFor();
    const denials = JSON.stringify(service.journal.at(-1)?.body).match(/denied|not allowed/gi);
    expect(denials?.length).toBeGreaterThanOrEqual(2);
  });

  it('shows everything that happened meanwhile as soon as it is seen again', async () => {
    await question(page, 'agent1.1 won the run').getByRole('button', { name: 'Show' }).click();
    panel = await webviewWith(page, 'body[data-ready]');
    await panel.getByText('The whole of the first run.').first().waitFor();
    expect(await textOf(panel)).toContain('One answer; no vote was needed.');
  });

  it('a command that is allowed for the workspace is not asked for again, until it is revoked', async () => {
    panel = await newRun(page);
    const first = await startRun(panel, 'Say it again.');
    const card = first.locator('section.approval');
    await card.getByRole('button', { name: 'Allow for longer' }).click();
    await card.getByRole('menuitem', { name: 'Allow This Workspace' }).click();
    await first.getByText('The whole of the second run.').first().waitFor();
    panel = await newRun(page);
    const second = await startRun(panel, 'And again.');
    await second.getByText('The whole of the third run.').first().waitFor();

    await runCommand(page, 'MassGen: Manage Allowed Commands');
    const list = page.locator('.quick-input-widget');
    const row = list.locator('.monaco-list-row').filter({ hasText: command });
    await row.waitFor();
    await row.locator('.monaco-checkbox, input[type="checkbox"]').first().click();
    await list.getByRole('button', { name: 'OK' }).click();
    await runCommand(page, 'MassGen: Manage Allowed Commands');
    await page
      .locator('.notification-toast')
      .filter({ hasText: 'No command is allowed without asking' })
      .waitFor();
  });

  it('moved to another place in the middle of a run, it goes on where it was', async () => {
    panel = await newRun(page);
    const run = await startRun(panel, 'Wait for the move.');
    await run.getByText('Words that stay.').first().waitFor();
    await runCommand(page, 'View: Move View');
    await pick(page, 'Run');
    await pick(page, 'New Panel Entry');
    panel = await webviewWith(page, 'body[data-ready]');
    await panel.getByText('Words that stay.').first().waitFor();
    await runCommand(page, 'MassGen: Stop Run');
    await untilStopped(panel.locator('article.run'));
  });

  it('loaded anew, it shows the same run', async () => {
    await runCommand(page, 'MassGen: Reload MassGen View');
    panel = await webviewWith(page, 'body[data-ready]');
    await untilStopped(panel.locator('article.run'));
    expect(await textOf(panel)).toContain('Wait for the move.');
  });
});

/** The message of the editor about a run. */
function question(page: Page, text = 'wants to run a command'): Locator {
  return page.locator('.notification-toast').filter({ hasText: text });
}
