// What a person does in the native review: its tree, its diffs, the question about a conflict.
import { existsSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { until } from '../processes.mjs';

const review = (page: Page): Locator =>
  page.locator('.pane').filter({ has: page.getByRole('button', { name: 'Review Section' }) });

/** Rows of the tree that hold each of the texts. */
export function rows(page: Page, ...texts: readonly string[]): Locator {
  return texts.reduce(
    (found, hasText) => found.filter({ hasText }),
    page.locator('.pane .monaco-list-row'),
  );
}

/** Opens the tree of the review and pulls its upper edge up, so that all of its rows are drawn. */
export async function openTree(page: Page): Promise<void> {
  const header = review(page).locator('.pane-header');
  await header.click();
  await review(page).locator('.monaco-list-row').first().waitFor();
  // The pane opens step by step, so its edge may move away from under the pointer.
  await until('the tree is high enough', 60_000, async () => {
    const box = await review(page).boundingBox();
    if (box !== null && box.height < 300) {
      const x = box.x + box.width / 2;
      await page.mouse.move(x, box.y);
      await page.mouse.down();
      await page.mouse.move(x, box.y - 350, { steps: 5 });
      await page.mouse.up();
    }
    return box !== null && box.height >= 300;
  });
}

/** Presses one of the buttons that a row has only under the pointer; their names may end with keys. */
export async function press(row: Locator, name: string): Promise<void> {
  await row.hover();
  await row.getByRole('button', { name }).click();
}

/**
 * Chooses from the menu of a row. A menu keeps what its row was when it opened, so it is opened again until it has the
 * item; and it ignores a click that comes at once, so the item under the pointer is taken by its key.
 */
export async function chooseFrom(page: Page, row: Locator, name: string): Promise<void> {
  const item = page.getByRole('menuitem', { name });
  await until(`the menu has ${name}`, 60_000, async () => {
    await row.click({ button: 'right' });
    try {
      await item.waitFor({ timeout: 1_000 });
      return true;
    } catch {
      await page.keyboard.press('Escape');
      return false;
    }
  });
  await item.hover();
  // Enter chooses what the menu has marked, which follows the pointer a moment later.
  await page.locator('.action-item.focused').filter({ has: item }).waitFor();
  await page.keyboard.press('Enter');
  await item.waitFor({ state: 'hidden' });
}

/** Waits until exactly so many rows hold the text. */
export async function untilRows(
  page: Page,
  count: number,
  ...texts: readonly string[]
): Promise<void> {
  await until(`${String(count)} rows with ${texts.join(', ')}`, 60_000, async () => {
    return (await rows(page, ...texts).count()) === count;
  });
}

/** The text of an editor as it is drawn, with plain spaces. */
export async function drawn(editor: Locator): Promise<string> {
  return (await editor.innerText()).replace(/\u00a0/g, ' ');
}

/** Answers the editor's dialog for a place with a path of one's own; it proposes a name that ends with `ending`. */
export async function saveAs(page: Page, ending: string, path: string): Promise<void> {
  const input = page.locator('.quick-input-widget input[type="text"]');
  await until('the dialog proposes a name', 60_000, async () => {
    return (await input.inputValue()).endsWith(ending);
  });
  await input.fill(path);
  await until('the file is saved', 60_000, async () => {
    // The dialog looks at the path first; Enter counts once it has.
    await input.press('Enter', { timeout: 1_000 }).catch(() => undefined);
    return existsSync(path);
  });
}
