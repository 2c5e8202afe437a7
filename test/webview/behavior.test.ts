// What the panel does: messages, keys, focus, and text that nobody should trust.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import type { FromView } from '../../src/protocol/webview';
import { answer, modelCall, selected, started, turn, turnEnd } from './fixtures/events';
import { blockers, foundChecks, host, hostWithRun, notedTeam } from './fixtures/hosts';
import { createLog } from './fixtures/log';
import type { Log } from './fixtures/log';
import * as runs from './fixtures/runs';
import * as tools from './fixtures/tool-runs';
import { launch, openPanel } from './support/panel-page';
import type { PanelOptions, PanelPage } from './support/panel-page';

let browser: Browser;
let panel: PanelPage;
let page: Page;

beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
});
beforeEach(async () => {
  await open();
});
afterEach(async () => {
  await panel.close();
});

async function open(options: PanelOptions = {}): Promise<void> {
  panel = await openPanel(browser, { reducedMotion: true, ...options });
  page = panel.page;
}

async function reopen(options: PanelOptions): Promise<void> {
  await panel.close();
  await open(options);
}

async function show(log: Pick<Log, 'state'>, changes = {}): Promise<void> {
  const state = log.state();
  await panel.send(
    { type: 'host', host: hostWithRun(changes) },
    { type: 'snapshot', runId: state.runId, state },
  );
}

/** The events that `longer` has beyond `log`. */
function rest(log: Log, longer: Log): object {
  return { type: 'events', runId: 'run-1', events: longer.events.slice(log.events.length) };
}

/** What was posted beyond `ready`. */
async function posted(): Promise<readonly FromView[]> {
  return (await panel.posted()).filter((message) => message.type !== 'ready');
}

const button = (name: string) => page.getByRole('button', { name, exact: true });

describe('connecting', () => {
  test('the panel says ready, and is usable once the host has answered', async () => {
    expect(await panel.posted()).toEqual([{ type: 'ready', protocolVersion: 1 }]);
    expect(await page.locator('body[data-ready]').count()).toBe(0);
    await panel.send({ type: 'host', host: host() });
    await page.locator('body[data-ready]').waitFor();
  });

  test('with a run to show, the panel is usable once its snapshot was drawn', async () => {
    await panel.send({ type: 'host', host: hostWithRun() });
    expect(await page.locator('body[data-ready]').count()).toBe(0);
    await show(runs.decided());
    await page.locator('body[data-ready] .verdict').waitFor();
  });

  test('a reload comes back to where the reader was', async () => {
    await reopen({ remembered: { scrollTop: 120 }, height: 400 });
    await show(runs.decided());
    await page.waitForFunction(() => scrollY === 120);
    await page.mouse.wheel(0, 60);
    await page.waitForFunction(() =>
      document.documentElement.dataset['state']?.includes('"scrollTop":180'),
    );
  });

  test('another page is shown from its top', async () => {
    await reopen({ height: 300 });
    await panel.send({ type: 'host', host: host() });
    await page.getByRole('button', { name: /^Run/ }).scrollIntoViewIfNeeded();
    await page.waitForFunction(() => scrollY > 0);
    await show(runs.decided());
    await page.locator('.verdict').waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });

  test('a ping is answered with its own number', async () => {
    await panel.send({ type: 'ping', nonce: 7 });
    expect(await posted()).toEqual([{ type: 'pong', nonce: 7 }]);
  });

  test('events continue a snapshot', async () => {
    const log = runs.drafting();
    await show(log);
    await panel.send(rest(log, log.at(41, answer('agent1.1', 'Done.'), turnEnd(1, 1, 'answer'))));
    expect(await page.locator('.phase-now').innerText()).toBe('Drafts 1/3');
  });

  test('a missing event makes the panel ask again, and the new snapshot is shown', async () => {
    const log = runs.drafting();
    const longer = log.at(41, answer('agent1.1', 'Done.')).at(42, turnEnd(1, 1, 'answer'));
    await show(log);
    await panel.send({ type: 'events', runId: 'run-1', events: longer.events.slice(-1) });
    expect(await posted()).toEqual([{ type: 'resync', runId: 'run-1' }]);
    await panel.send({ type: 'snapshot', runId: 'run-1', state: longer.state() });
    expect(await page.locator('.phase-now').innerText()).toBe('Drafts 1/3');
  });

  test('an older state of the host changes nothing', async () => {
    await panel.send({ type: 'host', host: host({ rev: 5 }) });
    await panel.send({ type: 'host', host: host({ rev: 4, teams: [], hasNoModel: true }) });
    expect(await button('Run 3 Agents').count()).toBe(1);
  });

  test('messages that are malformed or unknown do nothing', async () => {
    const log = runs.running();
    await show(log);
    const before = await page.locator('.view').innerHTML();
    await panel.send(...malformed(log));
    expect(await page.locator('.view').innerHTML()).toBe(before);
    expect(panel.errors).toEqual([]);
    expect(await posted()).toEqual([]);
  });
});

