// The panel where no run can start yet, the offline demonstration, and runs that do not end by themselves.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../processes.mjs';
import { pick, runCommand, toast, webviewWith } from '../window.mjs';
import { endlessCommand, endlessScript, soloScript, teamFile } from './fake-team';
import { allowUntilEnd, newRun, openPanel, picture, pictures, startRun, stopRun } from './panel';
import { textOf, trustTeamFile } from './panel';
import { serviceStage, stage, teamStage } from './stage';

describe('the offline demonstration', () => {
  const opened = stage({ settings: { 'massgen.commands.policy': 'ask' } });
  let page: Page;
  let panel: Frame;

  beforeAll(async () => {
    page = await opened.session.open(undefined);
  });

  it('is one of three ways to begin in an empty window', async () => {
    panel = await openPanel(page);
    const text = await textOf(panel);
    expect(text).toContain('Several models. One answer you can check.');
    for (const way of ['Use Editor Models', 'Add Key or Server…', 'Open Sample Project']) {
      expect(await panel.getByRole('button', { name: way }).count()).toBe(1);
    }
    await picture(page, panel, join(pictures, 'start-light.png'));
  });

  it('says so when the editor offers no models', async () => {
    await panel.getByRole('button', { name: 'Use Editor Models' }).click();
    expect(await toast(page, 'The editor offers no language model now')).toContain('Sign in');
  });

  it('opens a copy of the sample with its task already in the box', async () => {
    await panel.getByRole('button', { name: 'Open Sample Project' }).click();
    await pick(page, 'Create It in');
    await until('the sample is open', 60_000, () => page.url().includes('massgen-sample'));
    panel = await openPanel(page);
    expect(await panel.locator('textarea').inputValue()).toContain('parseDuration');
    expect(await textOf(panel)).toContain('A script, made by hand. No model runs.');
    await picture(page, panel, join(pictures, 'compose-light.png'));
  });

  it('plays a run with a dissenting vote to its end, and each command is asked for', async () => {
    const run = await startRun(panel);
    const allowed = await allowUntilEnd(run, 120_000);
    expect(new Set(allowed)).toEqual(new Set(['node --test']));
    await run.getByText('agent2.2 won with 2 of 3 votes.').first().waitFor();
    expect(await textOf(panel)).toContain('Dissent');
  });

  it('stands in the history afterwards', async () => {
    await runCommand(page, 'MassGen: Run History');
    await page
      .locator('.pane')
      .getByText(/agent2\.2 won/)
      .first()
      .waitFor();
  });

  it('refuses any other task with the ways to a real model', async () => {
    await runCommand(page, 'MassGen: New Run');
    panel = await webviewWith(page, 'textarea');
    await panel.locator('textarea').fill('Write a poem about the sea.');
    await panel.getByRole('button', { name: 'Run 3 Agents' }).click();
    await panel.getByText('The run could not start').waitFor();
    for (const way of ['Use Editor Models', 'Add Key or Server…', 'Open Sample Project']) {
      expect(await panel.getByRole('button', { name: way }).count()).toBeGreaterThan(0);
    }
  });
});

describe('a window without a folder', () => {
  const opened = serviceStage(soloScript);

  beforeAll(() => {
    const { service, session } = opened;
    const teams = join(session.dir, 'server/data/User/globalStorage/massgen.massgen/teams');
    mkdirSync(teams, { recursive: true });
    const text = teamFile(service.baseUrl, { models: ['solo'], hasKey: false });
    writeFileSync(join(teams, 'solo.massgen.yaml'), text);
  });

  it('runs with the agent’s own folder, and its files are saved where the user says', async () => {
    const { session } = opened;
    const page = await session.open(undefined);
    const panel = await openPanel(page);
    expect(await textOf(panel)).toContain('No folder is open.');
    const run = await startRun(panel, 'Collect three ideas.');
    await run.getByText('Three ideas stand in').first().waitFor();
    await page.locator('.pane').filter({ hasText: 'Review' }).locator('.pane-header').click();
    const row = page.locator('.pane .monaco-list-row').filter({ hasText: 'ideas.md' });
    await row.hover();
    await row.getByRole('button', { name: 'Save To…' }).click();
    const target = join(session.dir, 'home', 'ideas-saved.md');
    const input = page.locator('.quick-input-widget input[type="text"]');
    await until('the dialog proposes a name', 60_000, async () =>
      (await input.inputValue()).endsWith('ideas.md'),
    );
    await input.fill(target);
    await until('the file is saved', 60_000, async () => {
      // The dialog looks at the path first; Enter counts once it has.
      await input.press('Enter', { timeout: 1_000 }).catch(() => undefined);
      try {
        return readFileSync(target, 'utf8') === '# Three ideas\n';
      } catch {
        return false;
      }
    });
  });
});

