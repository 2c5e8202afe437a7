import type { Page } from 'playwright-core';
import { until } from '../processes.mjs';
import { pick, runCommand } from '../window.mjs';

/** Sets a key by the command, as a person does, and waits until it is told that it is stored. */
export async function setKey(page: Page, name: string, value: string): Promise<void> {
  await runCommand(page, 'MassGen: Set API Key');
  await pick(page, name);
  const input = page.locator('.quick-input-widget input[type="password"]');
  await input.fill(value);
  await input.press('Enter');
  await untilTold(page, `MassGen: ${name} stored`);
}

/** Removes a key by the command, and waits until it is told that it is gone. */
export async function removeKey(page: Page, name: string): Promise<void> {
  await runCommand(page, 'MassGen: Remove API Key');
  await pick(page, name);
  await untilTold(page, `MassGen: ${name} removed`);
}

/** In the status bar, where it stands for some seconds. */
async function untilTold(page: Page, text: string): Promise<void> {
  await page.locator('.statusbar-item').filter({ hasText: text }).waitFor();
}

/** Tests a key by the command, and answers with what is told of it. */
export async function testKey(page: Page, name: string): Promise<string> {
  await runCommand(page, 'MassGen: Test API Key');
  await pick(page, name);
  // While it is tested another message has the name as well.
  const told = page
    .locator('.notification-toast .notification-list-item-message')
    .filter({ hasText: new RegExp(`${name} (works|was tested) at`) });
  await told.waitFor();
  return told.innerText();
}

/** Waits until the list of keys tells this one as stored, or as not stored. */
export async function untilKeyIs(
  state: 'stored' | 'not stored',
  page: Page,
  name: string,
): Promise<void> {
  const list = page.locator('.quick-input-widget').filter({ hasText: 'Which key?' });
  const stored = list
    .locator('.monaco-list-row')
    .filter({ has: page.locator('.label-name').filter({ hasText: name }) })
    .filter({ has: page.locator('.label-description').filter({ hasText: 'stored' }) });
  await until(`${name} is ${state}`, 60_000, async () => {
    await runCommand(page, 'MassGen: Set API Key');
    await list.locator('.monaco-list-row').first().waitFor();
    const found = await stored.count();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    return found > 0 === (state === 'stored');
  });
}
