// A window with several folders.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { soloScript } from './fake-team';
import { openPanel, startRun, textOf, trustTeamFile, untilOver } from './panel';
import { teamStage } from './stage';

describe('a window with two folders', () => {
  const opened = teamStage(soloScript, { team: { models: ['solo'], hasKey: false } });
  let page: Page;
  let panel: Frame;

  beforeAll(async () => {
    const parent = dirname(opened.project.folder);
    mkdirSync(join(parent, 'other'));
    writeFileSync(join(parent, 'other', 'a.txt'), 'x');
    const file = join(parent, 'both.code-workspace');
    writeFileSync(file, JSON.stringify({ folders: [{ path: 'duration' }, { path: 'other' }] }));
    page = await opened.session.openWorkspaceFile(file);
    panel = await openPanel(page);
    await trustTeamFile(page, panel);
  });

  it('names both before a run, and gives its agents both', async () => {
    const text = await textOf(panel);
    expect(text).toContain('duration');
    expect(text).toContain('other');
    const run = await startRun(panel, 'Collect three ideas.');
    await untilOver(run);
    await run.getByText('Three ideas stand in').first().waitFor();
    const [asked] = opened.service.journal.map(({ body }) => JSON.stringify(body));
    expect(asked).toContain('duration');
    expect(asked).toContain('other');
  });
});
