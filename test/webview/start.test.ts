import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webviewProtocolVersion } from '../../src/protocol/webview';
import { until } from '../vscode/processes.mjs';
import { launchChromium } from '../vscode/browser.mjs';
import { openPanel } from './panel-page';

describe('the panel in a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser.close();
  });

  it('says that it is ready, within the strict policy and without an error', async () => {
    const { sent, errors } = await openPanel(browser);
    const first = await until('the panel speaks', 30_000, () => sent[0]);
    expect([first, errors]).toEqual([
      { type: 'ready', protocolVersion: webviewProtocolVersion },
      [],
    ]);
  });
});
