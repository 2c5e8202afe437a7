// Chromium, and the workbench of a server in it.
import { chromium } from 'playwright-core';

export function launchChromium(options = {}) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-dev-shm-usage',
    ],
    ...options,
  });
}

/**
 * A browser profile. What the window stores (mementos, layout, secrets) lives in it, not on the
 * server. `options` are Playwright's for a new context.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {{ authority: string }} server
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function newProfile(browser, server, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  // The workbench encrypts secrets with a key that it asks for here. The bare server does not
  // answer, and a reload would forget every secret.
  await context.route(`http://${server.authority}/mint-key`, (route) =>
    route.fulfill({ body: Buffer.alloc(32, 7) }),
  );
  return context;
}

/** `folder` undefined opens an empty window; `payload` needs the server's test driver. */
export function workbenchUrl(server, folder, payload = []) {
  const query = new URLSearchParams(folder === undefined ? { ew: 'true' } : { folder });
  if (payload.length > 0) {
    query.set('payload', JSON.stringify(payload));
  }
  return `http://${server.authority}/?${query}`;
}

/**
 * Opens a folder in a new window and waits until the workbench is there.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {{ authority: string }} server
 * @param {string | undefined} folder
 * @param {readonly (readonly [string, string])[]} [payload]
 */
export async function openWorkbench(context, server, folder, payload = []) {
  const page = await context.newPage();
  await page.goto(workbenchUrl(server, folder, payload));
  await page.locator('.statusbar .statusbar-item').first().waitFor({ timeout: 60_000 });
  return page;
}