describe('a folder that is not trusted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mge2e-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const opened = stage({ trust: true, settings: { 'security.workspace.trust.enabled': true } });

  beforeAll(() => {
    writeFileSync(join(folder, 'evil.massgen.yaml'), 'agents: 1\n');
  });

  it('starts nothing and says what to do', async () => {
    const page = await opened.session.open(folder);
    const panel = await openPanel(page);
    await panel.getByText('Restricted Mode: runs are off, history can be read.').waitFor();
    expect(await panel.locator('textarea').count()).toBe(0);
    expect(await textOf(panel)).not.toContain('evil');
    await panel.getByRole('button', { name: 'Manage Workspace Trust' }).click();
    await page.locator('.workspace-trust-editor').waitFor();
  });
});

describe('runs that do not end by themselves', () => {
  const opened = teamStage(endlessScript, {
    team: { models: ['busy', 'silent'], hasKey: false },
    settings: { 'massgen.commands.policy': 'ask' },
  });
  const { project } = opened;
  let page: Page;
  let panel: Frame;
  let git: string;

  beforeAll(async () => {
    ({ page } = opened);
    git = project.gitState();
    panel = await openPanel(page);
    await trustTeamFile(page, panel);
  });

  it('stop at once, with their commands and model calls', async () => {
    const run = await startRun(panel, 'Wait for the first-run.');
    await allowCommand(run);
    await until('the command runs', 60_000, () => processesWith(endlessCommand).length > 0);
    await stopRun(run, 5_000);
    await until('no command is left', 15_000, () => processesWith(endlessCommand).length === 0);
    await opened.service.settled();
    await picture(page, panel, join(pictures, 'stopped-light.png'));
  });

  it('go on side by side in one window', async () => {
    panel = await newRun(page);
    const left = await startRun(panel, 'Wait for the second-run, left.');
    panel = await newRun(page);
    const right = await startRun(panel, 'Wait for the second-run, right.');
    const active = panel.getByRole('navigation', { name: 'Runs of this window' });
    // In each of them an agent asks for its command while the other one still works.
    await until('two runs are active', 60_000, async () => {
      const waiting = await active.getByLabel('Needs you').count();
      return waiting === 2;
    });
    await picture(page, panel, join(pictures, 'two-runs-light.png'));
    await stopRun(right);
    await active.getByText('left').click();
    await stopRun(left);
  });

  it('are marked as interrupted when the window reloads, and leave no process', async () => {
    panel = await newRun(page);
    const run = await startRun(panel, 'Wait for the reload.');
    await allowCommand(run);
    await until('the command runs', 60_000, () => processesWith(endlessCommand).length > 0);
    // What the panel shows of a run is on the disk already.
    await run.getByText('agent2.1').first().waitFor();
    await page.reload();
    await until('no command is left', 15_000, () => processesWith(endlessCommand).length === 0);
    await page.locator('.statusbar .statusbar-item').first().waitFor({ timeout: 60_000 });
    await runCommand(page, 'MassGen: Run History');
    await page.locator('.pane').getByText('Wait for the reload.').first().click();
    panel = await webviewWith(page, 'body[data-ready]');
    await panel
      .getByText(/Interrupted/)
      .first()
      .waitFor();
    expect(await textOf(panel)).toContain('1 finished answer is kept. No process is left.');
    await panel.getByRole('button', { name: 'Open agent2.1' }).click();
    const answer = page.locator('.editor-instance .view-lines').first();
    await until('the finished answer', 60_000, async () =>
      (await answer.innerText()).replace(/\u00a0/g, ' ').includes('A finished draft.'),
    );
  });

  it('leave repository and files as they were', () => {
    expect(project.gitState()).toBe(git);
    expect(project.runTests()).not.toBe(0);
  });
});

async function allowCommand(run: Locator): Promise<void> {
  await run.locator('section.approval').getByRole('button', { name: 'Allow Once' }).click();
}

/** Processes of this machine whose command line holds the text. */
function processesWith(text: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(text)
      );
    } catch {
      return false; // it ended meanwhile
    }
  });
}
