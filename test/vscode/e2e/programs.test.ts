// Another extension gives the team a task: the user is asked, sees the run, and decides about its changes.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../processes.mjs';
import { withTestModels } from '../test-models.mjs';
import { runCommand } from '../window.mjs';
import { openPanel, pictures, textOf } from './panel';
import { makeProject } from './project';
import { stage } from './stage';

interface Told {
  readonly apiVersion: number;
  readonly events: readonly string[];
  readonly outcome?: string;
  readonly finalAnswer?: string;
  readonly agents?: readonly string[];
  readonly apply?: unknown;
  readonly error?: string;
}

describe('a task of another extension', () => {
  const project = makeProject();
  afterAll(() => project.remove());
  const opened = stage({ args: withTestModels() });
  const file = join(project.folder, 'told.json');
  let page: Page;

  beforeAll(async () => {
    page = await opened.session.open(project.folder);
    const panel = await openPanel(page);
    await panel.getByText('alpha-1').first().waitFor();
  });

  /** What the extension was told, once the user has pressed this button. */
  async function asked(button: string): Promise<Told> {
    rmSync(file, { force: true });
    await runCommand(page, 'Tests: Ask MassGen');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('Let the extension massgen-tests.massgen-test-models').waitFor();
    await dialog.getByText('The editor does not say who asks').waitFor();
    await page.screenshot({ path: join(pictures, 'asked-by-extension.png') });
    await dialog.getByText('Say something about this project.').waitFor();
    await dialog.getByRole('button', { name: button }).click();
    await until('the extension was told', 60_000, () => existsSync(file));
    return JSON.parse(readFileSync(file, 'utf8')) as Told;
  }

  it('does not begin when the user says no', async () => {
    expect(await asked('Cancel')).toEqual({
      apiVersion: 1,
      events: [],
      error: 'RunError cancelled/user: The user did not start the run.',
    });
  });

  it('is played by the team that the user has chosen, and told event by event', async () => {
    const told = await asked('Start Run');
    expect(told).toMatchObject({ apiVersion: 1, outcome: 'completed' });
    expect(told.agents).toHaveLength(3);
    expect(told.events[0]).toBe('started');
    expect(told.events.at(-1)).toBe('ended');
    expect(told.events).toEqual(expect.arrayContaining(['answer', 'vote', 'decided']));
    expect(told.apply).toBe(
      'config/invalid: Changes are accepted by the user alone, in the review.',
    );
  });

  it('is a run of the panel like any other', async () => {
    const text = await textOf(await openPanel(page));
    expect(text).toContain('Say something about this project.');
  });
});
