// A conversation with a team over several runs: follow-ups, their place in the history, and a choice of one's own.
import type { Frame, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FakeModelService } from '../../support/fake-model-service/fake-model-service';
import type { ScriptedAnswer, ServiceScript } from '../../support/fake-model-service/script';
import { until } from '../processes.mjs';
import { runCommand } from '../window.mjs';
import { openPanel, startRun, trustTeamFile, untilOver } from './panel';
import { teamStage } from './stage';

const first = 'Name the function that parses.';
const firstAnswer = 'It is called parseDuration.';
const second = 'And where is it tested?';

const answers = (content: string, when: ScriptedAnswer['when']): ScriptedAnswer => ({
  when: { ...when, offersTool: 'new_answer' },
  isRepeated: true,
  steps: [{ kind: 'tool-call', name: 'new_answer', arguments: { content } }],
});

const script: ServiceScript = {
  models: {
    solo: {
      answers: [
        answers('In test/duration.test.js.', { contains: second }),
        answers(firstAnswer, { lacks: second }),
      ],
    },
  },
};

describe('a follow-up', () => {
  const opened = teamStage(script, { team: { models: ['solo'], hasKey: false } });
  let service: FakeModelService;
  let page: Page;
  let panel: Frame;
  let run: Locator;

  beforeAll(async () => {
    ({ service, page } = opened);
    panel = await openPanel(page);
    await trustTeamFile(page, panel);
    run = await startRun(panel, first);
    await untilOver(run);
  });

  it('becomes the next turn, with the earlier one folded above it', async () => {
    const before = await run.getAttribute('data-run');
    await run.getByLabel('Follow-up').fill(second);
    await run.getByRole('button', { name: 'Continue', exact: true }).click();
    run = panel.locator(`article.run:not([data-run="${before ?? ''}"])`);
    await run.getByText('In test/duration.test.js.').first().waitFor();
    await untilOver(run);
    expect(await run.locator('.run-sums').innerText()).toContain('Turn 2');
    const earlier = run.locator('.earlier');
    expect(await earlier.innerText()).toContain(first);
    await earlier.getByRole('button', { name: 'Turn 1', exact: true }).click();
    await earlier.getByText(firstAnswer).waitFor();
  });

  it('is told what came before, and the session has sums of its own', async () => {
    const bodies = service.journal.map(({ body }) => JSON.stringify(body));
    expect(bodies.filter((body) => body.includes(second)).at(-1)).toContain(firstAnswer);
    await run.locator('.earlier-sums').getByText('Turn 2 of 2').waitFor();
  });

  it('leads back to the earlier turn', async () => {
    await run.getByRole('button', { name: 'Open turn 1', exact: true }).click();
    await panel.locator('.run-task-text').getByText(first).waitFor();
  });

  it('stands below its session in the history', async () => {
    await runCommand(page, 'MassGen: Run History');
    const pane = page.locator('.pane').filter({ hasText: 'History' });
    const row = pane.locator('.monaco-list-row').filter({ hasText: '2 turns' });
    await row.waitFor();
    await row.click();
    await page.keyboard.press('ArrowRight');
    await until('both turns are listed', 60_000, async () => {
      const rows = await pane.locator('.monaco-list-row').allInnerTexts();
      return ['Turn 1:', 'Turn 2:'].every((text) => rows.some((each) => each.includes(text)));
    });
  });
});
