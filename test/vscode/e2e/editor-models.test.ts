// The language models of the editor as a team: proposed by itself, and without any key.
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withTestModels } from '../test-models.mjs';
import { openPanel, startRun, textOf } from './panel';
import { makeProject } from './project';
import { stage } from './stage';

describe('models of three families in the editor', () => {
  const project = makeProject();
  afterAll(() => project.remove());
  const opened = stage({ args: withTestModels() });
  let page: Page;
  let panel: Frame;

  beforeAll(async () => {
    page = await opened.session.open(project.folder);
  });

  it('make a team of three without a click, one agent each', async () => {
    panel = await openPanel(page);
    await panel.getByText('alpha-1').first().waitFor();
    const text = await textOf(panel);
    for (const model of ['alpha-1', 'beta-1', 'gamma-1']) expect(text).toContain(model);
    expect(text).toContain('Editor models');
  });

  it('do a run to its end without any key', async () => {
    const run = await startRun(panel, 'Say something.');
    await run
      .getByText(/agent1\.1 won with 2 of 3 votes\./)
      .first()
      .waitFor();
  });

  it('cannot be used on a folder that no disk has: the panel says so and starts nothing', async () => {
    const other = await opened.session.open('massgentest:/');
    const blocked = await openPanel(other);
    await blocked
      .getByText('This folder has no local files, so agents cannot work on it.')
      .waitFor();
    expect(await blocked.locator('textarea').count()).toBe(0);
    expect(await blocked.getByRole('button', { name: 'Open Locally' }).count()).toBe(1);
  });
});
