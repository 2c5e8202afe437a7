// What a person does in a window of VS Code.
import { until } from './processes.mjs';

/**
 * Picks a command in the palette by its full title. The palette does not refresh when commands
 * arrive after it opened, so it is opened again until the row is there.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} title
 */
export async function runCommand(page, title, timeout = 30_000) {
  const input = page.locator('.quick-input-widget input[type="text"]');
  const rows = page.locator('.quick-input-list .monaco-list-row');
  const row = rows.filter({ hasText: title }).first();
  // A page behind another one draws no frames, and a click waits for frames.
  await page.bringToFront();
  const tries = [];
  for (const end = Date.now() + timeout; Date.now() < end;) {
    try {
      await page.keyboard.press('F1');
      await input.waitFor({ state: 'visible', timeout: 2_000 });
      await input.fill(`>${title}`, { timeout: 2_000 });
      await row.waitFor({ timeout: 2_000 });
      await row.click({ timeout: 2_000 });
      return;
    } catch (error) {
      tries.push(error.message.split('\n')[0]);
      await page.keyboard.press('Escape');
      await input.waitFor({ state: 'hidden', timeout: 2_000 }).catch(() => undefined);
    }
  }
  throw new Error(`could not run ${title}:\n${tries.join('\n')}`);
}

/**
 * Picks a row of the quick pick that is open now.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} text
 */
export async function pick(page, text) {
  const input = page.locator('.quick-input-widget input[type="text"]');
  await input.waitFor({ state: 'visible' });
  await input.fill(text);
  const rows = page.locator('.quick-input-list .monaco-list-row');
  await rows.filter({ hasText: text }).first().click();
}

/**
 * The text of the newest toast that holds `text`.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} text
 */
export async function toast(page, text) {
  const toasts = page.locator('.notification-toast .notification-list-item-message');
  const found = toasts.filter({ hasText: text }).last();
  await found.waitFor();
  return (await found.innerText()).trim();
}

/**
 * The frame of the webview whose document holds the selector. VS Code nests two frames; the
 * extension's document is in the inner one.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} selector
 * @returns {Promise<import('playwright-core').Frame>}
 */
export function webviewWith(page, selector, timeout = 30_000) {
  return until(`a webview with ${selector}`, timeout, async () => {
    for (const frame of page.frames().filter((each) => each.url().includes('/fake.html'))) {
      try {
        if ((await frame.locator(selector).count()) > 0) {
          return frame;
        }
      } catch {
        // The frame went away while it was asked.
      }
    }
    return undefined;
  });
}

/** Labels in the theme picker, and the class that the workbench then has. */
const THEMES = {
  dark: ['Dark Modern', 'vs-dark'],
  light: ['Light Modern', 'vs'],
  'high-contrast': ['Dark High Contrast', 'hc-black'],
  'high-contrast-light': ['Light High Contrast', 'hc-light'],
};

/**
 * @param {import('playwright-core').Page} page
 * @param {'dark' | 'light' | 'high-contrast' | 'high-contrast-light'} kind
 */
export async function setTheme(page, kind) {
  const [label, className] = THEMES[kind];
  await runCommand(page, 'Preferences: Color Theme');
  await pick(page, label);
  await page.locator(`.monaco-workbench.${className}`).waitFor();
}

/**
 * Drags the edge of the side bar until it is about `width` pixels wide.
 *
 * @param {import('playwright-core').Page} page
 * @param {number} width
 */
export async function setSideBarWidth(page, width) {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (box === null) {
    throw new Error('the side bar is not shown');
  }
  await page.mouse.move(box.x + box.width, 400);
  await page.mouse.down();
  await page.mouse.move(box.x + width, 400, { steps: 5 });
  await page.mouse.up();
}

/**
 * Waits until `text` is in what the window has stored. It writes every five seconds and not at its
 * end: a reload before that loses what was set last.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} text
 */
export async function stored(page, text, timeout = 20_000) {
  await until(`${text} is stored`, timeout, () => page.evaluate(isStored, text), 250);
}

/** Runs in the page. */
async function isStored(text) {
  const result = (request) =>
    new Promise((done, fail) => {
      request.onsuccess = () => done(request.result);
      request.onerror = () => fail(request.error);
    });
  const names = (await indexedDB.databases()).map(({ name }) => name ?? '');
  for (const name of names.filter((each) => each.startsWith('vscode-web-state-db'))) {
    const database = await result(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const values = await result(database.transaction(store).objectStore(store).getAll());
      if (values.some((value) => String(value).includes(text))) {
        database.close();
        return true;
      }
    }
    database.close();
  }
  return false;
}

/**
 * What the running extensions view says about an extension by its display name: its activation
 * time in ms, or undefined while it has not been activated.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} name
 * @returns {Promise<number | undefined>}
 */
export async function activationTime(page, name) {
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  // The list holds only the rows that are in view, the slowest extensions first.
  await page.setViewportSize({ ...size, height: 3_000 });
  await runCommand(page, 'Developer: Show Running Extensions');
  const list = page.locator('.runtime-extensions-editor');
  await list.locator('.extension').first().waitFor();
  const row = list.locator('.extension').filter({ hasText: name });
  const text = (await row.count()) > 0 ? await row.first().innerText() : '';
  await page.setViewportSize(size);
  const found = /Activation: (\d+)ms/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/**
 * Waits until an extension is active and returns its activation time in ms.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} name
 */
export async function waitForActivation(page, name, timeout = 30_000) {
  const { time } = await until(`${name} is active`, timeout, async () => {
    const found = await activationTime(page, name);
    return found === undefined ? undefined : { time: found };
  });
  return time;
}
