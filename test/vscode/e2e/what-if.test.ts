// Another rule is tried on the votes of a finished run.
import type { Frame, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FakeModelService } from '../../support/fake-model-service/fake-model-service';
import { runCommand } from '../window.mjs';
import { script, task } from './fake-team';
import { allowUntilEnd, openPanel, startRun, trustTeamFile } from './panel';
import { teamStage } from './stage';

describe('what another rule would have decided', () => {
  const { apiKeys: _unused, ...free } = script;
  const opened = teamStage(free, { team: { hasKey: false } });
  let service: FakeModelService;
  let page: Page;
  let panel: Frame;

  beforeAll(async () => {
    ({ service, page } = opened);
    panel = await openPanel(page);
    await trustTeamFile(page, panel);
    await allowUntilEnd(await startRun(panel, task));
  });

  it('is told at once, without any request', async () => {
    const asked = service.journal.length;
    const before = await panel.locator('.run-head').boundingBox();
    await runCommand(page, 'MassGen: What If Another Rule Decided?');
    const trial = panel.locator('.what-if');
    await trial.waitFor();
    const answer = trial.locator('.what-if-answer');
    expect(await answer.innerText()).toContain('As it was decided: agent2.2 won with 2 of 3 votes');
    await trial.getByLabel('Rule').selectOption('unanimity');
    await answer
      .getByText(/What changes|What cannot be known/)
      .first()
      .waitFor();
    expect(await answer.innerText()).not.toContain('As it was decided');
    expect(service.journal.length).toBe(asked);
    // The page scrolls to it, and not the window around the page.
    expect((await panel.locator('.run-head').boundingBox())?.y).toBe(before?.y);
  });
});
