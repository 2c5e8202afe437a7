// The file that `massgen viewer` writes, opened from the disk in a browser.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { answer, modelCall, started, turn, turnEnd } from './fixtures/events';
import { createLog } from './fixtures/log';
import type { Log } from './fixtures/log';
import * as checked from './fixtures/checked-runs';
import * as runs from './fixtures/runs';
import * as tools from './fixtures/tool-runs';
import { violations } from './support/axe';
import { launch } from './support/panel-page';

const cli = resolve(import.meta.dirname, '../../dist/cli.js');
const pictures = resolve(import.meta.dirname, '../../test-results/webview');

let browser: Browser;
let dir: string;
let count = 0;

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  dir = mkdtempSync(join(tmpdir(), 'massgen-viewer-'));
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Stores the log as a run and lets the command write its file; answers the path. */
function written(log: Pick<Log, 'events'>): string {
  const storage = join(dir, `storage-${++count}`);
  const folder = join(storage, 'runs', 'run-1');
  mkdirSync(folder, { recursive: true });
  const lines = [{ v: 2, runId: 'run-1' }, ...log.events].map((line) => JSON.stringify(line));
  writeFileSync(join(folder, 'run.jsonl'), `${lines.join('\n')}\n`);
  const file = join(dir, `run-${count}.html`);
  const args = [cli, 'viewer', 'run-1', '--storage', storage, '--output', file];
  execFileSync(process.execPath, args, { cwd: dir, env: { PATH: process.env['PATH'], HOME: dir } });
  return file;
}

interface OpenedFile {
  readonly page: Page;
  /** Requests for anything but the file itself. */
  readonly requests: readonly string[];
  readonly errors: readonly string[];
  readonly close: () => Promise<void>;
}

