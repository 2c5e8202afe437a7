// What a person does in the run panel.
import { resolve } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { until } from '../processes.mjs';
import { runCommand, webviewWith } from '../window.mjs';

/** Where pictures of the window are kept. */
export const pictures = resolve(import.meta.dirname, '..', '..', '..', 'test-results', 'e2e');

/** Opens the panel by its command and waits until it shows something. */
export async function openPanel(page: Page): Promise<Frame> {
  await runCommand(page, 'MassGen: Ask MassGen');
  return webviewWith(page, 'body[data-ready]');
}

/** Asks for the page of a new run, and waits for its task box. */
export async function newRun(page: Page): Promise<Frame> {
  await runCommand(page, 'MassGen: New Run');
  const panel = await webviewWith(page, 'body[data-ready]');
  // A run that is over has a box of its own, for a follow-up.
  await panel.locator('article.run').waitFor({ state: 'detached' });
  await panel.locator('textarea').waitFor();
  return panel;
}

/**
 * Starts a run with the task, or with what stands in the task box, and answers with the part of the panel that shows
 * it. The run may be over by then: models can answer at once.
 */
export async function startRun(panel: Frame, task?: string): Promise<Locator> {
  if (task !== undefined) {
    await panel.locator('textarea').fill(task);
  }
  const shown = panel.locator('article.run');
  // No run is drawn beside the task box, so the one that comes after it is the new one.
  await shown.waitFor({ state: 'detached' });
  await panel.getByRole('button', { name: /^Run( \d+ Agents)?$/ }).click();
  const id = await shown.getAttribute('data-run');
  return panel.locator(`article.run[data-run="${id ?? ''}"]`);
}

/** Stops the run, and waits until it is told as stopped; `limit`: what the user may have to wait for that, ms. */
export async function stopRun(run: Locator, limit = 30_000): Promise<void> {
  await run.getByRole('button', { name: 'Stop', exact: true }).click();
  await untilStopped(run, limit);
}

/** Waits until the run is told as stopped by the user. */
export async function untilStopped(run: Locator, limit = 30_000): Promise<void> {
  await run
    .getByText(/Stopped by you/)
    .first()
    .waitFor({ timeout: limit });
}

/** Waits until the run is over, however it ended. */
export async function untilOver(run: Locator): Promise<void> {
  await until('the run is over', 60_000, () => isOver(run));
}

async function isOver(run: Locator): Promise<boolean> {
  return (await run.getAttribute('data-outcome')) !== 'running';
}

/** Allows each command that is asked for, once, until the run is over; answers with the commands in order. */
export async function allowUntilEnd(run: Locator, timeout = 90_000): Promise<readonly string[]> {
  const allowed: string[] = [];
  const waiting = run.locator('section.approval');
  await until('the run is over', timeout, async () => {
    // Read without waiting: there is no card most of the time, and the run ends without another one.
    const [id] = await waiting.evaluateAll((all) =>
      all.map((card) => card.getAttribute('data-approval')),
    );
    if (typeof id === 'string') {
      const card = run.locator(`section.approval[data-approval="${id}"]`);
      allowed.push((await card.locator('.approval-command').innerText()).trim());
      await card.getByRole('button', { name: 'Allow Once' }).click();
      await card.waitFor({ state: 'detached' });
    }
    return isOver(run);
  });
  return allowed;
}

export async function textOf(panel: Frame): Promise<string> {
  return panel.locator('body').innerText();
}

/**
 * Trusts the team file of the folder, in the panel and in the editor's own dialog; answers with what the dialog says.
 */
export async function trustTeamFile(page: Page, panel: Frame): Promise<string> {
  await panel.getByRole('button', { name: 'Trust This Team File' }).click();
  const dialog = page.locator('.monaco-dialog-box');
  const trust = dialog.getByRole('button', { name: 'Trust This Team File' });
  await trust.waitFor();
  const told = await dialog.innerText();
  await trust.click();
  await panel.locator('[data-blocker]').waitFor({ state: 'detached' });
  await panel.locator('textarea').waitFor();
  return told;
}

/** The panel from its beginning, with nothing of a palette over it. */
export async function picture(page: Page, panel: Frame, path: string): Promise<void> {
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  await panel.evaluate(() => document.scrollingElement?.scrollTo(0, 0));
  await page.screenshot({ path });
}