/** Messages with each part of valid ones missing or of another kind, and some that were never valid. */
function malformed(log: Log): readonly unknown[] {
  const state = { ...log.state(), seq: log.state().seq + 1 };
  const valid: readonly object[] = [
    { type: 'host', host: host({ rev: 99 }) },
    { type: 'snapshot', runId: 'run-1', state },
    { type: 'events', runId: 'run-1', events: log.events },
    { type: 'compose', task: 'x', isFocused: true },
    { type: 'ping', nonce: 1 },
  ];
  // The panel does not read these two.
  const { attempt: _attempt, teamName: _teamName, ...read } = state;
  const next = { seq: state.seq, at: 0 };
  return [
    ...[undefined, null, 0, 'text', [], {}, [null], NaN],
    ...[{ type: 'unknown' }, { type: '__proto__' }, { type: 'toString' }, { type: 7 }],
    ...valid.flatMap(spoiled),
    ...spoiled(host({ rev: 99 })).map((broken) => ({ type: 'host', host: broken })),
    ...spoiled(read).map((broken) => ({ type: 'snapshot', runId: 'run-1', state: broken })),
    { type: 'events', runId: 'run-1', events: [{ ...next, event: { type: 'text-delta' } }] },
    { type: 'events', runId: 'run-1', events: [{ ...next, event: null }] },
    { type: 'events', runId: 'other', events: log.events },
  ];
}

/** Copies of an object, each with one field missing or of a kind that it never is. */
function spoiled(whole: object): readonly object[] {
  return Object.entries(whole).flatMap(([key, value]: [string, unknown]) => {
    const other = typeof value === 'object' && value !== null ? 'text' : {};
    return [
      { ...whole, [key]: undefined },
      { ...whole, [key]: other },
    ];
  });
}

