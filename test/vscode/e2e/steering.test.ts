// The user speaks with agents at work, wants an answer now, and chooses instead of the team.
import type { Frame, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FakeModelService } from '../../support/fake-model-service/fake-model-service';
import type { ScriptedAnswer, ServiceScript, Step } from '../../support/fake-model-service/script';
import { until } from '../processes.mjs';
import { openPanel, newRun, startRun, trustTeamFile, untilOver } from './panel';
import { teamStage } from './stage';

const message = 'Keep the error text as it is.';
const split = 'a question on which they disagree';

const call = (name: string, args: Readonly<Record<string, unknown>>): Step => ({
  kind: 'tool-call',
  name,
  arguments: args,
});

const looksAt = (path: string, when: ScriptedAnswer['when'] = {}): ScriptedAnswer => ({
  isRepeated: true,
  when: { ...when, lacks: split, withholdsTool: 'vote' },
  steps: [
    { kind: 'text', text: 'I look once more.' },
    { kind: 'wait', ms: 300 },
    call('list_directory', { path }),
  ],
});

/** Looks into one folder and then the other until it is told something: a look that is always the same ends its turn. */
const looks = [looksAt('src', { newContains: 'package.json' }), looksAt('.')];

const drafts = (content: string, when: ScriptedAnswer['when']): ScriptedAnswer => ({
  isRepeated: true,
  when: { ...when, offersTool: 'new_answer', withholdsTool: 'vote' },
  steps: [call('new_answer', { content })],
});

/** Once its draft is there and the votes are in, it says it again. */
const presents: ScriptedAnswer = {
  isRepeated: true,
  when: { contains: 'The second text.', withholdsTool: 'vote' },
  steps: [{ kind: 'text', text: 'The second text.' }],
};

const votes = (agent: string, when: ScriptedAnswer['when'] = {}): ScriptedAnswer => ({
  isRepeated: true,
  when: { ...when, offersTool: 'vote' },
  steps: [call('vote', { agent_id: agent, reason: `For ${agent}.` })],
});

const script: ServiceScript = {
  models: {
    one: {
      answers: [
        drafts('The first text.', { contains: message }),
        drafts('The first text.', { contains: split }),
        votes('agent2'),
        ...looks,
      ],
    },
    two: {
      answers: [
        presents,
        // Only ordinary tools are taken away, or it is asked to finish: then it answers.
        drafts('The second text.', { contains: 'finish' }),
        drafts('The second text.', { contains: split }),
        votes('agent1', { contains: split }),
        // Without a split it wins by votes and not by lot: only it has words for the final answer.
        votes('agent2'),
        ...looks,
      ],
    },
  },
};

const noChain = (text: string): string => `${text}  consensus:\n    on_split: fail\n`;

describe('a team at work', () => {
  const opened = teamStage(script, { team: { models: ['one', 'two'], hasKey: false } });
  let service: FakeModelService;
  let page: Page;
  let panel: Frame;
  let run: Locator;

  beforeAll(async () => {
    ({ service, page } = opened);
    panel = await openPanel(page);
    await trustTeamFile(page, panel);
    run = await startRun(panel, 'Look around.');
  });

  it('reads a message of the user at its next step, and the timeline says so', async () => {
    await until('both look around', 60_000, () => service.journal.length >= 4);
    const box = run.getByLabel('Message All Agents…');
    await box.fill(message);
    await box.press('Enter');
    const row = run.locator('.event').filter({ hasText: 'Your message' });
    await row.getByText(/read by Agent 1/).waitFor();
    await until('the models were told', 60_000, () =>
      service.journal.some(({ body }) => JSON.stringify(body).includes(message)),
    );
    expect(await box.inputValue()).toBe('');
  });

  it('answers now when it is asked to', async () => {
    await run.getByRole('button', { name: 'Actions for Agent 2', exact: true }).click();
    await run.getByRole('menuitem', { name: 'Answer Now', exact: true }).click();
    // These models end the run at once, which folds the timeline: it is read when nothing moves any more.
    await untilOver(run);
    await run.getByRole('button', { name: 'Timeline', exact: true }).click();
    await run.locator('.event').filter({ hasText: 'Answer now' }).waitFor();
    await run.getByText('agent2.1').first().waitFor();
  });

  it('can be overruled after the end, and its own choice taken back', async () => {
    const team = await run.locator('.verdict').getAttribute('data-winner');
    const other = team === 'agent1.1' ? 'agent2.1' : 'agent1.1';
    await run.getByRole('button', { name: 'Candidates', exact: true }).click();
    await run.getByRole('button', { name: `Actions for ${other}`, exact: true }).click();
    await run.getByRole('menuitem', { name: 'Use This Answer Instead' }).click();
    await run.locator(`.verdict[data-winner="${other}"]`).waitFor();
    expect(await run.locator('.outcome').innerText()).toBe('Decided by you');
    await run.getByText(`The team’s choice was ${team ?? ''}.`).waitFor();
    await run.getByRole('button', { name: 'Use the Team’s Choice' }).click();
    await run.locator(`.verdict[data-winner="${team ?? ''}"]`).waitFor();
  });
});

describe('a team that finds no consensus', () => {
  const opened = teamStage(script, {
    team: { models: ['one', 'two'], hasKey: false },
    spoil: noChain,
  });

  it('leaves the choice to the user, with the answers side by side', async () => {
    const { page } = opened;
    const panel = await openPanel(page);
    await trustTeamFile(page, panel);
    await newRun(page);
    const run = await startRun(panel, `This is ${split}.`);
    await untilOver(run);
    await run
      .getByText(/^No consensus/)
      .first()
      .waitFor();
    expect(await run.locator('.candidate').count()).toBe(2);
    expect(await run.locator('.mark-won').count()).toBe(0);
    await run.getByRole('button', { name: 'Use agent2.1', exact: true }).click();
    await run.locator('.verdict[data-winner="agent2.1"]').waitFor();
    await run.locator('.markdown').getByText('The second text.').waitFor();
  });
});