async function open(file: string, options: BrowserContextOptions = {}): Promise<OpenedFile> {
  const context = await browser.newContext({
    ...{ viewport: { width: 900, height: 900 }, reducedMotion: 'reduce', timezoneId: 'UTC' },
    ...options,
  });
  const page = await context.newPage();
  const requests: string[] = [];
  const errors: string[] = [];
  const address = pathToFileURL(file).href;
  context.on('request', (request) => {
    if (request.url() !== address) requests.push(request.url());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(address);
  await page.locator('body[data-ready]').waitFor();
  return { page, requests, errors, close: () => context.close() };
}

async function opened(log: Pick<Log, 'events'>): Promise<OpenedFile> {
  return open(written(log));
}

/** Goes to an event by its number from 0. */
async function goTo(page: Page, event: number): Promise<void> {
  await page.getByRole('slider', { name: 'Event' }).fill(String(event));
  await page.locator(`[data-event="${event}"]`).waitFor();
}

describe('the file of a run', () => {
  test('shows the result first and loads nothing', async () => {
    const { page, requests, errors, close } = await opened(runs.decided());
    await page
      .getByRole('heading', { name: /agent2\.2/ })
      .first()
      .waitFor();
    const head = await page.getByRole('region', { name: 'This file' }).innerText();
    expect(head).toMatch(/Recorded run Written \d{4}-\d\d-\d\d \d\d:\d\d UTC\. Secrets and paths/);
    expect(head).not.toContain('had not ended');
    expect(await page.title()).toMatch(/^MassGen: parseDuration/);
    expect(await page.locator('.run-sums').innerText()).toContain('March 3 14:02');
    expect(requests).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });

  test('goes through the run event by event, back and forth', async () => {
    const log = runs.decided();
    const { page, close } = await opened(log);
    const article = page.getByRole('article', { name: 'Run', exact: true });
    const place = page.locator('.replay-place');
    expect(await place.innerText()).toBe(`${log.events.length}/${log.events.length}`);
    await goTo(page, 0);
    expect(await article.getAttribute('data-outcome')).toBe('running');
    expect(await page.locator('.agent-card').count()).toBe(3);
    await page.getByRole('button', { name: 'Step', exact: true }).click();
    expect(await place.innerText()).toBe(`2/${log.events.length}`);
    await page.getByRole('button', { name: 'Step Back' }).click();
    expect(await place.innerText()).toBe(`1/${log.events.length}`);
    await goTo(page, log.events.length - 1);
    expect(await article.getAttribute('data-outcome')).toBe('completed');
    await close();
  });

  test('shows a run that goes on as it stood, and says so', async () => {
    const { page, close } = await opened(runs.running());
    const head = await page.getByRole('region', { name: 'This file' }).innerText();
    expect(head).toContain('The run had not ended then.');
    expect(await page.locator('.agent-card').count()).toBe(3);
    expect(await page.getByRole('main').innerText()).not.toContain('Your files');
    await close();
  });

  test.each(
    Object.entries({
      decided: runs.decided(),
      'with checks': checked.mixFails(),
      'without consensus': runs.noConsensus(),
      'failed agent': runs.agentFailed(),
      asking: tools.askingForProgram(),
      'with tools': tools.toolsAtWork(),
    }),
  )('offers nothing that only a host could do: %s', async (_name, log) => {
    const { page, errors, close } = await opened(log);
    const offered = new Set<string>();
    const last = log.events.length - 1;
    for (const event of [0, Math.floor(last / 3), Math.floor((2 * last) / 3), last]) {
      await goTo(page, event);
      for (const name of await buttonsOf(page)) offered.add(name);
    }
    const hostOnly =
      /Stop|Accept|Reject|Undo|Review|Replay|Close|Try It|Copy|Insert|New File|Retry|Answer Now|Use |Run\b|Message|Allow|Deny|Check (Mix|Again)|Send|Resume|Open Output|Settings/;
    expect([...offered].filter((name) => hostOnly.test(name))).toEqual([]);
    expect(offered.size).toBeGreaterThan(5);
    expect(await page.locator('textarea, input[type="text"]').count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  test('opens answers, texts of agents and addresses of links over the page', async () => {
    const text = 'Read [the guide](https://example.org/guide) first.';
    const log = createLog()
      .at(0, started(), turn(1), turn(2), turn(3))
      .at(9, ...modelCall(1, 1, 'I look around.', { fresh: 9, output: 9, costUsd: 0 }))
      .at(20, answer('agent1.1', text), turnEnd(1, 1, 'answer'));
    const { page, requests, close } = await opened(log);
    const dialog = page.getByRole('dialog');
    await page
      .getByRole('button', { name: /agent1\.1/ })
      .first()
      .click();
    expect(await dialog.getByRole('heading').innerText()).toBe('agent1.1');
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('link', { name: 'the guide' }).click();
    expect(await dialog.locator('pre').innerText()).toBe('https://example.org/guide');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await goTo(page, 6);
    await page.getByRole('button', { name: 'Agent 1', exact: true }).first().click();
    expect(await dialog.locator('.opened-body').innerText()).toBe('I look around.');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(requests).toEqual([]);
    expect(page.context().pages()).toHaveLength(1);
    await close();
  });

  test('what a model wrote stays text', async () => {
    const attack =
      '</script><script>document.title = "taken"</script><!-- <img src="https://example.org/x" onerror="document.title = \'taken\'">';
    const log = createLog()
      .at(0, started({ task: attack }), turn(1))
      .at(9, ...modelCall(1, 1, attack, { fresh: 9, output: 9, costUsd: 0 }))
      .at(20, answer('agent1.1', attack), turnEnd(1, 1, 'answer'));
    const { page, requests, errors, close } = await opened(log);
    expect(await page.locator('.run-task-text').innerText()).toBe(attack);
    await page
      .getByRole('button', { name: /agent1\.1/ })
      .first()
      .click();
    expect(await page.getByRole('dialog').innerText()).toContain('document.title = "taken"');
    expect(await page.title()).toMatch(/^MassGen: <\/script>/);
    expect(await page.locator('img').count()).toBe(0);
    expect(requests).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });
});

async function buttonsOf(page: Page): Promise<readonly string[]> {
  const buttons = page.locator('button, [role="menuitem"], [role="button"]');
  return buttons.evaluateAll((all) =>
    all.map(
      (one) =>
        `${one.getAttribute('aria-label') ?? ''} ${one.textContent} ${one.getAttribute('title') ?? ''}`,
    ),
  );
}

describe('the looks of the file', () => {
  const looks: Readonly<Record<string, BrowserContextOptions>> = {
    light: { colorScheme: 'light' },
    dark: { colorScheme: 'dark' },
    'hc-light': { colorScheme: 'light', contrast: 'more' },
    'hc-dark': { colorScheme: 'dark', contrast: 'more' },
    forced: { colorScheme: 'dark', forcedColors: 'active' },
    narrow: { colorScheme: 'light', viewport: { width: 300, height: 800 } },
    wide: { colorScheme: 'dark', viewport: { width: 1600, height: 900 } },
  };
  let file: string;
  beforeAll(() => {
    file = written(runs.decided());
  });

  test.each(Object.entries(looks))('follow the system: %s', async (name, options) => {
    const { page, errors, close } = await open(file, options);
    for (const [part, event] of [
      ['result', runs.decided().events.length - 1],
      ['drafts', 8],
    ] as const) {
      await goTo(page, event);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      const { x = 0, width = 0 } = (await page.locator('body').boundingBox()) ?? {};
      expect(x * 2 + width).toBe(page.viewportSize()?.width);
      await page.screenshot({ path: join(pictures, `viewer-${part}-${name}.png`), fullPage: true });
      expect(await violations(page)).toEqual([]);
    }
    expect(errors).toEqual([]);
    await close();
  });

  test('change with the system while the page is open', async () => {
    const { page, close } = await open(file, { colorScheme: 'light' });
    const theme = page.locator('html');
    expect(await theme.getAttribute('data-theme')).toBe('light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' });
    await close();
  });
});