describe('before a run', () => {
  test('Ctrl+Enter in the task box starts the run with the text as it stands', async () => {
    await panel.send({ type: 'host', host: host() });
    await page.getByLabel('Task').fill('  Fix it.\nAll of it. ');
    await page.keyboard.press('Control+Enter');
    expect(await posted()).toEqual([{ type: 'start-run', task: '  Fix it.\nAll of it. ' }]);
  });

  test('a team whose file cannot be read has no rule to show', async () => {
    const [team] = host().teams;
    const broken = team === undefined ? [] : [{ ...team, members: [], decides: '' }];
    await panel.send({ type: 'host', host: host() });
    expect(await page.getByText('Decides', { exact: true }).count()).toBe(1);
    await panel.send({ type: 'host', host: host({ rev: 2, teams: broken }) });
    await page.getByText('Decides', { exact: true }).waitFor({ state: 'detached' });
  });

  test('nothing starts without a task', async () => {
    await panel.send({ type: 'host', host: host() });
    expect(await button('Run 3 Agents').isDisabled()).toBe(true);
    await page.getByLabel('Task').press('Control+Enter');
    expect(await posted()).toEqual([]);
  });

  test('Up and Down go through earlier tasks and keep what was being written', async () => {
    const entry = (task: string) => ({ runId: task, task, mark: 'ended' as const });
    await panel.send({ type: 'host', host: host({ runs: [entry('newer'), entry('older')] }) });
    const box = page.getByLabel('Task');
    await box.fill('half a thou');
    await box.press('Home');
    await box.press('ArrowUp');
    expect(await box.inputValue()).toBe('newer');
    await page.waitForFunction(
      () => (document.activeElement as HTMLTextAreaElement).selectionEnd === 0,
    );
    await box.press('ArrowUp');
    expect(await box.inputValue()).toBe('older');
    await box.press('End');
    await box.press('ArrowDown');
    await page.waitForFunction(
      () => (document.activeElement as HTMLTextAreaElement).selectionEnd === 5,
    );
    await box.press('ArrowDown');
    expect(await box.inputValue()).toBe('half a thou');
  });

  test('a command puts its text into the box, and takes the focus only when it says so', async () => {
    await panel.send(
      { type: 'host', host: host() },
      { type: 'compose', task: 'one', isFocused: false },
    );
    expect(await focused()).toBe('BODY');
    await panel.send({ type: 'compose', task: 'two', isFocused: true });
    expect(await page.getByLabel('Task').inputValue()).toBe('two');
    expect(await focused()).toBe('TEXTAREA');
  });

  test('the button that runs stays in sight however small the panel, and hides no field in focus', async () => {
    await reopen({ width: 300, height: 420 });
    await panel.send({ type: 'host', host: host({ checks: foundChecks, sampleTask: 'task' }) });
    const run = button('Run 3 Agents');
    await page.getByLabel('Task').focus();
    const passed: (string | null)[] = [];
    while (!(await run.evaluate((element) => element === document.activeElement))) {
      const { y = 0, height = 0 } = (await run.boundingBox()) ?? {};
      expect(y + height).toBeLessThanOrEqual(420);
      const field = page.locator(':focus');
      const place = await field.boundingBox();
      expect((place?.y ?? 420) + (place?.height ?? 0)).toBeLessThanOrEqual(y);
      passed.push(await field.getAttribute('type'));
      await page.keyboard.press('Tab');
    }
    expect(passed.filter((type) => type === 'checkbox')).toHaveLength(foundChecks.length);
  });

  test('team and access are chosen by name', async () => {
    await panel.send({ type: 'host', host: host() });
    await page.getByLabel('Team', { exact: true }).selectOption('offline');
    await page.getByLabel('Access to docs').selectOption('write');
    expect(await posted()).toEqual([
      { type: 'select-team', teamId: 'offline' },
      { type: 'set-permission', folder: 'docs', permission: 'write' },
    ]);
  });

  test('an unknown price is a question mark and never zero', async () => {
    const forecast = {
      calls: [7, 12],
      tokens: [1, 2],
      costUsd: null,
      oneAgentCostUsd: null,
      hasFees: true,
    } as const;
    await panel.send({ type: 'host', host: host({ forecast }) });
    expect(await page.locator('.forecast-sums strong').innerText()).toContain('?');
    expect(await page.locator('.forecast-sums').innerText()).not.toContain('$');
  });

  test('an estimate says that fees for searches are not in it', async () => {
    const forecast = { ...host().forecast, hasFees: true };
    await panel.send({ type: 'host', host: { ...host(), forecast } });
    const words = page.getByText('Without what services charge for searches.');
    await words.waitFor();
    await panel.send({ type: 'host', host: host({ rev: 2 }) });
    await words.waitFor({ state: 'detached' });
  });

  test('a draft outlives the page', async () => {
    await reopen({ remembered: { draft: 'unfinished', sections: 7, scrollTop: 'x' } });
    await panel.send({ type: 'host', host: host() });
    expect(await page.getByLabel('Task').inputValue()).toBe('unfinished');
  });

  test('all notes on a team can be read without a pointer', async () => {
    const noted = host({ teams: [notedTeam], teamId: 'noted' });
    await panel.send({ type: 'host', host: noted });
    const last = page.getByText(notedTeam.notes?.at(-1) ?? '', { exact: true });
    expect(await last.count()).toBe(0);
    await button('1 more note').press('Enter');
    await last.waitFor();
    await button('Fewer notes').press('Enter');
    await last.waitFor({ state: 'detached' });
  });

  test.each(blockers)('while blocked as $kind nothing can be started', async (blocker) => {
    await panel.send({ type: 'host', host: host({ blocker }) });
    const starts = button('Run 3 Agents');
    expect((await starts.count()) === 0 || (await starts.isDisabled())).toBe(true);
    await page.locator('.problem').getByRole('button').first().click();
    expect(await posted()).toEqual([{ type: 'action', action: blocker.actions[0]?.action }]);
  });

  test('a team that cannot run can be exchanged for another, and the task stays', async () => {
    const blocker = blockers.find(({ kind }) => kind === 'bad-team-file') ?? null;
    await panel.send({ type: 'host', host: host() });
    await page.getByLabel('Task').fill('Fix it.');
    await panel.send({ type: 'host', host: host({ rev: 2, blocker }) });
    expect(await page.getByLabel('Task').inputValue()).toBe('Fix it.');
    await page.getByLabel('Task').press('Control+Enter');
    await page.getByLabel('Team', { exact: true }).selectOption('offline');
    expect(await posted()).toEqual([{ type: 'select-team', teamId: 'offline' }]);
  });

  test('a task that became a run is no draft any more', async () => {
    await panel.send({ type: 'host', host: host() });
    await page.getByLabel('Task').fill('Fix it.');
    await page.keyboard.press('Control+Enter');
    const left: unknown = JSON.parse(
      (await page.evaluate(() => document.documentElement.dataset['state'])) ?? '{}',
    );
    expect(left).toMatchObject({ draft: '' });
  });

  test('without a model the three ways stand there', async () => {
    await panel.send({ type: 'host', host: host({ teams: [], teamId: null, hasNoModel: true }) });
    for (const name of ['Use Editor Models', 'Add Key or Server…', 'Open Sample Project']) {
      await button(name).click();
    }
    expect(await posted()).toEqual([
      { type: 'action', action: 'use-editor-models' },
      { type: 'action', action: 'add-key' },
      { type: 'action', action: 'open-sample' },
    ]);
  });
});

async function focused(): Promise<string> {
  return page.evaluate(() => document.activeElement?.tagName ?? '');
}

