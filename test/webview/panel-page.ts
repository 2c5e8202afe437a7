import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { FromView, ToView } from '../../src/protocol/webview';

const dist = resolve(import.meta.dirname, '../../dist');

/** Nothing listens there: every request is answered below, and any other address is refused. */
const origin = 'http://panel.test';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
};

/** As strict as the policy that the extension sends. */
const PAGE = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${origin}; style-src ${origin}; img-src ${origin} data:; font-src ${origin}; base-uri 'none'; form-action 'none'">
<title>MassGen</title>
<link rel="stylesheet" href="/webview.css">
</head>
<body>
<div id="root"></div>
<script src="/webview.js"></script>
</body>
</html>`;

export interface PanelPage {
  readonly page: Page;
  /** What the panel has sent to its host so far, in order. */
  readonly sent: readonly FromView[];
  /** Uncaught errors and errors on the console; empty when all is well. */
  readonly errors: readonly string[];
  /** Sends as the host does. */
  post(message: ToView): Promise<void>;
}

/** The built panel in a page of its own, with the test as its host; `width` in CSS pixels. */
export async function openPanel(browser: Browser, width = 400): Promise<PanelPage> {
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  const sent: FromView[] = [];
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.route('**/*', async (route) => {
    const { origin: host, pathname } = new URL(route.request().url());
    if (host !== origin) return route.abort();
    if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: PAGE });
    return route.fulfill({
      contentType: TYPES[extname(pathname)] ?? 'application/octet-stream',
      body: readFileSync(resolve(dist, `.${pathname}`)),
    });
  });
  await page.exposeFunction('sendToHost', (message: FromView) => {
    sent.push(message);
  });
  await page.addInitScript(installHost);
  await page.goto(origin);
  return {
    page,
    sent,
    errors,
    post: (message) =>
      page.evaluate((data) => {
        window.postMessage(data, '*');
      }, message),
  };
}

/** Runs in the page before its own script: the function that VS Code gives to a panel. */
function installHost(): void {
  let state: unknown;
  const host = window as unknown as {
    sendToHost: (message: unknown) => Promise<void>;
    acquireVsCodeApi: () => object;
  };
  host.acquireVsCodeApi = () => ({
    postMessage: (message: unknown) => void host.sendToHost(message),
    getState: () => state,
    setState: (next: unknown) => (state = next),
  });
}
