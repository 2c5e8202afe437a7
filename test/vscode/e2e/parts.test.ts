// A proposal decided part by part: from the tree, from the panel and by the keys of the diff editor.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '../processes.mjs';
import { closeEditors, openFile, runCommand } from '../window.mjs';
import { openPanel, startRun, trustTeamFile, untilOver } from './panel';
import { crlf, crlfText, files, latin, latinBytes } from './part-script';
import { partPlaces, script, source, withParts } from './part-script';
import { type Hashes, untilChanged } from './project';
import { chooseFrom, drawn, openTree, press, rows, untilRows } from './review-window';
import { teamStage } from './stage';

describe('a proposal that is decided part by part', () => {
  const opened = teamStage(script, {
    team: { models: ['solo'], hasKey: false },
    settings: { 'git.enabled': false },
    profile: { viewport: { width: 1280, height: 1300 } },
    files,
  });
  const { project } = opened;
  const original = project.text(source);
  const path = join(project.folder, source);
  const [first, second, third] = partPlaces;
  let page: Page;
  let panel: Frame;
  let before: Hashes;

  const file = (name: string): Locator => rows(page, name).first();
  const diff = (): Locator => page.locator('.monaco-diff-editor .modified .view-lines');
  const editor = (): Locator => page.locator('.editor-group-container.active .view-lines');

  /** Waits until the file on the disk has exactly the parts of these numbers, on top of what else is in `text`. */
  async function untilSource(accepted: readonly number[], text = original): Promise<void> {
    const wanted = withParts(text, ...accepted);
    await expect.poll(() => project.text(source), { timeout: 60_000 }).toBe(wanted);
  }

  /** Takes all decisions of the file back, and waits until nothing is told as decided. */
  async function undoFile(): Promise<void> {
    await chooseFrom(page, file('duration.js'), 'Undo Decision for File');
    await untilRows(page, 0, 'ccepted');
    await untilRows(page, 0, 'Rejected');
  }

  beforeAll(async () => {
    ({ page } = opened);
    before = project.hashes();
    panel = await openPanel(page);
    await trustTeamFile(page, panel);
    await untilOver(await startRun(panel, 'Sum all units.'));
    await openTree(page);
  });

  it('writes exactly the parts that are accepted in the tree, and the rest of the file without what is rejected', async () => {
    await press(rows(page, first), 'Accept Hunk');
    await untilSource([0]);
    await untilRows(page, 1, first, 'Accepted');
    await press(rows(page, third), 'Reject Hunk');
    await untilRows(page, 1, third, 'Rejected');
    await press(file('duration.js'), 'Accept File');
    await untilSource([0, 1]);
    await untilRows(page, 1, second, 'Accepted');
    await untilRows(page, 1, third, 'Rejected');
    await untilChanged(project, before, [source]);
  });

  it('takes a single part back, and then all that is accepted', async () => {
    await press(rows(page, first), 'Undo Decision for Hunk');
    await untilSource([1]);
    await untilRows(page, 0, first, 'Accepted');
    await runCommand(page, 'MassGen: Undo Accept');
    await untilSource([]);
    await untilRows(page, 0, 'Accepted');
    await press(rows(page, third), 'Undo Decision for Hunk');
    await untilRows(page, 0, 'Rejected');
    expect(project.hashes()).toEqual(before);
  });

  it('does the same from the panel', async () => {
    const inPanel = (name: string): Locator => panel.getByRole('button', { name, exact: true });
    await inPanel('Reject line 1 of duration.js').click();
    await untilRows(page, 1, first, 'Rejected');
    await inPanel('Accept lines 12 to 14 of duration.js').click();
    await untilSource([1]);
    await inPanel('Accept duration.js').click();
    await untilSource([1, 2]);
    await inPanel('Undo lines 12 to 14 of duration.js').click();
    await untilSource([2]);
    await untilRows(page, 0, second, 'Accepted');
    await undoFile();
    await untilSource([]);
  });

  it('goes from part to part and decides by the keys of the diff editor', async () => {
    const place = page.locator('.statusbar-item').filter({ hasText: /Hunk \d of 3/ });
    const chord = async (key: string): Promise<void> => {
      await page.keyboard.press('Control+K');
      await page.keyboard.press(key);
    };
    await file('duration.js').click();
    await diff().waitFor();
    await until('the proposed text', 60_000, async () =>
      (await drawn(diff())).includes('w: 604_800'),
    );
    await diff().locator('.view-line').nth(3).click();
    await chord('.');
    await place.filter({ hasText: 'Hunk 2 of 3' }).waitFor();
    await chord('.');
    await place.filter({ hasText: 'Hunk 3 of 3' }).waitFor();
    await chord(',');
    await place.filter({ hasText: 'Hunk 2 of 3' }).waitFor();
    await chord('y');
    await untilSource([1]);
    await place.filter({ hasText: 'Accepted' }).waitFor();
    await chord('Backspace');
    await untilSource([]);
    await untilRows(page, 0, second, 'Accepted');
    await chord('n');
    await untilRows(page, 1, second, 'Rejected');
    await chord('Backspace');
    await untilRows(page, 0, 'Rejected');
    expect(project.hashes()).toEqual(before);
  });

  it('leaves the keys for saving and undoing to the editor while the review is open', async () => {
    // The list of files also offers the diff, under the same name.
    await closeEditors(page);
    await openFile(page, path);
    await editor().click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('/*mine*/');
    await page.keyboard.press('Control+S');
    await expect.poll(() => project.text(source), { timeout: 60_000 }).toBe(`/*mine*/${original}`);
    await page.keyboard.press('Control+Z');
    await until(
      'the text is gone again',
      60_000,
      async () => !(await drawn(editor())).includes('/*mine*/'),
    );
    await page.keyboard.press('Control+S');
    await untilSource([]);
    await untilChanged(project, before, []);
  });

  it('writes into an open file so that the editor itself can take it back', async () => {
    await press(rows(page, first), 'Accept Hunk');
    await untilSource([0]);
    await untilRows(page, 1, first, 'Accepted');
    await editor().click();
    await page.keyboard.press('Control+Z');
    await until(
      'the text is gone again',
      60_000,
      async () => !(await drawn(editor())).includes('604_800'),
    );
    await page.keyboard.press('Control+S');
    await untilSource([]);
    await undoFile();
    await closeEditors(page);
    expect(project.hashes()).toEqual(before);
  });

  it('keeps what the user types elsewhere between Accept and Undo', async () => {
    await press(rows(page, second), 'Accept Hunk');
    await untilSource([1]);
    await untilRows(page, 1, second, 'Accepted');
    const mine = Array.from({ length: 20 }, (_, i) => `// line ${String(i)} of mine\n`).join('');
    appendFileSync(path, mine);
    await press(rows(page, second), 'Undo Decision for Hunk');
    await untilSource([], original + mine);
    await untilRows(page, 0, 'Accepted');
    writeFileSync(path, original);
  });

  it('takes the proposal in the place of a conflict, and keeps the user’s other lines', async () => {
    const mine = original
      .replace('return Number(amount)', 'return 1 * Number(amount)')
      .replace('/** The seconds', '/** Mine');
    writeFileSync(path, mine);
    await press(rows(page, second), 'Accept Hunk');
    await untilRows(page, 1, second, 'Conflict');
    expect(project.text(source)).toBe(mine);
    await chooseFrom(page, rows(page, second), 'Take Proposed');
    await untilSource([1], original.replace('/** The seconds', '/** Mine'));
    await untilRows(page, 1, second, 'Accepted');
    await press(rows(page, second), 'Undo Decision for Hunk');
    await untilRows(page, 0, 'Accepted');
    await expect.poll(() => project.text(source), { timeout: 60_000 }).toBe(mine);
  });

  it('takes merged text only once no marker is left in it', async () => {
    const mine = project.text(source);
    await press(rows(page, second), 'Accept Hunk');
    await untilRows(page, 1, second, 'Conflict');
    await press(rows(page, second), 'Open Conflict');
    const merged = diff();
    await until('both versions between markers', 60_000, async () =>
      (await drawn(merged)).includes('<<<<<<<'),
    );
    await runCommand(page, 'MassGen: Take Merged Text');
    await page.locator('.notification-toast').filter({ hasText: 'settle them first' }).waitFor();
    expect(project.text(source)).toBe(mine);
    await runCommand(page, 'Notifications: Clear All Notifications');
    await merged.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('// settled by hand\n');
    await runCommand(page, 'MassGen: Take Merged Text');
    await expect.poll(() => project.text(source), { timeout: 60_000 }).toBe('// settled by hand\n');
    await untilRows(page, 1, second, 'Accepted');
    await undoFile();
    await closeEditors(page);
    await expect.poll(() => project.text(source), { timeout: 60_000 }).toBe(mine);
    writeFileSync(path, original);
  });

  it('changes one line of a file with CRLF, and only the bytes of its place in another encoding', async () => {
    await press(file(crlf), 'Accept File');
    await press(file(latin), 'Accept File');
    await untilChanged(project, before, [crlf, latin]);
    expect(project.text(crlf)).toBe(crlfText.replace('three', 'THREE'));
    expect(project.git('diff', '--numstat', '--', crlf)).toBe(`1\t1\t${crlf}\n`);
    const wanted = Buffer.from(latinBytes.toString('latin1').replace('second', 'SECOND'), 'latin1');
    expect(project.bytes(latin)).toEqual(wanted);
    await runCommand(page, 'MassGen: Undo Accept');
    await untilChanged(project, before, []);
  });
});