describe('during a run', () => {
  test('what an agent has and thinks, and its sources, are reached and named without a pointer', async () => {
    await show(tools.toolsAtWork());
    await button('Actions for Agent 1').focus();
    await page.keyboard.press('ArrowDown');
    expect(await activeName()).toBe('Not confined, 1 tool server, details of Agent 1');
    await page.keyboard.press('Enter');
    const details = page.getByRole('group', { name: 'Details of Agent 1' });
    const servers = details.getByRole('list', { name: 'Tool servers of Agent 1' });
    expect(await servers.getByRole('listitem').count()).toBe(1);
    await button('Thinking, details of Agent 3').press('Enter');
    // It is scrolled by keys.
    await page.keyboard.press('Tab');
    expect(await activeName()).toBe('Thinking of Agent 3');
    await button('Not confined, 1 tool server, details of Agent 1').press('Space');
    await details.waitFor({ state: 'detached' });

    await show(tools.citing());
    await button('3 sources of agent3.1').press('Enter');
    const list = page.getByRole('list', { name: 'Sources of agent3.1' });
    expect(await list.getByRole('link').allInnerTexts()).toHaveLength(3);
  });

  test('nothing reaches beyond its card in the narrowest side bar', async () => {
    await reopen({ width: 170, height: 600 });
    for (const log of [tools.toolsAtWork(), tools.askingToFetch(), runs.agentFailed()]) {
      await show(log);
      const spilling = await page
        .locator('.agent-card, .agent-card-head, .approval')
        .evaluateAll((all) =>
          all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent),
        );
      expect(spilling).toEqual([]);
    }
  });

  test('a card shows the name of its model with at least eight characters, or not at all', async () => {
    await show(tools.toolsAtWork());
    const names = page.locator('.agent-card-model > .clipped');
    const isReadable = (all: readonly Element[]): boolean =>
      all.every((each) => {
        const seen = each.clientWidth;
        const name = each.textContent;
        return (
          seen === 0 || each.scrollWidth <= seen || (8 * each.scrollWidth) / name.length < seen
        );
      });
    for (let width = 262; width <= 420; width += 6) {
      await page.setViewportSize({ width, height: 600 });
      expect(await names.evaluateAll(isReadable), `at ${width} px`).toBe(true);
    }
    expect(await names.allInnerTexts()).toEqual(['Claude Code', 'gpt-6.2-sol', 'gemini-4-pro']);
  });

  test('Stop is sent once', async () => {
    await show(runs.running());
    await button('Stop').click();
    expect(await button('Stopping').isDisabled()).toBe(true);
    expect(await posted()).toEqual([{ type: 'stop-run', runId: 'run-1' }]);
  });

  test('an approval is answered with the id and the hash of the card that is shown', async () => {
    await show(runs.running());
    await button('Deny').click();
    await button('Allow Once').click();
    await button('Allow for longer').click();
    await page.getByRole('menuitem', { name: 'Allow This Run' }).click();
    await button('Allow for longer').click();
    await page.getByRole('menuitem', { name: 'Allow This Workspace' }).click();
    const decision = (text: string) => ({
      type: 'resolve-approval',
      runId: 'run-1',
      approvalId: 'ask-1',
      hash: 'hash-of-ask-1',
      decision: text,
    });
    expect(await posted()).toEqual(
      ['deny', 'allow-once', 'allow-run', 'allow-workspace'].map(decision),
    );
  });

  test('a double click allows one command, not the next one as well', async () => {
    const log = runs.running();
    await show(log);
    await button('Allow Once').click();
    const resolved = {
      type: 'approval-resolved',
      slot: 2,
      turnNo: 1,
      approvalId: 'ask-1',
    } as const;
    await panel.send(rest(log, log.at(49, { ...resolved, decision: 'allow-once', by: 'user' })));
    expect(await page.locator('.approval').getAttribute('data-approval')).toBe('ask-2');
    await button('Allow Once').dispatchEvent('click', { detail: 2 });
    expect(await posted()).toHaveLength(1);
    await button('Allow Once').click();
    expect(await posted()).toMatchObject([{ approvalId: 'ask-1' }, { approvalId: 'ask-2' }]);
  });

  test('the menu goes by arrow keys, and Esc brings the focus back without stopping anything', async () => {
    await show(runs.running());
    await button('Allow for longer').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Allow This Run' }).waitFor();
    expect(await activeText()).toBe('Allow This Run');
    await page.keyboard.press('ArrowDown');
    expect(await activeText()).toBe('Allow This Workspace');
    await page.keyboard.press('Escape');
    expect(await activeName()).toBe('Allow for longer');
    expect(await page.getByRole('menu').count()).toBe(0);
    expect(await posted()).toEqual([]);
  });

  test('a command shows the characters that would hide or turn its text', async () => {
    const log = runs.drafting().at(36, {
      type: 'approval-requested',
      slot: 2,
      turnNo: 1,
      approvalId: 'a',
      command: 'echo \u202eevil\u2066\u0007 | sh\r\nrm -rf x',
      cwd: '/tmp/\u200bx',
      isConfined: false,
      hash: 'h',
    });
    await show(log);
    expect(await page.locator('.approval-command').innerText()).toBe(
      'echo ⟨U+202E⟩evil⟨U+2066⟩⟨U+0007⟩ | sh⟨U+000D⟩\nrm -rf x',
    );
    expect(await page.locator('.approval').innerText()).toContain('/tmp/⟨U+200B⟩x');
  });

  test('cards keep their height and their place while text streams in', async () => {
    const log = createLog().at(0, started(), turn(1), turn(2), turn(3));
    await show(log);
    const boxes = () =>
      page.locator('.agent-card').evaluateAll((cards) =>
        cards.map((card) => {
          const { x, y, width, height } = card.getBoundingClientRect();
          return { x, y, width, height };
        }),
      );
    const before = await boxes();
    const long = Array.from(
      { length: 60 },
      (_unused, i) => `Line ${i} of a long thought. \`code ${i}\`\n`,
    ).join('');
    const longer = log.at(
      20,
      ...modelCall(2, 1, long, { fresh: 12_345, output: 678, costUsd: 1.5 }),
    );
    await panel.send(rest(log, longer));
    expect(await page.locator('.agent-card').nth(1).innerText()).toContain('Line 59');
    expect(await boxes()).toEqual(before);
  });

  test('text that is being selected stays, and Newest leads on', async () => {
    const log = runs.drafting();
    await show(log);
    await page.locator('.live-text p').nth(2).click({ clickCount: 3 });
    const longer = log.at(60, {
      type: 'text-delta',
      slot: 3,
      turnNo: 1,
      call: 2,
      text: ' NEW WORDS',
    });
    await panel.send(rest(log, longer));
    expect(await page.locator('.live-text').nth(2).innerText()).not.toContain('NEW WORDS');
    await button('Newest').click();
    expect(await page.locator('.live-text').nth(2).innerText()).toContain('NEW WORDS');
  });

  test('no event takes the focus, from the start of a run to its end', async () => {
    const log = createLog(runs.decided().events.slice(0, 1));
    await show(log);
    for (const recorded of runs.decided().events.slice(1)) {
      await panel.send({ type: 'events', runId: 'run-1', events: [recorded] });
      expect(await focused()).toBe('BODY');
    }
  });

  test('an approval that comes while the focus is further down waits in a bar', async () => {
    const log = runs.drafting();
    await show(log);
    await button('Agent 1').focus();
    const before = await page.locator('.agent-card').first().boundingBox();
    await panel.send(rest(log, createLog([...log.events, ...approvalAfter(log)])));
    expect(await page.locator('.approval-bar').innerText()).toContain(
      'Agent 2 wants to run a command',
    );
    expect(await page.locator('.agent-card').first().boundingBox()).toEqual(before);
    await button('Show').click();
    expect(await button('Deny').count()).toBe(1);
  });

  test('nothing moves while a pointer is down', async () => {
    const log = runs.drafting();
    await show(log);
    await page.locator('.agent-card').first().hover();
    await page.mouse.down();
    await panel.send(rest(log, createLog([...log.events, ...approvalAfter(log)])));
    expect(await page.locator('.approval').count()).toBe(0);
    await page.mouse.up();
    await page.locator('.approval').waitFor();
  });

  test('arrow keys go through the timeline, and Enter opens the answer of the row', async () => {
    await show(runs.voting());
    await page.locator('.event').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    expect(await posted()).toEqual([
      { type: 'open-answer', runId: 'run-1', label: 'agent1.1' },
      { type: 'open-answer', runId: 'run-1', label: 'agent3.1' },
    ]);
  });

  test('arrow keys open a long reason in the timeline and close it again', async () => {
    const log = runs.voting();
    const reason = 'It changes what was asked for and nothing else. '.repeat(5);
    const state = log.state();
    const timeline = state.timeline.map((entry) => ({ ...entry, text: reason }));
    await show({ state: () => ({ ...state, timeline }) });
    const row = page.locator('.event', { has: page.locator('.quote > button') }).first();
    await row.focus();
    const more = row.locator('.quote > button');
    for (const [key, isWhole] of [
      ['ArrowRight', 'true'],
      ['ArrowRight', 'true'],
      ['ArrowLeft', 'false'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => more.getAttribute('aria-expanded')).toBe(isWhole);
    }
    expect(await posted()).toEqual([]);
  });

  test('every section is one stop of the Tab key', async () => {
    await show(runs.voting());
    const stops = await page.evaluate(() =>
      ['.candidates', '.timeline ol'].map(
        (section) => document.querySelectorAll(`${section} [tabindex="0"]`).length,
      ),
    );
    expect(stops).toEqual([1, 1]);
  });

  test('a row of the timeline is one sentence for a screen reader', async () => {
    await show(runs.voting());
    const names = await page
      .locator('.event')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')));
    expect(names).toEqual([
      '0:00, Run started, 3 agents, drafts alone',
      '0:41, Agent 1 answered agent1.1',
      '0:52, Agent 2 answered agent2.1, replaced by agent2.2',
      '1:08, Agent 3 answered agent3.1',
      '1:10, Update delivered, all agents now see agent1.1, agent2.1, and agent3.1',
      '1:31, Agent 1 voted agent1.1, self-vote, voided at 1:44: It is the smallest change.',
      '1:44, Agent 2 new answer agent2.2',
      '1:44, Agent 1: Vote voided, agent2.2 arrived; Agent 1 votes again',
      '1:45, Update delivered, Agent 1 and Agent 3 now see agent2.2',
      '1:58, Agent 1 voted agent2.2: Handles 1h 30m and rejects 90x; two new tests prove it.',
      '2:06, Agent 3 voted agent3.1, self-vote: agent2.2 changes the error text for a bad unit. Callers may match on it.',
    ]);
  });

  test('phases and results are announced, an approval at once', async () => {
    const log = runs.drafting();
    await show(log);
    await panel.send(rest(log, createLog([...log.events, ...approvalAfter(log)])));
    expect(await page.getByRole('alert').innerText()).toBe(
      'Agent 2 wants to run a command; not confined.',
    );
    const stoppedLog = createLog([...log.events, ...approvalAfter(log)]);
    await panel.send(
      rest(stoppedLog, stoppedLog.at(52, { type: 'run-ended', outcome: 'cancelled' })),
    );
    expect(await page.getByRole('log').innerText()).toBe('Stopped. Your files are unchanged.');
  });
});

