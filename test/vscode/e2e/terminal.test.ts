// The command line as a person has it in the editor's terminal, with nothing else installed.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../processes.mjs';
import { runCommand, waitForActivation } from '../window.mjs';
import { stage } from './stage';

const root = join(import.meta.dirname, '../../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
};

describe('the terminal of the editor', () => {
  const folder = mkdtempSync(join(tmpdir(), "mg it's a terminal "));
  const opened = stage({
    settings: { 'terminal.integrated.gpuAcceleration': 'off', 'git.enabled': false },
  });
  let page: Page;
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(async () => {
    page = await opened.session.open(folder);
    await waitForActivation(page, 'MassGen');
    await runCommand(page, 'Terminal: Create New Terminal');
    await page.locator('.terminal-wrapper.active .xterm-helper-textarea').waitFor({
      state: 'attached',
    });
  });

  /** What a command has written to its standard output; it has ended when its exit code is in the other file. */
  async function output(command: string, timeout: number): Promise<[code: string, text: string]> {
    const [text, code] = ['output.txt', 'code.txt'].map((name) => join(folder, name));
    rmSync(code ?? '', { force: true });
    await runCommand(page, 'Terminal: Focus Terminal');
    await page.keyboard.type(`${command} > output.txt; echo $? > code.txt\n`);
    await until(`${command} has ended`, timeout, () => existsSync(code ?? ''));
    await until('its exit code is there', 5_000, () => readFileSync(code ?? '', 'utf8') !== '');
    return [readFileSync(code ?? '', 'utf8').trim(), readFileSync(text ?? '', 'utf8')];
  }

  it('has the command of the extension on its PATH', async () => {
    expect(await output('massgen --version', 60_000)).toEqual(['0', `${version}\n`]);
    const [, path] = await output('command -v massgen', 60_000);
    expect(path).toMatch(/massgen\.massgen\/bin\/massgen\n$/);
  });

  it('plays the demonstration there', async () => {
    const [code, text] = await output('massgen', 110_000);
    expect(code).toBe('0');
    expect(text).toContain('Proposed changes');
    await page.screenshot({ path: join(root, 'test-results', 'terminal.png') });
  });

  it('passes the exit code on', async () => {
    const [code] = await output('massgen --no-such-flag', 60_000);
    expect(code).toBe('1');
  });
});
