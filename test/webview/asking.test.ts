// What the user can ask of a run in the panel: say something, go on, choose another answer, try a rule, look again.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import type { FromView } from '../../src/protocol/webview';
import { answer, turnEnd } from './fixtures/events';
import { hostWithRun } from './fixtures/hosts';
import type { Log } from './fixtures/log';
import * as more from './fixtures/more-runs';
import * as runs from './fixtures/runs';
import { launch, openPanel } from './support/panel-page';
import type { PanelPage } from './support/panel-page';

let browser: Browser;
let panel: PanelPage;
let page: Page;

beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
});
afterEach(async () => {
  expect(panel.errors).toEqual([]);
  await panel.close();
});

async function show(log: Pick<Log, 'state'>, changes = {}): Promise<void> {
  panel = await openPanel(browser, { reducedMotion: true, seconds: 66 });
  page = panel.page;
  const state = log.state();
  await panel.send(
    { type: 'host', host: hostWithRun(changes) },
    { type: 'snapshot', runId: state.runId, state },
  );
}

async function posted(): Promise<readonly FromView[]> {
  return (await panel.posted()).filter((message) => message.type !== 'ready');
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const menuItem = (name: string) => page.getByRole('menuitem', { name, exact: true });

describe('a message to agents at work', () => {
  test('goes to all with Enter, and the box is free for the next', async () => {
    await show(runs.drafting());
    const box = page.getByLabel('Message All Agents…');
    await box.fill('  Keep the API.  ');
    await box.press('Enter');
    expect(await posted()).toEqual([
      { type: 'steer', runId: 'run-1', text: 'Keep the API.', slots: null },
    ]);
    expect(await box.inputValue()).toBe('');
    await box.press('Enter');
    expect(await posted()).toHaveLength(1);
  });

  test('goes to one agent from its menu, which brings the focus to the box; Esc goes back to all', async () => {
    await show(runs.drafting());
    await button('Actions for Agent 2').click();
    await menuItem('Message Agent 2…').click();
    const box = page.getByLabel('Message Agent 2…');
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.type('Look at the tests.');
    await page.keyboard.press('Enter');
    await button('Actions for Agent 3').click();
    await menuItem('Message Agent 3…').click();
    await page.keyboard.press('Escape');
    await page.keyboard.type('All of you.');
    await button('Send').click();
    expect(await posted()).toEqual([
      { type: 'steer', runId: 'run-1', text: 'Look at the tests.', slots: [2] },
      { type: 'steer', runId: 'run-1', text: 'All of you.', slots: null },
    ]);
  });

  test('changes the place of nothing when it is written, sent or read', async () => {
    const log = runs.drafting();
    await show(log);
    const tops = () =>
      page.locator('.agent-card, .steer-bar').evaluateAll((all) =>
        all.map((one) => {
          const { top, height } = one.getBoundingClientRect();
          return [Math.round(top), Math.round(height)];
        }),
      );
    const before = await tops();
    await page.getByLabel('Message All Agents…').fill('Keep the API.');
    const longer = more.steered();
    await panel.send({
      type: 'events',
      runId: 'run-1',
      events: longer.events.slice(log.events.length),
    });
    expect(await tops()).toEqual(before);
  });
});

describe('an answer now', () => {
  test('is asked of one agent from its menu, and of all from the bar', async () => {
    await show(runs.drafting());
    await button('Actions for Agent 2').click();
    await menuItem('Answer Now').click();
    await button('Answer Now').click();
    expect(await posted()).toEqual([
      { type: 'answer-now', runId: 'run-1', slot: 2 },
      ...[1, 2, 3].map((slot) => ({ type: 'answer-now', runId: 'run-1', slot })),
    ]);
  });

  test('keeps its place in the open menu of an agent that has just answered, but cannot be asked', async () => {
    const log = runs.drafting();
    await show(log);
    await button('Actions for Agent 2').click();
    const texts = () => page.getByRole('menuitem').allInnerTexts();
    const before = await texts();
    expect(before).toEqual(['Open Full Text', 'Answer Now', 'Message Agent 2…']);
    const { events } = log.at(41, answer('agent2.1', 'Done.'), turnEnd(2, 1, 'answer'));
    await panel.send({ type: 'events', runId: 'run-1', events: events.slice(log.events.length) });
    await button('Open agent2.1').waitFor();
    expect(await texts()).toEqual(before);
    expect(await menuItem('Answer Now').isDisabled()).toBe(true);
    await menuItem('Answer Now').click({ force: true });
    expect(await posted()).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('menu').count()).toBe(0);
    await button('Actions for Agent 2').click();
    expect(await texts()).toEqual(['Open Full Text', 'Open agent2.1', 'Message Agent 2…']);
  });

  test('keeps its menu open while votes and the result come, and then everything has its place', async () => {
    const log = runs.drafting();
    await show(log);
    await button('Actions for Agent 2').click();
    const menu = page.getByRole('menu', { name: 'Actions for Agent 2' });
    const box = async () => (await menu.boundingBox())?.y;
    const top = await box();
    let sent = log.events.length;
    for (const later of [runs.voting(), runs.won()]) {
      await panel.send({ type: 'events', runId: 'run-1', events: later.events.slice(sent) });
      sent = later.events.length;
      expect(await menuItem('Open Full Text').isVisible()).toBe(true);
      expect(await box()).toBe(top);
    }
    expect(await menuItem('Answer Now').isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.locator('[data-section="candidates-of-result"]').waitFor();
    expect(await page.getByRole('menu').count()).toBe(0);
  });

  test('stands in the card of an agent whose time is over, until it was asked', async () => {
    await show(more.steered());
    await button('Agent 2: Answer Now').click();
    expect(await posted()).toEqual([{ type: 'answer-now', runId: 'run-1', slot: 2 }]);
    const log = more.steered();
    await panel.send({
      type: 'events',
      runId: 'run-1',
      events: more.finishing().events.slice(log.events.length),
    });
    expect(await button('Agent 2: Answer Now').count()).toBe(0);
  });
});

test('an agent that failed gets another chance from its problem', async () => {
  await show(runs.agentFailed());
  await button('Retry Agent 3').click();
  expect(await posted()).toEqual([{ type: 'revive-agent', runId: 'run-1', slot: 3 }]);
});

test('a run that was cut off goes on from the panel', async () => {
  await show(runs.interrupted());
  await button('Resume Run').click();
  expect(await posted()).toEqual([{ type: 'resume-run', runId: 'run-1' }]);
});

describe('a follow-up', () => {
  test('is sent with Ctrl+Enter once, and names the next turn', async () => {
    await show(more.followUp(), { session: more.ofSession });
    const box = page.getByLabel('Follow-up');
    expect(await page.locator('.continue-foot').innerText()).toContain('Turn 4, Three families');
    await box.fill('And the docs?');
    await box.press('Control+Enter');
    await box.press('Control+Enter');
    expect(await posted()).toEqual([{ type: 'follow-up', runId: 'run-1', task: 'And the docs?' }]);
    expect(await button('Continue').isDisabled()).toBe(true);
  });

  test('can be sent again after it could not start', async () => {
    await show(runs.won());
    await page.getByLabel('Follow-up').fill('More.');
    await button('Continue').click();
    const blocker = {
      kind: 'failed-to-start',
      heading: 'The run could not start',
      text: 'A key is missing.',
      detail: [],
      actions: [
        { action: 'set-key', label: 'Set API Key…' },
        { action: 'new-run', label: 'Back to the Task' },
      ],
    };
    await panel.send({ type: 'host', host: hostWithRun({ rev: 9, blocker } as never) });
    await page.getByText('A key is missing.').waitFor();
    expect(await page.getByLabel('Follow-up').inputValue()).toBe('More.');
    expect(await button('Continue').isEnabled()).toBe(true);
    // The task is still in the box: nothing has to lead back to it, away from this run.
    expect(await button('Set API Key…').count()).toBe(1);
    expect(await button('Back to the Task').count()).toBe(0);
  });

  test('can be sent again after the user has taken it back', async () => {
    await show(runs.won());
    await page.getByLabel('Follow-up').fill('More.');
    await button('Continue').click();
    expect(await button('Continue').isDisabled()).toBe(true);
    await panel.send({ type: 'host', host: hostWithRun({ rev: 9 }) });
    expect(await button('Continue').isEnabled()).toBe(true);
  });

  test('keeps its button in sight however much is written', async () => {
    await show(runs.noConsensus());
    const box = page.getByLabel('Follow-up');
    await box.fill('One more line.\n'.repeat(60));
    await box.press('Control+End');
    const height = await page.evaluate(() => innerHeight);
    const place = await button('Continue').boundingBox();
    expect((place?.y ?? height) + (place?.height ?? 0)).toBeLessThanOrEqual(height);
  });

  test('earlier turns stand above, folded, with the sums of the session', async () => {
    await show(more.followUp(), { session: more.ofSession });
    const session = page.locator('.earlier');
    expect(await session.innerText()).toContain('Turn 3 of 3');
    expect(await session.innerText()).toContain('$0.42');
    expect(await session.getByText('Only parseDuration does').count()).toBe(0);
    await button('Turn 1').click();
    await session.getByText('does, in').waitFor();
    await page.getByRole('button', { name: 'Open turn 2' }).count();
    await button('Turn 2').click();
    await button('Open turn 2').click();
    expect(await posted()).toEqual([{ type: 'show-run', runId: 'run-00' }]);
  });
});

describe('choosing instead of the team', () => {
  test('takes two steps after a decision, and the way back names the team’s choice', async () => {
    await show(runs.won());
    await button('Candidates').click();
    await button('Actions for agent3.1').click();
    await menuItem('Use This Answer Instead').click();
    expect(await posted()).toEqual([{ type: 'override', runId: 'run-1', label: 'agent3.1' }]);
    await panel.send({
      type: 'events',
      runId: 'run-1',
      events: more.overridden().events.slice(runs.won().events.length),
    });
    expect(await page.locator('.outcome').innerText()).toBe('Decided by you');
    await page.getByText('The team’s choice was agent2.2.').waitFor();
    await button('Use the Team’s Choice').click();
    expect((await posted()).at(-1)).toEqual({
      type: 'override',
      runId: 'run-1',
      label: 'agent2.2',
    });
  });

  test('is not offered for what stands already', async () => {
    await show(runs.won());
    await button('Candidates').click();
    await button('Actions for agent2.2').click();
    expect(await menuItem('Use This Answer Instead').count()).toBe(0);
  });

  test('without consensus no answer is put forward, and each can be used', async () => {
    await show(runs.noConsensus());
    expect(await page.locator('.button-primary, .mark-won').count()).toBe(0);
    await page.getByText('Use one of the answers below, or ask a follow-up.').waitFor();
    const rows = await page.locator('.candidate').allInnerTexts();
    expect(rows.map((text) => text.includes('1 vote'))).toEqual([true, true, true]);
    await button('Use agent2.1').click();
    expect(await posted()).toEqual([{ type: 'override', runId: 'run-1', label: 'agent2.1' }]);
  });
});

describe('trying another rule', () => {
  test('answers at once, says what changes, and asks the host for nothing', async () => {
    await show(runs.won());
    await button('What if…').click();
    const answer = page.locator('.what-if-answer');
    expect(await answer.innerText()).toContain(
      'As it was decided: agent2.2 won with 2 of 3 votes.',
    );
    await page.getByLabel('Rule').selectOption('unanimity');
    expect(await answer.innerText()).not.toContain('As it was decided');
    expect(await answer.innerText()).toMatch(/What changes|What cannot be known/);
    await button('Back to the rules of this run').click();
    expect(await answer.innerText()).toContain('As it was decided');
    expect(await posted()).toEqual([]);
  });

  test('a command opens it and brings the focus, each time anew', async () => {
    await show(runs.won());
    for (let times = 0; times < 2; times++) {
      await panel.send({ type: 'reveal', part: 'what-if' });
      await page.locator('.what-if').waitFor();
      await page.waitForFunction(() => document.activeElement?.textContent.includes('What if'));
      const [head, section] = await page
        .locator('.run-head, [data-section="what-if"]')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
      expect(section?.top).toBeGreaterThanOrEqual(head?.bottom ?? Infinity);
      await button('What if…').click();
      await page.locator('.what-if').waitFor({ state: 'detached' });
    }
  });
});

describe('a replay', () => {
  const result = { difference: null, changedFiles: [] };
  const replay = (changes = {}) => ({
    type: 'replay',
    runId: 'run-1',
    events: runs.won().events,
    result,
    ...changes,
  });
  const phase = () => page.locator('.phase-now').innerText();

  test('shows the run event by event, and nothing in it can be decided', async () => {
    await show(runs.won());
    await panel.send(replay());
    expect(await page.locator('.replay-head').innerText()).toContain(
      'Identical: 61 events came out as recorded.',
    );
    expect(await phase()).toBe('Drafts 0/3');
    await button('Step').click();
    expect(await page.locator('.replay-place').innerText()).toBe('2/61');
    await page.getByLabel('Event').fill('60');
    await page.locator('.verdict').waitFor();
    for (const name of ['Accept All', 'Continue', 'Replay Run', 'Stop']) {
      expect(await button(name).count(), name).toBe(0);
    }
    await page.getByRole('treeitem').first().press('a');
    expect(await posted()).toEqual([]);
  });

  test('goes back and forth by keys, and says where it is', async () => {
    await show(runs.won());
    await panel.send(replay());
    const slider = page.getByLabel('Event');
    await slider.focus();
    await page.keyboard.press('End');
    expect(await slider.getAttribute('aria-valuetext')).toBe('Event 61 of 61, 2:31');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    expect(await slider.getAttribute('aria-valuetext')).toBe('Event 2 of 61, 0:00');
  });

  test('plays by itself to the end', async () => {
    await show(runs.won());
    await panel.send(replay());
    await page.getByLabel('Speed').selectOption('64');
    await button('Play').click();
    await page.locator('.verdict').waitFor();
    await button('Play from the Start').waitFor();
  });

  test('names the first difference', async () => {
    await show(runs.won());
    const difference = { seq: 12, expected: '{"a":1}', actual: '{"a":2}' };
    await panel.send(replay({ result: { difference, changedFiles: [] } }));
    const head = page.locator('.replay-head');
    expect(await head.getAttribute('data-replay')).toBe('different');
    expect(await head.innerText()).toContain('It differs from event 12 on.');
    expect(await head.innerText()).toContain('{"a":2}');
  });

  test('ends when it is closed: the run is shown as it stands', async () => {
    await show(runs.won());
    await panel.send(replay());
    await button('Close').click();
    expect(await posted()).toEqual([{ type: 'close-replay', runId: 'run-1' }]);
    await panel.send({ type: 'snapshot', runId: 'run-1', state: runs.won().state() });
    await button('Accept All').waitFor();
  });
});

describe('the record of a run', () => {
  test('is played again, opened and read on request', async () => {
    await show(runs.won().at(152, more.instructions));
    await button('Replay Run').click();
    await button('Open Run Folder').click();
    await button('Project instructions').click();
    await page.getByTitle('only its beginning was given').click();
    expect(await posted()).toEqual([
      { type: 'replay-run', runId: 'run-1' },
      { type: 'open-artifacts', runId: 'run-1' },
      {
        type: 'open-instructions',
        runId: 'run-1',
        root: 'sample-project',
        path: '.github/copilot-instructions.md',
      },
    ]);
  });
});

describe('an attempt that is over', () => {
  test('is one line, and its events are folded until they are wanted', async () => {
    await show(more.secondAttempt());
    await page.getByText('Attempt 1, 2:41').waitFor();
    expect(await page.locator('.event').count()).toBe(1);
    await page.getByRole('button', { name: /events of earlier attempts/ }).click();
    expect(await page.locator('.event').count()).toBeGreaterThan(10);
    await page.locator('.attempt-line').click();
    await page.getByText('Keep the return value for an empty text.').waitFor();
  });
});