function approvalAfter(log: Log): Log['events'] {
  return log
    .at(36, {
      type: 'approval-requested',
      slot: 2,
      turnNo: 1,
      approvalId: 'ask-9',
      command: 'npm test',
      cwd: '/home/me/sample-project',
      isConfined: false,
      hash: 'h9',
    })
    .events.slice(log.events.length);
}

/** The name of what has the focus, where it has one beside its text. */
async function activeName(): Promise<string | null> {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null);
}

async function activeText(): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? '');
}

describe('after a run', () => {
  test('files are accepted, rejected and undone by button, each with root and path', async () => {
    await show(runs.decided());
    await button('Accept duration.ts').click();
    await button('Reject CHANGELOG.md').click();
    await button('Undo duration.test.ts').click();
    await page.locator('.tree-row').first().click();
    const file = (type: string, path: string) => ({
      type,
      runId: 'run-1',
      root: 'sample-project',
      path,
    });
    expect(await posted()).toEqual([
      file('accept-file', 'src/duration.ts'),
      file('reject-file', 'CHANGELOG.md'),
      file('undo-file', 'src/duration.test.ts'),
      file('open-diff', 'src/duration.ts'),
    ]);
  });

  test('A, R, U and Enter act on the focused file and on nothing else', async () => {
    await show(runs.decided());
    await page.keyboard.press('a');
    await page.locator('.tree-row').first().focus();
    for (const key of ['a', 'u', 'ArrowDown', 'u', 'a', 'ArrowDown', 'r', 'Enter']) {
      await page.keyboard.press(key);
    }
    expect((await posted()).map((message) => message.type)).toEqual([
      'accept-file',
      'undo-file',
      'reject-file',
      'open-diff',
    ]);
  });

  test('a conflict is opened where another file is accepted, by button and by A', async () => {
    await show(runs.reviewed());
    expect(await button('Accept duration.ts').count()).toBe(0);
    await button('Open Conflict of duration.ts').click();
    await page.locator('.tree-row[data-decision="conflict"]').focus();
    await page.keyboard.press('a');
    expect((await posted()).map((message) => message.type)).toEqual([
      'open-conflict',
      'open-conflict',
    ]);
  });

  test('the bar acts on all, and offers to undo once everything is decided', async () => {
    const log = runs.won();
    await show(log);
    await button('Accept All').click();
    await page.locator('.action-bar').getByRole('button', { name: 'Open Review' }).click();
    await button('Reject All').click();
    const accepted = ['src/duration.ts', 'src/duration.test.ts', 'CHANGELOG.md'].map(
      (path) =>
        ({ type: 'file-decided', root: 'sample-project', path, decision: 'accepted' }) as const,
    );
    await panel.send(rest(log, log.at(160, ...accepted)));
    expect(await button('Accept All').count()).toBe(0);
    await button('Undo Accept').click();
    expect((await posted()).map((message) => message.type)).toEqual([
      'accept-all',
      'open-review',
      'reject-all',
      'undo-all',
    ]);
  });

  test('the answer goes to the clipboard, the cursor and a new file', async () => {
    await show(runs.decided());
    for (const name of ['Copy', 'Insert at Cursor', 'New File']) {
      await button(name).click();
    }
    expect((await posted()).map((message) => message.type)).toEqual([
      'answer-to-clipboard',
      'answer-at-cursor',
      'answer-to-new-file',
    ]);
  });

  test('the verdict says in words and numbers what the tally shows', async () => {
    await show(runs.decided());
    expect(await page.locator('.verdict').innerText()).toBe(
      'Decided by the rule\n\nagent2.2 won with 2 of 3 votes.\n\nMajority rule, 2 needed. Without self-votes it also leads, 1 to 0. No checks were run.',
    );
    expect(await page.locator('.tally tbody tr').allInnerTexts()).toEqual([
      expect.stringMatching(/agent2\.2[^]*\t2\t1$/),
      expect.stringMatching(/agent3\.1[^]*\t1\t0$/),
      expect.stringMatching(/agent1\.1[^]*\t0\t0$/),
    ]);
    expect(await page.locator('.dissent').innerText()).toContain('Agent 3 voted agent3.1, its own');
  });

  test('the focus stays in the list when the focused control goes away', async () => {
    const log = runs.won();
    await show(log);
    await page.locator('.tree-row').nth(2).focus();
    const fewer = { type: 'change-set-ready', label: 'agent2.2', snapshotId: 's' } as const;
    const files = log.state().review?.files.slice(0, 2) ?? [];
    await panel.send(rest(log, log.at(155, { ...fewer, files })));
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-path'))).toBe(
      'src/duration.test.ts',
    );
  });

  test('sections that were closed by hand stay closed in the next page', async () => {
    await show(runs.decided());
    await button('Cost').click();
    const remembered: unknown = JSON.parse(
      (await page.evaluate(() => document.documentElement.dataset['state'])) ?? '{}',
    );
    await reopen({ remembered });
    await show(runs.decided());
    expect(await button('Cost').getAttribute('aria-expanded')).toBe('false');
    expect(await button('Answer').getAttribute('aria-expanded')).toBe('true');
  });
});

