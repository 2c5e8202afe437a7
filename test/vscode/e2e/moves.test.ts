// The panel is hidden, moved and loaded anew while a team works: nothing is lost, and whoever is needed hears of it.
import type { Frame, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { FakeClock } from '../../support/fake-clock';
import type { FakeModelService } from '../../support/fake-model-service/fake-model-service';
import type { ScriptedAnswer, ServiceScript } from '../../support/fake-model-service/script';
import type { ServiceClock } from '../../support/fake-model-service/service-clock';
import { until } from '../processes.mjs';
import { pick, runCommand, webviewAfter, webviewWith } from '../window.mjs';
import { newRun, openPanel, startRun, textOf, trustTeamFile, untilStopped } from './panel';
import { teamStage } from './stage';

const command = 'echo seen';
/** The second command is asked for after so long. */
const whileHiddenMs = 3_000;
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
        runs('Second words.', whileHiddenMs),
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

/** The time of the service stands still: what a model waits for comes when the test says so. */
const time = new FakeClock();
const clock: ServiceClock = {
  now: () => time.now(),
  at: (deadline, run) => {
    const timer = time.after(deadline - time.now(), run);
    return () => timer.dispose();
  },
};

describe('a panel out of sight', () => {
  const opened = teamStage(script, {
    clock,
    team: { models: ['solo'], hasKey: false },
    settings: { 'massgen.commands.policy': 'ask' },
  });
  let service: FakeModelService;
  let page: Page;
  let panel: Frame;

  beforeAll(async () => {
    ({ service, page } = opened);
    panel = await openPanel(page);
    await trustTeamFile(page, panel);
  });

  it('while it is hidden, a command that waits is told, and Deny in the message denies it', async () => {
    const run = await startRun(panel, 'Say what you see.');
    await run.locator('section.approval').getByRole('button', { name: 'Deny' }).click();
    await runCommand(page, 'View: Show Explorer');
    // The extension is told of what it shows before it is asked for this.
    await runCommand(page, 'MassGen: Show Run as Text');
    await page.locator('.editor-instance .view-line').first().waitFor();
    await until('the model waits', 60_000, () => time.pending > 0);
    time.advance(whileHiddenMs);
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
    panel = await webviewAfter(page, panel, 'body[data-ready]');
    await panel.getByText('Words that stay.').first().waitFor();
    await runCommand(page, 'MassGen: Stop Run');
    await untilStopped(panel.locator('article.run'));
  });

  it('loaded anew, it shows the same run', async () => {
    await runCommand(page, 'MassGen: Reload MassGen View');
    panel = await webviewAfter(page, panel, 'body[data-ready]');
    await untilStopped(panel.locator('article.run'));
    expect(await textOf(panel)).toContain('Wait for the move.');
  });
});

/** The message of the editor about a run. */
function question(page: Page, text = 'wants to run a command'): Locator {
  return page.locator('.notification-toast').filter({ hasText: text });
}
