// A review that waits: beside a user who goes on working, and over ends of the extension host and of the window.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '../processes.mjs';
import { closeEditors, openFile, runCommand, toast, webviewWith } from '../window.mjs';
import { command, files, firstTask, notes, notesText, script, second } from './kept-script';
import { secondTask, settingsFile, tenth, tenthProposed, workspaceFile } from './kept-script';
import { newRun, openPanel, startRun, trustTeamFile, untilOver } from './panel';
import { untilChanged } from './project';
import { drawn, openTree, press, rows, untilRows } from './review-window';
import { teamStage } from './stage';

describe('a review that waits', () => {
  const opened = teamStage(script, {
    team: { models: ['solo'], hasKey: false },
    settings: { 'git.enabled': false, 'massgen.commands.policy': 'ask' },
    profile: { viewport: { width: 1280, height: 1300 } },
    files,
  });
  const { project } = opened;
  const path = join(project.folder, notes);
  const mine = 'X';
  let page: Page;
  let panel: Frame;

  const editor = (): Locator => page.locator('.editor-group-container.active .view-lines');
  const tabs = (): Promise<readonly string[]> => page.locator('.tab').allInnerTexts();
  const untilNotes = (text: string): Promise<void> =>
    expect.poll(() => project.text(notes), { timeout: 60_000 }).toBe(text);

  function hostPids(): readonly number[] {
    const all = opened.session.server.processes();
    return all.filter(({ type }) => type === 'extensionHost').map(({ pid }) => pid);
  }

  /**
   * Waits until another extension host than these shows the review, with its decisions. The window is loaded anew: what
   * the host that is gone had drawn stays for a while, and takes clicks that nobody hears.
   */
  async function untilShownAgain(old: readonly number[]): Promise<void> {
    await page.reload();
    await page.locator('.statusbar .statusbar-item').first().waitFor({ timeout: 60_000 });
    await until('another extension host', 60_000, () =>
      hostPids().some((pid) => !old.includes(pid)),
    );
    await runCommand(page, 'MassGen: Run History', 60_000);
    await page.locator('.pane').getByText(firstTask).first().click();
    await rows(page, 'Line 10').first().waitFor();
    await untilRows(page, 1, 'Line 2', 'Accepted');
    await untilRows(page, 1, 'Line 10', 'Rejected');
  }

  beforeAll(async () => {
    ({ page } = opened);
    panel = await openPanel(page);
    await trustTeamFile(page, panel);
  });

  it('takes neither the focus nor a tab from a user who types while the run ends', async () => {
    await openFile(page, path);
    await editor().click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type(mine);
    await runCommand(page, 'File: New Untitled Text File');
    await page.locator('.tab.active').filter({ hasText: 'Untitled-1' }).waitFor();
    panel = await webviewWith(page, 'textarea');
    await panel.getByText(/unsaved files? .* included/).waitFor();
    const run = await startRun(panel, firstTask);
    await editor().click();
    const before = await tabs();
    let typed = 0;
    await until('the run is over', 60_000, async () => {
      await page.keyboard.type('a');
      typed += 1;
      return (await run.getAttribute('data-outcome')) !== 'running';
    });
    await panel.getByRole('button', { name: 'Accept All' }).waitFor();
    await page.keyboard.type('end');
    await until('all that was typed', 60_000, async () =>
      (await drawn(editor())).includes(`${'a'.repeat(typed)}end`),
    );
    expect((await tabs()).length).toBe(before.length);
    await page.locator('.tab.active').filter({ hasText: 'Untitled-1' }).waitFor();
  });

  it('has what was not saved in its base, and leaves a changed editor to the user for saving', async () => {
    await openTree(page);
    await press(rows(page, notes).first(), 'Accept File');
    await untilRows(page, 1, 'Line 10', 'Accepted');
    await openFile(page, path);
    const text = await drawn(editor());
    expect(text).toContain(`${mine}Line 1 of the notes.`);
    expect(text).toContain(tenthProposed);
    expect(project.text(notes)).toBe(notesText);
    await runCommand(page, 'File: Save');
    const both = `${mine}${notesText}`.replace(second, 'Line two, as proposed.');
    await untilNotes(both.replace(tenth, tenthProposed));
    await runCommand(page, 'MassGen: Undo Accept');
    await untilNotes(mine + notesText);
    await untilRows(page, 0, 'Accepted');
  });

  it('lets an untitled text be', async () => {
    await page.locator('.tab').filter({ hasText: 'Untitled-1' }).click();
    await until('the text', 60_000, async () => (await drawn(editor())).includes('aend'));
    await runCommand(page, 'View: Revert and Close Editor');
    await page.locator('.tab').filter({ hasText: 'Untitled-1' }).waitFor({ state: 'detached' });
  });

  it('is not decided by closing its diff', async () => {
    const before = project.hashes();
    await rows(page, notes).first().click();
    await page.locator('.monaco-diff-editor').waitFor();
    await closeEditors(page);
    await untilRows(page, 0, 'Rejected');
    await untilRows(page, 0, 'Accepted');
    expect(project.hashes()).toEqual(before);
  });

  it('is there with its decisions after the extension host ended, and after it was killed', async () => {
    await press(rows(page, 'Line 2'), 'Accept Hunk');
    await untilRows(page, 1, 'Line 2', 'Accepted');
    await press(rows(page, 'Line 10'), 'Reject Hunk');
    await untilRows(page, 1, 'Line 10', 'Rejected');
    const decided = project.hashes();
    for (const signal of ['SIGTERM', 'SIGKILL']) {
      const ended = hostPids();
      ended.forEach((pid) => process.kill(pid, signal));
      await untilShownAgain(ended);
      expect(project.hashes()).toEqual(decided);
    }
    await press(rows(page, 'Line 2'), 'Undo Decision for Hunk');
    await untilNotes(mine + notesText);
    await press(rows(page, 'Line 10'), 'Undo Decision for Hunk');
    await untilRows(page, 0, 'Rejected');
  });

  it('shows a conflict where the user went on working, and never rolls his work back', async () => {
    const newer = (mine + notesText).replace(tenth, 'Line 10, by hand.');
    writeFileSync(path, newer);
    await page.reload();
    await page.locator('.statusbar .statusbar-item').first().waitFor({ timeout: 60_000 });
    await openFile(page, path);
    await runCommand(page, 'MassGen: Run History');
    await page.locator('.pane').getByText(firstTask).first().click();
    await rows(page, 'Line 10').first().waitFor();
    expect(await drawn(editor())).toContain('Line 10, by hand.');
    expect(await page.locator('.tab.dirty').count()).toBe(0);
    await press(rows(page, 'Line 10'), 'Accept Hunk');
    await untilRows(page, 1, 'Line 10', 'Conflict');
    await press(rows(page, 'Line 2'), 'Accept Hunk');
    await untilNotes(newer.replace(second, 'Line two, as proposed.'));
    await press(rows(page, 'Line 2'), 'Undo Decision for Hunk');
    await untilNotes(newer);
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  it('leaves what changes the editor out of Accept All, and asks for each of it', async () => {
    const before = project.hashes();
    await rows(page, 'settings.json', 'Needs its own Accept').waitFor();
    await rows(page, workspaceFile, 'Needs its own Accept').waitFor();
    await runCommand(page, 'MassGen: Accept All');
    await toast(page, 'decision');
    await untilChanged(project, before, [notes]);
    await runCommand(page, 'Notifications: Clear All Notifications');
    const dialog = page.locator('.monaco-dialog-box');
    const row = rows(page, 'settings.json');
    await press(row, 'Accept File');
    await dialog.getByText('it can change settings').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(Object.keys(project.hashes())).not.toContain(settingsFile);
    await press(row, 'Accept File');
    await dialog.getByRole('button', { name: 'Accept', exact: true }).click();
    await expect.poll(() => Object.keys(project.hashes())).toContain(settingsFile);
    expect(Object.keys(project.hashes())).not.toContain(workspaceFile);
  });

  it('makes no command run unasked, not even after a reload with the accepted settings', async () => {
    await page.reload();
    await page.locator('.statusbar .statusbar-item').first().waitFor({ timeout: 60_000 });
    panel = await newRun(page);
    const run = await startRun(panel, secondTask);
    const card = run.locator('section.approval');
    await card.waitFor();
    expect(await card.locator('.approval-command').innerText()).toContain(command);
    await card.getByRole('button', { name: 'Deny' }).click();
    await untilOver(run);
  });
});
