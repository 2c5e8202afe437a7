// The built panel in a browser, with a fake of what VS Code gives to its page.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import type { FromView } from '../../../src/protocol/webview';
import { startedAt } from '../fixtures/log';

const root = resolve(import.meta.dirname, '../../..');
const origin = 'http://panel.test';
const files = new Map([
  ['/webview.js', { path: 'dist/webview.js', contentType: 'text/javascript' }],
  ['/webview.css', { path: 'dist/webview.css', contentType: 'text/css' }],
  ['/themes.css', { path: 'webview/file/themes.css', contentType: 'text/css' }],
]);

export const themes = ['dark', 'light', 'hc-dark', 'hc-light'] as const;
export type Theme = (typeof themes)[number];

const bodyClasses: Readonly<Record<Theme, string>> = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  'hc-dark': 'vscode-high-contrast',
  'hc-light': 'vscode-high-contrast vscode-high-contrast-light',
};

export async function launch(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  for (const { path } of files.values()) {
    if (!existsSync(join(root, path))) {
      throw new Error(`${path} is missing; run "npm run build" first`);
    }
  }
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--force-device-scale-factor=1'],
  });
}

export interface PanelOptions {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  /** Seconds after the start of the fixtures' runs; the clock of the page stands still there. */
  readonly seconds?: number;
  readonly forcedColors?: boolean;
  readonly reducedMotion?: boolean;
  /** What an earlier page left with `setState`. */
  readonly remembered?: unknown;
}

export interface PanelPage {
  readonly page: Page;
  /** Requests beyond the panel's own files; each was refused. */
  readonly foreignRequests: readonly string[];
  /** Errors of the page, among them violations of the content security policy. */
  readonly errors: readonly string[];
  /** Sends messages as the host does and waits until they are drawn. */
  send(...messages: readonly unknown[]): Promise<void>;
  /** Everything the panel posted, oldest first. */
  posted(): Promise<readonly FromView[]>;
  close(): Promise<void>;
}

export async function openPanel(browser: Browser, options: PanelOptions = {}): Promise<PanelPage> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 420, height: options.height ?? 900 },
    timezoneId: 'UTC',
    locale: 'en-US',
    forcedColors: options.forcedColors === true ? 'active' : 'none',
    reducedMotion: options.reducedMotion === true ? 'reduce' : 'no-preference',
  });
  const page = await context.newPage();
  const foreignRequests: string[] = [];
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') {
      errors.push(message.text());
    }
  });
  await page.route('**/*', async (route) => {
    const url = route.request().url();
    const file = files.get(url.replace(origin, ''));
    if (url === `${origin}/`) {
      await route.fulfill({ contentType: 'text/html', body: html(options.theme ?? 'dark') });
    } else if (file !== undefined) {
      const body = readFileSync(join(root, file.path));
      await route.fulfill({ contentType: file.contentType, body });
    } else {
      foreignRequests.push(url);
      await route.abort();
    }
  });
  await page.addInitScript(fakeVsCode, { remembered: options.remembered });
  await page.clock.setFixedTime(startedAt + (options.seconds ?? 0) * 1000);
  await page.goto(`${origin}/`);
  return {
    page,
    foreignRequests,
    errors,
    async send(...messages) {
      await page.evaluate(sendAll, messages);
    },
    async posted() {
      const text = await page.evaluate(() => document.documentElement.dataset['posted'] ?? '[]');
      const messages: unknown = JSON.parse(text);
      return messages as readonly FromView[];
    },
    async close() {
      await context.close();
    },
  };
}

/** The page that the extension makes, with its content security policy. */
function html(theme: Theme): string {
  const policy = [
    "default-src 'none'",
    `style-src ${origin}`,
    `font-src ${origin}`,
    `img-src ${origin} data:`,
    "script-src 'nonce-test'",
  ].join('; ');
  return `<!doctype html>
<html lang="en" data-theme="${theme}">
<head>
<meta charset="utf-8">
<title>MassGen</title>
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="/themes.css">
<link rel="stylesheet" href="/webview.css">
</head>
<body class="${bodyClasses[theme]}">
<script nonce="test" src="/webview.js"></script>
</body>
</html>`;
}

/** Runs inside the page, ahead of its scripts. What is posted is kept where the test can read it. */
function fakeVsCode({ remembered }: { readonly remembered: unknown }): void {
  const posted: unknown[] = [];
  let state = remembered;
  Object.assign(globalThis, {
    acquireVsCodeApi: () => ({
      postMessage: (message: unknown) => {
        posted.push(message);
        document.documentElement.dataset['posted'] = JSON.stringify(posted);
      },
      getState: () => state,
      setState: (next: unknown) => {
        state = next;
        document.documentElement.dataset['state'] = JSON.stringify(next);
      },
    }),
  });
}

/** Runs inside the page. */
async function sendAll(messages: readonly unknown[]): Promise<void> {
  const nextFrame = () => new Promise((done) => requestAnimationFrame(done));
  for (const message of messages) {
    window.postMessage(message, '*');
  }
  // Messages arrive in their order: the panel has all of them when this one, which it does not know, comes back.
  const last = 'all were sent';
  const arrived = new Promise<void>((done) => {
    const take = (event: MessageEvent<unknown>): void => {
      if (event.data === last) {
        window.removeEventListener('message', take);
        done();
      }
    };
    window.addEventListener('message', take);
  });
  window.postMessage(last, '*');
  await arrived;
  // The store applies them in one frame and the page is drawn. What follows from a drawing waits for the frame after it
  // and then for a timer, and draws at once.
  await nextFrame();
  await nextFrame();
  await nextFrame();
  await new Promise((done) => setTimeout(done));
  await nextFrame();
}
