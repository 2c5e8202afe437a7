import type { Page } from 'playwright-core';
import { until } from '../processes.mjs';
import { runCommand } from '../window.mjs';

/** Waits until the list of keys tells this one as stored, or as not stored; nothing else tells it for good. */
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
