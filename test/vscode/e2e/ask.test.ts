// The product's main job, as a person does it: ask a team, watch it, allow a command, review, accept, take back.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FakeModelService } from '../../support/fake-model-service/fake-model-service';
import { findLeaksInText } from '../../support/leak-scan';
import { until } from '../processes.mjs';
import { closeEditors, discardEditor, openFile, runCommand } from '../window.mjs';
import { setSideBarWidth, setTheme, toast, webviewWith } from '../window.mjs';
import { key, keyName, script, second, task, teamModels } from './fake-team';
import { setKey, testKey } from './keys';
import { allowUntilEnd, openPanel, picture, pictures, startRun } from './panel';
import { textOf, trustTeamFile } from './panel';
import { type Hashes, untilChanged } from './project';
import { teamStage } from './stage';

describe('asking a team to fix a failing test', () => {
  const opened = teamStage(script, {
    settings: { 'git.enabled': false, 'massgen.commands.policy': 'ask' },
  });
  const { project } = opened;
  let service: FakeModelService;
  let page: Page;
  let panel: Frame;
  let before: Hashes;
  const rows = (text: string): Locator =>
    page.locator('.pane .monaco-list-row').filter({ hasText: text });

  /**
   * Waits until exactly these files differ on the disk and are told as accepted. The bytes come first, and only what
   * is told can be taken back or accepted again.
   */
  async function untilAccepted(from: Hashes, files: readonly string[]): Promise<void> {
    await untilChanged(project, from, files);
    const told = rows('Accepted');
    await until('as many are told', 60_000, async () => (await told.count()) === files.length);
  }

  const source = (): string => join(project.folder, 'src', 'duration.js');

  beforeAll(() => {
    ({ service, page } = opened);
    before = project.hashes();
  });

  it('asks about the team file of the folder before it is used', async () => {
    panel = await openPanel(page);
    await panel.getByText('Check this team file first').waitFor();
    expect(await textOf(panel)).toContain(keyName);
    expect(await trustTeamFile(page, panel)).toContain('127.0.0.1');
  });

  it('says which key is missing, and starts nothing', async () => {
    await panel.locator('textarea').fill(task);
    await panel.getByRole('button', { name: 'Run 3 Agents' }).click();
    await panel.getByText(`There is no key under the name ${keyName}.`).waitFor();
    expect(service.journal).toHaveLength(0);
    await panel.getByRole('button', { name: 'Back to the Task' }).click();
    await panel.locator('[data-blocker]').waitFor({ state: 'detached' });
  });

  it('keeps a key in the secret storage and tests it on demand', async () => {
    await setKey(page, keyName, key);
    expect(await testKey(page, keyName)).toContain('works at');
    expect(service.journal).toHaveLength(1);
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  it('runs three agents, asks before a command, and ends with a decision', async () => {
    const run = await startRun(panel, task);
    await run.locator('section.approval').waitFor();
    await picture(page, panel, join(pictures, 'running-light.png'));
    expect(await allowUntilEnd(run)).toEqual(['node --test']);
    await run.getByText('agent2.2 won with 2 of 3 votes.').first().waitFor();
  });

  it('shows the votes with their reasons, and that a new answer made others look again', async () => {
    const text = await textOf(panel);
    expect(text).toContain('It has a test of its own.');
    expect(text).toContain('It changes the least.');
    await runCommand(page, 'MassGen: Show Run as Text');
    const editor = page.locator('.editor-instance .view-lines').first();
    await editor.waitFor();
    await until('the run as text', 60_000, async () =>
      (await editor.innerText()).replace(/\u00a0/g, ' ').includes('agent2.2'),
    );
    await closeEditors(page);
    const asked = service.journal.filter(({ model }) => model === teamModels[0]).map(bodyText);
    const firstVote = asked.findIndex((body) => body.includes('"vote"') && !body.includes(second));
    const laterVote = asked.findIndex((body) => body.includes('"vote"') && body.includes(second));
    expect(firstVote).toBeGreaterThan(0);
    expect(laterVote).toBeGreaterThan(firstVote);
  });

  it('leaves project and repository byte for byte as they were until Accept', () => {
    expect(project.hashes()).toEqual(before);
  });

  it('shows the proposal beside the file in the diff editor of the editor itself', async () => {
    const tree = page.locator('.pane').filter({ hasText: 'Review' });
    await tree.locator('.pane-header').click();
    await tree.getByText('duration.js', { exact: true }).first().click();
    const diff = page.locator('.monaco-diff-editor');
    await diff.waitFor();
    await until('the proposed text', 60_000, async () =>
      (await diff.innerText()).replace(/\u00a0/g, ' ').includes('total = (total ?? 0)'),
    );
    expect(project.hashes()).toEqual(before);
  });

  it('accepts a single file from the title of its diff, and takes it back', async () => {
    await page.getByRole('button', { name: 'Accept File' }).first().click();
    await untilAccepted(before, ['src/duration.js']);
    await runCommand(page, 'MassGen: Undo Accept');
    await untilAccepted(before, []);
  });

  it('shows all files in one overview', async () => {
    await runCommand(page, 'MassGen: Open Review');
    await page.locator('.tab').filter({ hasText: 'MassGen review: agent2.2 (2 files)' }).waitFor();
    await page.locator('.multiDiffEntry').nth(1).waitFor();
    // Both sides are one file to the editor: it marks none as renamed.
    const renamed = page.locator('.multiDiffEntry .status:visible').filter({ hasText: 'R' });
    expect(await renamed.count()).toBe(0);
    await page.mouse.move(820, 720);
    await page.locator('.workbench-hover:visible').first().waitFor({ state: 'hidden' });
    await page.screenshot({ path: join(pictures, 'overview-light.png') });
  });

  it('gives the answer away: to a new file, and a link only after its target was shown', async () => {
    await closeEditors(page);
    panel = await webviewWith(page, 'body[data-ready]');
    await panel.getByRole('button', { name: 'New File' }).click();
    const editor = page.locator('.editor-instance .view-lines');
    await until('the answer in an editor', 60_000, async () =>
      (await editor.allInnerTexts()).some((text) =>
        text.replace(/\u00a0/g, ' ').includes('It now sums all of them'),
      ),
    );
    await panel.getByRole('link', { name: 'the notes' }).click();
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    expect(await dialog.innerText()).toContain('https://example.com/notes?of=duration');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await discardEditor(page);
  });

  it('keeps pictures of the result in four themes and narrow', async () => {
    await closeEditors(page);
    panel = await webviewWith(page, 'body[data-ready]');
    for (const theme of ['light', 'dark', 'high-contrast', 'high-contrast-light'] as const) {
      await setTheme(page, theme);
      await panel.locator(`body[data-vscode-theme-kind="vscode-${theme}"]`).waitFor();
      await picture(page, panel, join(pictures, `decided-${theme}.png`));
    }
    await setTheme(page, 'dark');
    for (const width of [480, 300]) {
      await setSideBarWidth(page, width);
      await picture(page, panel, join(pictures, `decided-${String(width)}.png`));
    }
    expect(readFileSync(join(pictures, 'decided-dark.png')).byteLength).toBeGreaterThan(10_000);
  });

  it('writes the files on Accept All, and the tests of the project pass', async () => {
    expect(project.runTests()).not.toBe(0);
    panel = await webviewWith(page, 'body[data-ready]');
    await panel.getByRole('button', { name: 'Accept All' }).click();
    await untilAccepted(before, ['src/duration.js', 'test/duration.test.js']);
    expect(project.runTests()).toBe(0);
  });

  it('gives the bytes back on Undo Accept', async () => {
    await runCommand(page, 'MassGen: Undo Accept');
    await untilAccepted(before, []);
  });

  it('opens again from the history after the window was loaded anew, and can be accepted and taken back', async () => {
    await page.reload();
    await page.locator('.statusbar .statusbar-item').first().waitFor({ timeout: 60_000 });
    await runCommand(page, 'MassGen: Run History');
    await page.locator('.pane').getByText(task).first().click();
    panel = await webviewWith(page, 'body[data-ready]');
    await panel.getByText('agent2.2 won with 2 of 3 votes.').first().waitFor();
    await panel.getByRole('button', { name: 'Accept All' }).click();
    await untilAccepted(before, ['src/duration.js', 'test/duration.test.js']);
    expect(project.runTests()).toBe(0);
    await runCommand(page, 'MassGen: Undo Accept');
    await untilAccepted(before, []);
  });

  it('rejects from the tree and from the palette, which writes nothing and can be taken back', async () => {
    const row = rows('duration.js').filter({ hasText: 'src' }).first();
    const rejected = rows('Rejected');
    await row.hover();
    await row.getByRole('button', { name: 'Reject File' }).click();
    await until('one is rejected', 60_000, async () => (await rejected.count()) === 1);
    await runCommand(page, 'MassGen: Reject All');
    await until('both are rejected', 60_000, async () => (await rejected.count()) === 2);
    expect(project.hashes()).toEqual(before);
    for (const left of [1, 0]) {
      await rejected.first().hover();
      await rejected.first().getByRole('button', { name: 'Undo Decision for File' }).click();
      await until('one is open again', 60_000, async () => (await rejected.count()) === left);
    }
    await row.hover();
    await row.getByRole('button', { name: 'Accept File' }).click();
    await untilAccepted(before, ['src/duration.js']);
    await runCommand(page, 'MassGen: Undo Accept');
    await untilAccepted(before, []);
  });

  it('carries the proposal over to a file that the user changed elsewhere', async () => {
    const mine = '\n// a note of mine\n';
    const original = readFileSync(source(), 'utf8');
    writeFileSync(source(), original + mine);
    const noted = project.hashes();
    await runCommand(page, 'MassGen: Accept All');
    await untilAccepted(noted, ['src/duration.js', 'test/duration.test.js']);
    expect(project.runTests()).toBe(0);
    expect(readFileSync(source(), 'utf8')).toContain(mine);
    await runCommand(page, 'MassGen: Undo Accept');
    await untilAccepted(noted, []);
    expect(readFileSync(source(), 'utf8')).toBe(original + mine);
    writeFileSync(source(), original);
  });

  it('never overwrites lines that the user changed: it shows a conflict', async () => {
    const original = readFileSync(source(), 'utf8');
    const mine = original.replace('return Number(amount)', 'return 1 * Number(amount)');
    writeFileSync(source(), mine);
    await runCommand(page, 'MassGen: Accept All');
    const row = rows('Conflict');
    await row.waitFor();
    await toast(page, 'needs your decision');
    expect(readFileSync(source(), 'utf8')).toBe(mine);
    await runCommand(page, 'Notifications: Clear All Notifications');
    await row.hover();
    await row.getByRole('button', { name: 'Open Conflict' }).click();
    const scratch = page.locator('.editor-instance .view-lines');
    await until('both versions between markers', 60_000, async () =>
      (await scratch.allInnerTexts()).some((text) => text.includes('<<<<<<<')),
    );
    await page.screenshot({ path: join(pictures, 'conflict-dark.png') });
    const question = page
      .locator('.notification-toast')
      .filter({ hasText: 'overlaps your change' });
    await question.getByRole('button', { name: 'Keep Mine' }).click();
    await rows('Rejected').waitFor();
    expect(readFileSync(source(), 'utf8')).toBe(mine);
    await discardEditor(page);
  });

  it('takes a selection over into the task box', async () => {
    await openFile(page, source());
    await page.locator('.editor-group-container.active .view-lines').click();
    await page.keyboard.press('Control+A');
    await runCommand(page, 'MassGen: Ask About Selection');
    panel = await webviewWith(page, 'textarea');
    await until('the selection in the task', 60_000, async () =>
      (await panel.locator('textarea').inputValue()).includes('About src/duration.js, lines 1 to'),
    );
  });

  it('sends the key to the service only, and tells no model who the others are', () => {
    const asked = service.journal.filter(({ body }) => bodyText({ body }).includes('new_answer'));
    expect(asked.length).toBeGreaterThan(9);
    const agents = teamModels.map((model, i) => ({ slot: i + 1, id: model, model }));
    const leaks = asked.flatMap((entry) => {
      const slot = teamModels.indexOf(entry.model) + 1;
      return findLeaksInText(slot, readable(entry.body), { agents, allowed: [] });
    });
    expect(leaks).toEqual([]);
    const sent = service.journal.map(bodyText).join('\n');
    expect(sent).not.toContain(key);
    expect(sent).not.toContain('Fake team');
  });
});

/** What a model could read of a request: not the name by which it is addressed. */
function readable(body: unknown): string {
  const { model: _model, ...rest } = Object.fromEntries(Object.entries(body ?? {}));
  return JSON.stringify(rest);
}

function bodyText({ body }: { readonly body: unknown }): string {
  return JSON.stringify(body);
}
