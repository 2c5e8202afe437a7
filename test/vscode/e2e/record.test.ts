// What stays of a run for its user: what it asked while nobody looked, its answers after a stop, its files and instructions.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '../processes.mjs';
import { runCommand, toast, webviewWith } from '../window.mjs';
import { endlessScript, script, soloScript, task } from './fake-team';
import { allowUntilEnd, openPanel, startRun, stopRun, trustTeamFile, untilOver } from './panel';
import { type Hashes, untilChanged } from './project';
import { teamStage } from './stage';

describe('a run that nobody looks at', () => {
  const opened = teamStage(endlessScript, {
    team: { models: ['busy', 'silent'], hasKey: false },
    settings: { 'massgen.commands.policy': 'ask' },
  });
  let page: Page;

  beforeAll(async () => {
    ({ page } = opened);
    const panel = await openPanel(page);
    await trustTeamFile(page, panel);
    const run = await startRun(panel, 'Wait for the first-run.');
    // Asked in sight, and not answered.
    await run.locator('section.approval').waitFor();
    await run.getByText('agent2.1').first().waitFor();
  });

  it('says outside of the panel that a command waits, and leads to its card', async () => {
    const asked = page.locator('.notification-toast').filter({ hasText: 'wants to run a command' });
    expect(await asked.count()).toBe(0);
    await runCommand(page, 'View: Show Explorer');
    expect(await toast(page, 'wants to run a command')).toContain('Agent 1');
    await asked.getByRole('button', { name: 'Show', exact: true }).click();
    const panel = await webviewWith(page, 'article.run section.approval');
    expect(await panel.locator('section.approval').count()).toBe(1);
  });

  it('lets the user take a finished answer after a stop, also once the window was loaded anew', async () => {
    let panel = await webviewWith(page, 'article.run');
    await stopRun(panel.locator('article.run'));
    await panel.getByRole('button', { name: 'Use agent2.1', exact: true }).click();
    await panel.locator('.verdict[data-winner="agent2.1"]').waitFor();
    expect(await panel.locator('.outcome').innerText()).toBe('Decided by you');
    await page.reload();
    await page.locator('.statusbar .statusbar-item').first().waitFor({ timeout: 60_000 });
    await runCommand(page, 'MassGen: Run History');
    await page.locator('.pane').getByText('Wait for the first-run.').first().click();
    panel = await webviewWith(page, '.verdict[data-winner="agent2.1"]');
    await panel.locator('.markdown').getByText('A finished draft.').waitFor();
  });
});

describe('files that were accepted', () => {
  const { apiKeys: _unused, ...free } = script;
  const opened = teamStage(free, { team: { hasKey: false } });
  let page: Page;
  let panel: Frame;
  let run: Locator;
  let hashes: Hashes;

  beforeAll(async () => {
    ({ page } = opened);
    panel = await openPanel(page);
    await trustTeamFile(page, panel);
    run = await startRun(panel, task);
    await allowUntilEnd(run);
    hashes = opened.project.hashes();
    await panel.getByRole('button', { name: 'Accept All' }).click();
    await panel.getByRole('button', { name: 'Undo Accept' }).waitFor();
    await run.getByRole('button', { name: 'Candidates', exact: true }).click();
  });

  async function useOther(): Promise<Locator> {
    await run.getByRole('button', { name: 'Actions for agent1.1', exact: true }).click();
    await run.getByRole('menuitem', { name: 'Use This Answer Instead' }).click();
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    return dialog;
  }

  it('are asked about before another answer takes their place, and Cancel changes nothing', async () => {
    const dialog = await useOther();
    expect(await dialog.innerText()).toContain('2 files of agent2.2 are accepted.');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await run.locator('.verdict').getAttribute('data-winner')).toBe('agent2.2');
    expect(await panel.getByRole('button', { name: 'Undo Accept' }).count()).toBe(1);
  });

  it('are taken back first when the user wants that', async () => {
    const dialog = await useOther();
    await dialog.getByRole('button', { name: 'Undo Accept First' }).click();
    await run.locator('.verdict[data-winner="agent1.1"]').waitFor();
    await untilChanged(opened.project, hashes, []);
    await panel.getByRole('button', { name: 'Accept All' }).waitFor();
  });
});

describe('the record of a run', () => {
  const rule = 'Write short sentences.';
  const opened = teamStage(soloScript, {
    team: { models: ['solo'], hasKey: false },
    settings: { 'massgen.logs.location': 'project' },
  });
  let page: Page;
  let panel: Frame;

  beforeAll(async () => {
    writeFileSync(join(opened.project.folder, 'AGENTS.md'), `# Rules\n\n${rule}\n`);
    ({ page } = opened);
    panel = await openPanel(page);
    await trustTeamFile(page, panel);
    await untilOver(await startRun(panel, 'Collect three ideas.'));
  });

  it('shows the instructions of the project as the agents were given them', async () => {
    await panel.getByRole('button', { name: 'Project instructions', exact: true }).click();
    await panel.getByRole('button', { name: 'AGENTS.md' }).click();
    const text = page.locator('.editor-instance .view-lines').first();
    await until('the instructions', 60_000, async () =>
      (await text.innerText()).replace(/\u00a0/g, ' ').includes(rule),
    );
    const asked = opened.service.journal.map(({ body }) => JSON.stringify(body));
    expect(asked.every((body) => body.includes(rule))).toBe(true);
  });

  it('stands in the project when the user wants that, out of git, and opens by a command', async () => {
    const logs = join(opened.project.folder, '.massgen', 'massgen_logs');
    const [run = ''] = readdirSync(logs).filter((name) => name.startsWith('log_'));
    const turn = join(logs, run, 'turn_1');
    await until('the files are written', 60_000, () => existsSync(join(turn, 'status.json')));
    expect(readFileSync(join(logs, '.gitignore'), 'utf8')).toMatch(/^\*$/m);
    const window = opened.session.context.waitForEvent('page');
    await panel.getByRole('button', { name: 'Open Run Folder', exact: true }).click();
    const folder = await window;
    await until('the folder is open in a window', 30_000, () =>
      decodeURIComponent(folder.url()).includes(run),
    );
    await folder.locator('.explorer-folders-view').getByText('status.json').waitFor();
    await folder.close();
  });
});
