// What the panel does with checks, and with proposals that are decided part by part.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser, Locator, Page } from 'playwright-core';
import type { FromView } from '../../src/protocol/webview';
import * as runs from './fixtures/checked-runs';
import { foundChecks, host, hostWithRun, teamChecks } from './fixtures/hosts';
import type { Log } from './fixtures/log';
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
beforeEach(async () => {
  panel = await openPanel(browser, { reducedMotion: true, seconds: 71 });
  page = panel.page;
});
afterEach(async () => {
  expect(panel.errors).toEqual([]);
  await panel.close();
});

async function show(log: Log): Promise<void> {
  const state = log.state();
  await panel.send(
    { type: 'host', host: hostWithRun() },
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

const types = async (): Promise<readonly string[]> => (await posted()).map(({ type }) => type);
const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
const card = (name: string): Locator => page.getByRole('region', { name, exact: true });
const duration = { runId: 'run-1', root: 'sample-project', path: 'src/duration.ts' };

describe('rows of changed files', () => {
  test.each([420, 300, 280])('are no longer than the view at %i px', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await show(runs.longRows());
    const lines = page.locator('.tree-line');
    await lines.first().waitFor();
    const cut = await lines.evaluateAll((all) =>
      all
        .filter((line) => line.scrollWidth > line.clientWidth)
        .map((line) => line.parentElement?.dataset['path']),
    );
    expect(cut).toEqual([]);
    const name = page.locator('[data-path=".vscode/settings.json"] .tree-name');
    expect(await name.evaluate((element) => element.clientWidth)).toBeGreaterThan(60);
  });
});

describe('before a run', () => {
  test('checks of the team are listed, and cannot be taken off here', async () => {
    await panel.send({ type: 'host', host: host({ checks: teamChecks }) });
    const text = await card('Checks').innerText();
    expect(text).toContain('Checks run in every candidate before the vote.');
    expect(text).toContain('npm run types');
    expect(await card('Checks').getByRole('checkbox').count()).toBe(0);
  });

  test('checks found in the project are off, with their source, and are chosen by ticking', async () => {
    await panel.send({ type: 'host', host: host({ checks: foundChecks }) });
    expect(await card('Checks').innerText()).toContain(
      'No checks. The vote then rests on reading alone.',
    );
    const boxes = card('Checks').getByRole('checkbox');
    expect(await boxes.evaluateAll((all) => all.filter((box) => box.matches(':checked')))).toEqual(
      [],
    );
    await boxes.first().click();
    expect(await posted()).toEqual([{ type: 'choose-check', name: 'test', isOn: true }]);
    expect(await card('Checks').innerText()).toContain('package.json, script "test"');
  });

  test.each([
    [
      { unconfinedReason: null, confinement: 'own processes' },
      'Commands are confined to each agent’s copy.\n\nOwn processes.',
    ],
    [
      { unconfinedReason: 'bubblewrap is missing.', confinement: null },
      'Commands are not confined here; each one asks you first.\n\nBubblewrap is missing.',
    ],
    [
      { unconfinedReason: null, confinement: null },
      'Whether commands can be confined here is being found out.',
    ],
  ])('%j is said in words', async (facts, words) => {
    await panel.send({ type: 'host', host: host({ ...facts, unsavedFiles: 0 }) });
    expect((await card('Commands').innerText()).trim()).toBe(words);
  });
});

describe('checks of a run', () => {
  const marks = (label: string): Locator => page.getByRole('list', { name: `Checks of ${label}` });

  test('show their progress per candidate, and nothing moves when results arrive', async () => {
    await show(runs.checking());
    expect(await page.locator('.phase-now').innerText()).toBe('Checks 3/6');
    expect(await marks('agent3.1').locator('.hidden-text').allInnerTexts()).toEqual([
      'test waits',
      'types waits',
    ]);
    const below = page.locator('.untouched');
    const before = await below.boundingBox();
    const results = [runs.result('test', { isFlaky: true }), runs.result('types')];
    const longer = runs
      .checking()
      .at(72, ...runs.checked('agent2.1', results))
      .at(73, runs.checksBegin('agent3.1'), runs.checkDone('agent3.1', runs.failedAnew('types')));
    await panel.send(rest(runs.checking(), longer));
    expect(await marks('agent3.1').locator('.hidden-text').allInnerTexts()).toEqual([
      'test running',
      'types now fails, exit code 2, 0.9 s',
    ]);
    expect(await below.boundingBox()).toEqual(before);
  });

  test('open their output, of a candidate and of the untouched folder', async () => {
    await show(runs.votingChecked());
    await marks('agent3.1').getByRole('button').last().click();
    await marks('the untouched folder').getByRole('button').first().click();
    expect(await posted()).toEqual([
      { type: 'open-check-output', runId: 'run-1', label: 'agent3.1', name: 'types' },
      { type: 'open-check-output', runId: 'run-1', label: null, name: 'test' },
    ]);
  });

  test('say which candidate is out, and which tests it changed', async () => {
    await show(runs.votingChecked());
    const row = page.locator('[data-candidate="agent3.1"]');
    expect(await row.innerText()).toContain('Fails types');
    expect(await row.innerText()).toContain(
      'Agent 3 edited 2 test files and skipped 1; the checks ran with yours.',
    );
    expect(await page.locator('.candidate-out').count()).toBe(1);
  });

  test('have a column in the tally', async () => {
    await show(runs.wonChecked());
    expect(await page.locator('.tally tbody tr').allInnerTexts()).toEqual([
      expect.stringContaining('passes 2 of 2 checks'),
      expect.stringContaining('passes 2 of 2 checks'),
      expect.stringContaining('passes 1 of 2 checks; types now fails'),
    ]);
  });

  test('that nobody passes leave the choice to the user', async () => {
    await show(runs.gateFailed());
    await page.getByRole('heading', { name: 'No candidate passed the checks' }).waitFor();
    expect(await button('Accept All').count()).toBe(0);
    await button('Use agent2.1').click();
    expect(await posted()).toEqual([{ type: 'override', runId: 'run-1', label: 'agent2.1' }]);
  });
});

describe('parts of a file', () => {
  const rows = (): Locator => page.getByRole('treeitem');

  test('are accepted, rejected and undone by button, each with its id', async () => {
    await show(runs.partsDecided());
    await button('Undo lines 12 to 20 of duration.ts').click();
    await button('Open Conflict of line 39 of duration.ts').click();
    await button('Reject after line 60 of duration.ts').click();
    await button('Accept after line 60 of duration.ts').click();
    expect(await posted()).toEqual([
      { type: 'undo-file', ...duration, hunk: 'h1' },
      { type: 'open-conflict', ...duration, hunk: 'h2' },
      { type: 'reject-file', ...duration, hunk: 'h3' },
      { type: 'accept-file', ...duration, hunk: 'h3' },
    ]);
  });

  test('are reached and decided by keys, and Left leads back and closes their file', async () => {
    await show(runs.wonChecked());
    await rows().first().focus();
    for (const key of ['ArrowRight', 'a', 'ArrowDown', 'R', 'u', 'Enter']) {
      await page.keyboard.press(key);
    }
    expect(await posted()).toEqual([
      { type: 'accept-file', ...duration, hunk: 'h1' },
      { type: 'reject-file', ...duration, hunk: 'h2' },
      { type: 'open-diff', ...duration, hunk: 'h2' },
    ]);
    await page.keyboard.press('ArrowLeft');
    expect(
      await rows()
        .first()
        .evaluate((row) => row === document.activeElement),
    ).toBe(true);
    await page.keyboard.press('ArrowLeft');
    expect(await rows().first().getAttribute('aria-expanded')).toBe('false');
    expect(await rows().count()).toBe(3);
    await page.keyboard.press('ArrowRight');
    expect(await rows().count()).toBe(6);
  });

  test('say to a screen reader what and where they are', async () => {
    await show(runs.wonChecked());
    const part = page.getByRole('treeitem', {
      name: 'lines 12 to 20 of duration.ts, 18 added, 9 removed, named in 2 votes, not decided',
    });
    const told = await part.evaluate((row) =>
      ['aria-level', 'aria-posinset', 'aria-setsize'].map((name) => row.getAttribute(name)),
    );
    expect(told).toEqual(['2', '1', '3']);
  });

  test('are counted beside the files once some are accepted', async () => {
    await show(runs.partsDecided());
    const section = page.locator('[data-section="files"] .section-note');
    expect(await section.innerText()).toBe('3 files +39 −10 · 1 of 5 parts accepted');
  });

  test('lead to other answers and to the votes, by mouse and by the menu key', async () => {
    await show(runs.wonChecked());
    await button('More for line 39 of duration.ts').click();
    await page.getByRole('menuitem', { name: 'From Another Agent…' }).click();
    await rows().first().focus();
    await page.keyboard.press('Shift+F10');
    await page.keyboard.press('ArrowDown');
    // Letters that would decide about the row do nothing while its menu is open.
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    expect(await posted()).toEqual([
      { type: 'open-alternatives', ...duration, hunk: 'h2' },
      { type: 'open-why', ...duration },
    ]);
  });

  test('of a long review are closed at first, and only some rows are drawn', async () => {
    await show(runs.longReview(300, 20));
    expect(await rows().count()).toBe(200);
    await rows().first().focus();
    await page.keyboard.press('ArrowRight');
    expect(await rows().nth(1).getAttribute('data-part')).toBe('f0h0');
    expect(await rows().count()).toBe(200);
    await button('Show more, 120 are left').click();
    expect(await rows().count()).toBe(320);
  });
});

describe('a mix', () => {
  const proposal = (): Locator => page.getByRole('group', { name: 'Proposal' });

  test('says where it is from and that it was not checked, and can be', async () => {
    await show(runs.mixed());
    expect(await proposal().innerText()).toContain(
      'Mixed from agent2.1 and agent1.1. Not checked as a whole.',
    );
    expect(await page.locator('[data-part="o2"] .tree-origin').innerText()).toContain('agent1.1');
    await button('Check Mix').click();
    expect(await posted()).toEqual([{ type: 'check-mix', runId: 'run-1' }]);
  });

  test('that is worse than an answer says so beside Accept All', async () => {
    await show(runs.mixed());
    expect(await page.locator('.action-note').count()).toBe(0);
    await panel.send(rest(runs.mixed(), runs.mixFails()));
    expect(await page.locator('.action-bar').innerText()).toContain(
      'The mix fails types, which agent2.1 passes.',
    );
    expect(await page.getByRole('log').innerText()).toBe(
      'The mix fails types, which agent2.1 passes.',
    );
  });
});

test('an answer is tried from its menu, and the proposal from the head of its files', async () => {
  await show(runs.wonChecked());
  await button('Try It…').click();
  await button('Candidates').click();
  await button('Actions for agent1.1').click();
  await page.getByRole('menuitem', { name: 'Try It…' }).click();
  expect(await types()).toEqual(['try-answer', 'try-answer']);
});
