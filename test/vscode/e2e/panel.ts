// What a person does in the run panel.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { beforeEach, onTestFailed } from 'vitest';
import { until } from '../processes.mjs';
import { runCommand, webviewWith } from '../window.mjs';

/** Where pictures of the window are kept. */
export const pictures = resolve(import.meta.dirname, '..', '..', '..', 'test-results', 'e2e');

/** Keeps a picture of each window when a test of this suite fails. */
export function picturesOfFailures(pages: () => readonly Page[]): void {
  beforeEach(({ task }) => {
    onTestFailed(async () => {
      mkdirSync(pictures, { recursive: true });
      for (const [i, page] of pages().entries()) {
        const name = task.name.replace(/\W+/g, '-').slice(0, 60);
        await page.screenshot({ path: join(pictures, `failed-${name}-${String(i)}.png`) });
      }
    });
  });
}

/** Opens the panel by its command and waits until it shows something. */
export async function openPanel(page: Page): Promise<Frame> {
  await runCommand(page, 'MassGen: Ask MassGen');
  return webviewWith(page, 'body[data-ready]');
}

/** Types a task and starts the run. */
export async function startRun(panel: Frame, task: string): Promise<void> {
  await panel.locator('textarea').fill(task);
  await panel.getByRole('button', { name: /^Run( \d+ Agents)?$/ }).click();
  await panel.getByRole('button', { name: 'Stop', exact: true }).waitFor();
}

/** Allows each command that is asked for, once, until the run is over; answers with the commands in order. */
export async function allowUntilEnd(panel: Frame, timeout = 90_000): Promise<readonly string[]> {
  const allowed: string[] = [];
  await until('the run is over', timeout, async () => {
    const card = panel.locator('section.approval').first();
    if ((await card.count()) > 0) {
      const id = await card.getAttribute('data-approval');
      allowed.push((await card.locator('.approval-command').innerText()).trim());
      await card.getByRole('button', { name: 'Allow Once' }).click();
      await panel.locator(`section.approval[data-approval="${id ?? ''}"]`).waitFor({
        state: 'detached',
      });
    }
    return (await panel.getByRole('button', { name: 'Stop', exact: true }).count()) === 0;
  });
  return allowed;
}

export async function textOf(panel: Frame): Promise<string> {
  return panel.locator('body').innerText();
}

/** Trusts the team file of the folder, in the panel and in the editor's own dialog. */
export async function trustTeamFile(page: Page, panel: Frame): Promise<void> {
  await panel.getByRole('button', { name: 'Trust This Team File' }).click();
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.getByRole('button', { name: 'Trust This Team File' }).click();
  await panel.locator('textarea').waitFor();
}

/** The panel from its beginning, with nothing of a palette over it. */
export async function picture(page: Page, panel: Frame, path: string): Promise<void> {
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  await panel.evaluate(() => document.scrollingElement?.scrollTo(0, 0));
  await page.screenshot({ path });
}
