// What a person does in a window of VS Code.
import { basename } from 'node:path';
import { until } from './processes.mjs';

/**
 * Picks a command in the palette by its full title.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} title
 */
export async function runCommand(page, title, timeout = 30_000) {
  await choose(page, { keys: 'F1', text: `>${title}`, row: title }, timeout);
}

/**
 * Opens a file by its whole path (the list of names may not have one that has just been made) and waits until its
 * editor is the active one.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} path
 */
export async function openFile(page, path, timeout = 30_000) {
  const row = basename(path);
  await choose(page, { keys: 'Control+P', text: path, row }, timeout);
  await page.locator('.tab.active').filter({ hasText: row }).waitFor();
  await page.locator('.editor-group-container.active .view-line').first().waitFor();
}

/**
 * Opens the palette with `keys`, types `text` and picks the row. The palette does not refresh when something arrives
 * after it opened, and it closes when the window moves the focus, so it is opened again until the row is there. What
 * was picked goes on when this returns, but the palette is gone: a list that shows now is another one.
 */
async function choose(page, { keys, text, row }, timeout) {
  const input = page.locator('.quick-input-widget input[type="text"]');
  // A page behind another one draws no frames, and a click waits for frames.
  await page.bringToFront();
  const tries = [];
  for (const end = Date.now() + timeout; Date.now() < end;) {
    try {
      await page.keyboard.press(keys);
      await input.waitFor({ state: 'visible', timeout: 2_000 });
      await input.fill(text, { timeout: 2_000 });
      await rowNamed(page, row).click({ timeout: 2_000 });
    } catch (error) {
      tries.push(error.message.split('\n')[0]);
      // While no palette is open Esc would go to the editor, and take its selection away.
      if (await input.isVisible()) {
        await page.keyboard.press('Escape');
      }
      await input.waitFor({ state: 'hidden', timeout: 2_000 }).catch(() => undefined);
      continue;
    }
    await until('the palette is gone', 60_000, async () => {
      return !(await input.isVisible()) || (await input.inputValue()) !== text;
    });
    return;
  }
  throw new Error(`could not pick ${row}:\n${tries.join('\n')}`);
}

/**
 * Closes all editors, which have nothing to save, and waits until they are gone.
 *
 * @param {import('playwright-core').Page} page
 */
export async function closeEditors(page) {
  await runCommand(page, 'View: Close All Editors');
  await until('no editor is open', 60_000, async () => (await page.locator('.tab').count()) === 0);
}

/**
 * Closes the active editor without saving, and waits until it is gone.
 *
 * @param {import('playwright-core').Page} page
 */
export async function discardEditor(page) {
  const tabs = page.locator('.tab');
  const before = await tabs.count();
  await runCommand(page, 'View: Revert and Close Editor');
  await until('the editor is gone', 60_000, async () => (await tabs.count()) < before);
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
  await rowNamed(page, text).click();
}

/** Rows are used again for others and then hold words, hidden, of what they were: only the label counts. */
function rowNamed(page, text) {
  const label = page.locator('.label-name').filter({ hasText: text });
  return page.locator('.quick-input-list .monaco-list-row').filter({ has: label }).first();
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

/**
 * The document of the same webview after the one in `frame` was replaced, which happens some time after it was asked
 * for: until then the old one still looks like the new one.
 *
 * @param {import('playwright-core').Page} page
 * @param {import('playwright-core').Frame} frame
 * @param {string} selector
 * @returns {Promise<import('playwright-core').Frame>}
 */
export async function webviewAfter(page, frame, selector, timeout = 30_000) {
  await until('the old document is gone', timeout, () => frame.isDetached());
  return webviewWith(page, selector, timeout);
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
export async function stored(page, text, timeout = 60_000) {
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