describe('several runs', () => {
  test('the list leads from one run to the other, and each keeps its own state', async () => {
    const entries = [runs.otherRun(), runs.decided()].map((log) => {
      const { runId, task, outcome } = log.state();
      return { runId, task, mark: outcome === null ? ('needs-you' as const) : ('ended' as const) };
    });
    await show(runs.decided(), { runs: entries });
    const list = page.getByRole('navigation', { name: 'Runs of this window' });
    expect(await list.getByLabel('Needs you').count()).toBe(1);
    expect(await list.getByLabel('Ended').count()).toBe(1);
    await page.locator('[data-run="run-2"].run-list-item').click();
    expect(await posted()).toEqual([{ type: 'show-run', runId: 'run-2' }]);
    await panel.send(
      { type: 'host', host: hostWithRun({ rev: 3, runs: entries, shownRunId: 'run-2' }) },
      { type: 'snapshot', runId: 'run-2', state: runs.otherRun().state() },
    );
    expect(await page.locator('.run').getAttribute('data-run')).toBe('run-2');
    expect(await page.locator('.phase-now').innerText()).toBe('Drafts 0/3');
  });
});

describe('text of a model', () => {
  const attacks = [
    '<script>window.hacked = 1</script>',
    '<img src=x onerror="window.hacked = 1">',
    '<svg/onload="window.hacked = 1">',
    '<iframe src="https://evil.test/frame"></iframe>',
    '<style>* { display: none }</style>',
    '[click](javascript:window.hacked=1)',
    '[click](JaVaScRiPt:window.hacked=1)',
    '[click](data:text/html,<script>window.hacked=1</script>)',
    '[click](command:workbench.action.quit)',
    '[click](vscode://file/etc/passwd)',
    '[click](file:///etc/passwd)',
    '<https://evil.test/auto>',
    '![pixel](https://evil.test/pixel.png)',
    '![x](data:image/png;base64,AAAA)',
    '[![nested](https://evil.test/a.png)](javascript:window.hacked=1)',
    '<a href="https://evil.test" onclick="window.hacked=1">x</a>',
    '[ref]: javascript:window.hacked=1\n[ref]',
    '&#60;script&#62;window.hacked=1&#60;/script&#62;',
    '# <b onmouseover="window.hacked=1">x</b>',
    '| <img src=https://evil.test/t.png> |\n|--|\n| x |',
    '<base href="https://evil.test/">',
    '<meta http-equiv="refresh" content="0;url=https://evil.test/">',
  ];

  test('stays text: no element of its own, no request, nothing run', async () => {
    const text = attacks.join('\n\n');
    const log = runs.voting().at(
      140,
      selected({
        votes: { 'agent2.2': 2 },
        votesFromOthers: { 'agent2.2': 2 },
        winner: 'agent2.2',
        decidedBy: 'rule',
      }),
      { type: 'final-answer', slot: 2, label: 'agent2.2', text, source: 'presented' },
      { type: 'run-ended', outcome: 'completed' },
    );
    await show(log);
    const names = await page
      .locator('.markdown *')
      .evaluateAll((all) => all.map((element) => element.localName));
    const allowed = [
      'p',
      'a',
      'h3',
      'table',
      'thead',
      'tbody',
      'tr',
      'th',
      'td',
      'ul',
      'ol',
      'li',
      'code',
      'pre',
    ];
    expect(new Set(names.filter((name) => !allowed.includes(name)))).toEqual(new Set());
    const hrefs = await page
      .locator('.markdown a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(hrefs).toEqual([
      'https://evil.test/auto',
      'https://evil.test/pixel.png',
      'https://evil.test/a.png',
    ]);
    expect(await page.evaluate(() => Reflect.has(window, 'hacked'))).toBe(false);
    expect(panel.foreignRequests).toEqual([]);
  });

  test('has in each block the direction of its own words, and code goes from left to right', async () => {
    const text =
      'שלום עולם\n\nPlain words.\n\n- פריט\n\n```\nx = 1;\n```\n\n| a |\n|--|\n| שלום |\n';
    const log = runs.won();
    await show(
      createLog(log.events.slice(0, -3)).at(
        151,
        { type: 'final-answer', slot: 2, label: 'agent2.2', text, source: 'presented' },
        { type: 'run-ended', outcome: 'completed' },
      ),
    );
    const directions = await page
      .locator('.markdown > p, .markdown > ul, .markdown > pre, .markdown > table, .markdown td')
      .evaluateAll((all) => all.map((one) => [one.localName, getComputedStyle(one).direction]));
    expect(directions).toEqual([
      ['p', 'rtl'],
      ['p', 'ltr'],
      ['ul', 'rtl'],
      ['pre', 'ltr'],
      ['table', 'ltr'],
      ['td', 'rtl'],
    ]);
  });

  test('a long dissent is three lines at first, like every reason', async () => {
    const log = createLog(runs.won().events);
    await show(log);
    const quote = page.locator('.dissent .quote-clamped').first();
    expect(await quote.evaluate((one) => getComputedStyle(one).webkitLineClamp)).toBe('3');
  });

  test('a link is handed to the host and never followed', async () => {
    const log = runs.won();
    const text = 'See [the page](https://example.com/a?b=c).';
    await show(
      createLog(log.events.slice(0, -3)).at(
        151,
        { type: 'final-answer', slot: 2, label: 'agent2.2', text, source: 'presented' },
        { type: 'run-ended', outcome: 'completed' },
      ),
    );
    await page.getByRole('link', { name: 'the page' }).click();
    expect(await posted()).toEqual([{ type: 'open-link', href: 'https://example.com/a?b=c' }]);
    expect(page.url()).toBe('http://panel.test/');
    expect(panel.foreignRequests).toEqual([]);
  });

  test('cannot become markup in a task, a name, a reason or a tool line', async () => {
    const evil = '<img src=https://evil.test/x.png onerror=window.hacked=1>';
    const log = createLog()
      .at(0, started({ task: evil }), turn(1), turn(2), turn(3))
      .at(5, ...modelCall(1, 1, evil, { fresh: 1, output: 1, costUsd: 0 }))
      .at(6, {
        type: 'tool-call-started',
        slot: 2,
        turnNo: 1,
        call: 1,
        index: 0,
        tool: 'x',
        subject: evil,
      })
      .at(7, {
        type: 'protocol-error',
        slot: 3,
        turnNo: 1,
        code: 'bad_arguments',
        attemptNo: 1,
        message: evil,
      });
    await show(log);
    expect(await page.locator('.view img').count()).toBe(0);
    expect(await page.locator('.view').innerText()).toContain(evil);
    expect(panel.foreignRequests).toEqual([]);
  });
});

