// Writing a team file by hand: what is wrong is underlined, explained and mended with a click.
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../processes.mjs';
import { openFile, runCommand, setTheme } from '../window.mjs';
import { pictures } from './panel';
import { makeProject } from './project';
import { stage } from './stage';

const lines = [
  'agents:',
  '  - id: one',
  '    backend:',
  '      type: openai',
  '      modle: gpt-5.4',
  '  - id: two',
  '    backend:',
  '      type: chatcompletoin',
  '      model: local',
  '      base_url: http://127.0.0.1:9/v1',
  '      api_key: sk-0123456789abcdefghijklmnop',
  'orchestrator:',
  '  profile: recommended',
];
const text = `${lines.join('\n')}\n`;
const marked = '# massgen\nagents:\n  - id: one\n    backend: {type: openai, modle: gpt-5.4}\n';

describe('a team file in the editor', () => {
  const files = {
    'team.massgen.yaml': text,
    'plain.yaml': marked.slice(10),
    'marked.yaml': marked,
  };
  const project = makeProject(files);
  afterAll(() => project.remove());
  const opened = stage({ settings: { 'git.enabled': false, 'editor.minimap.enabled': false } });
  const file = join(project.folder, 'team.massgen.yaml');
  let page: Page;
  let errors: Locator;

  beforeAll(async () => {
    page = await opened.session.open(project.folder);
    errors = page.locator('.editor-group-container.active .squiggly-error');
    await openFile(page, file);
  });

  /** Puts the cursor there; both count from 1. */
  async function goTo(line: number, column: number): Promise<void> {
    await page.keyboard.press('Control+G');
    const input = page.locator('.quick-input-widget input[type="text"]');
    await input.fill(`:${line}:${column}`);
    await input.press('Enter');
    await input.waitFor({ state: 'hidden' });
    await page
      .locator('.statusbar-item')
      .filter({ hasText: `Ln ${line}, Col ${column}` })
      .waitFor();
  }

  async function takeFix(title: string | RegExp): Promise<void> {
    await page.keyboard.press('Control+.');
    const row = page.locator('.action-widget .action').filter({ hasText: title }).first();
    await row.waitFor();
    await page.screenshot({ path: join(pictures, 'team-file-fixes.png') });
    await row.click();
  }

  const saved = async (): Promise<string> => {
    await page.keyboard.press('Control+S');
    return readFileSync(file, 'utf8');
  };

  it('is underlined where it is wrong, all at once', async () => {
    await errors.nth(2).waitFor();
    await runCommand(page, 'View: Focus Problems');
    const problems = page.locator('.markers-panel');
    for (const words of ['modle', 'chatcompletoin', 'OPENAI_API_KEY']) {
      await problems.getByText(words).first().waitFor();
    }
    expect(await problems.innerText()).not.toContain('sk-0123');
    await page.screenshot({ path: join(pictures, 'team-file-problems.png') });
    await openFile(page, file);
  });

  it.each(['dark', 'high-contrast', 'light'] as const)(
    'can be read in the theme %s',
    async (kind) => {
      await setTheme(page, kind);
      await errors.first().waitFor();
      await page.screenshot({ path: join(pictures, `team-file-${kind}.png`) });
    },
  );

  it('explains a key and what is wrong with it', async () => {
    await goTo(5, 9);
    await runCommand(page, 'Show or Focus Hover');
    const hover = page.locator('.monaco-hover:visible').filter({ hasText: 'modle' });
    await hover.waitFor();
    await page.keyboard.press('Escape');
    await goTo(13, 5);
    await runCommand(page, 'Show or Focus Hover');
    await page.locator('.monaco-hover:visible').filter({ hasText: 'recommended' }).waitFor();
    await page.screenshot({ path: join(pictures, 'team-file-hover.png') });
    await page.keyboard.press('Escape');
  });

  it('completes the keys of the place', async () => {
    await goTo(13, 23);
    await page.keyboard.type('\nvoting_s');
    await runCommand(page, 'Trigger Suggest');
    const row = page.locator('.suggest-widget .monaco-list-row').filter({
      hasText: 'voting_sensitivity',
    });
    await row.first().waitFor();
    await page.screenshot({ path: join(pictures, 'team-file-completion.png') });
    await page.keyboard.press('Escape');
    await runCommand(page, 'Delete Line');
  });

  it('takes the right spelling of a key and of a type', async () => {
    await goTo(5, 9);
    await takeFix(/Change to model/);
    await until('the key is right', 30_000, async () =>
      (await saved()).includes('      model: gpt-5.4'),
    );
    await goTo(8, 15);
    await takeFix(/Change to chatcompletion/);
    await until('the type is right', 30_000, async () =>
      (await saved()).includes('      type: chatcompletion\n'),
    );
  });

  it('takes a literal key out of the file and keeps it where keys belong', async () => {
    await goTo(11, 20);
    await takeFix(/Move to Secret Storage/);
    const input = page.locator('.quick-input-widget input[type="text"]');
    await input.waitFor();
    await input.fill('LOCAL_KEY');
    await input.press('Enter');
    await until('the key is named', 30_000, async () =>
      (await saved()).includes('api_key: ${LOCAL_KEY}'),
    );
  });

  it('adds the key that is missing, and is then without a problem', async () => {
    await errors.first().waitFor();
    await goTo(4, 8);
    await takeFix(/Add Key OPENAI_API_KEY/);
    const input = page.locator('.quick-input-widget input[type="password"]');
    await input.fill('a key that is only kept');
    await input.press('Enter');
    await until('nothing is wrong', 30_000, async () => (await errors.count()) === 0);
    expect(await saved()).not.toContain('a key that is only kept');
  });

  it('can be any YAML file that says so in its first lines', async () => {
    await openFile(page, join(project.folder, 'marked.yaml'));
    await errors.first().waitFor();
    await openFile(page, join(project.folder, 'plain.yaml'));
    await until('it is no team file', 30_000, async () => (await errors.count()) === 0);
  });

  it('can be read in a narrow window', async () => {
    await page.setViewportSize({ width: 600, height: 700 });
    await openFile(page, join(project.folder, 'marked.yaml'));
    await errors.first().waitFor();
    await page.screenshot({ path: join(pictures, 'team-file-narrow.png') });
  });
});
