// Chromium, and the workbench of a server in it.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { until } from './processes.mjs';

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
  // Limits end what hangs; a busy machine takes its time for everything.
  context.setDefaultTimeout(60_000);
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
  await untilDrawn(page);
  return page;
}

/**
 * Opens a workspace file in a new window. In a browser the editor can be too late for the folders of a file that it
 * never opened before, and then shows "No Folder Opened" for as long as the window lives. So the window is loaded
 * anew once the editor has kept the file: from then on it knows the folders from its start.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {{ authority: string, dir: string }} server
 * @param {string} file
 */
export async function openWorkspaceFile(context, server, file) {
  const page = await context.newPage();
  await page.goto(`http://${server.authority}/?${new URLSearchParams({ workspace: file })}`);
  const text = readFileSync(file, 'utf8');
  await until(`the editor has kept ${file}`, 60_000, () =>
    keptWorkspaces(server.dir).includes(text),
  );
  await page.reload();
  await untilDrawn(page);
  return page;
}

async function untilDrawn(page) {
  await page.locator('.statusbar .statusbar-item').first().waitFor({ timeout: 60_000 });
}

/** Texts of the workspace files that the editor has read and kept. */
function keptWorkspaces(dir) {
  const kept = join(dir, 'server', 'data', 'User', 'caches', 'CachedConfigurations', 'workspaces');
  const ids = existsSync(kept) ? readdirSync(kept) : [];
  return ids.map((id) => {
    try {
      return JSON.parse(readFileSync(join(kept, id, 'workspace.json'), 'utf8')).content;
    } catch {
      return undefined; // it is being written
    }
  });
}