describe('settings of the reader', () => {
  test('with reduced motion nothing turns', async () => {
    await show(runs.running());
    expect(await animation()).toBe('none');
    await reopen({ reducedMotion: false });
    await show(runs.running());
    expect(await animation()).toBe('spin');
  });

  async function animation(): Promise<string> {
    return page
      .locator('.agent-card .spin')
      .first()
      .evaluate((icon) => getComputedStyle(icon).animationName);
  }

  test('with forced colors bars and the mark of the winner stay visible', async () => {
    await reopen({ forcedColors: true });
    await show(runs.decided());
    const colors = await page.evaluate(() =>
      ['.bar-others', '.mark-won'].map((name) => {
        const element = document.querySelector(name);
        return element === null ? '' : getComputedStyle(element).backgroundColor;
      }),
    );
    const text = await page.evaluate(() => {
      const probe = document.createElement('i');
      probe.style.color = 'CanvasText';
      document.body.append(probe);
      return getComputedStyle(probe).color;
    });
    expect(colors).toEqual([text, text]);
  });

  test('a font of twice the size makes everything grow, and nothing is lost sideways', async () => {
    await show(runs.decided());
    await page.evaluate(() =>
      document.documentElement.style.setProperty('--vscode-font-size', '26px'),
    );
    const row = await page.locator('.tree-line').first().boundingBox();
    expect(row?.height).toBe(44);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    ).toBeLessThanOrEqual(0);
  });
});
