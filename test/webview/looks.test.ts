// Every state of the panel in four themes and four widths: drawn, looked at by axe-core, and kept as a picture.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import type { HostState } from '../../src/protocol/webview';
import {
  blockers,
  foundChecks,
  host,
  hostWithRun,
  notedTeam,
  scriptedTeam,
  teamChecks,
} from './fixtures/hosts';
import * as checked from './fixtures/checked-runs';
import { task } from './fixtures/events';
import type { Log } from './fixtures/log';
import * as more from './fixtures/more-runs';
import * as runs from './fixtures/runs';
import * as tools from './fixtures/tool-runs';
import { violations } from './support/axe';
import { launch, openPanel, themes } from './support/panel-page';
import type { PanelPage, Theme } from './support/panel-page';

const pictures = resolve(import.meta.dirname, '../../test-results/webview');
const widths = [300, 420, 900] as const;

interface Look {
  readonly name: string;
  readonly host: HostState;
  readonly log?: Log;
  /** Seconds after the start of the run at which it is looked at. */
  readonly seconds?: number;
  /** Sent after the run: opens what is closed at first. */
  readonly then?: readonly object[];
  /** Every element of this kind is clicked then. */
  readonly clicks?: string;
  /** Shown in the first theme and width only: a variant of another look. */
  readonly isVariant?: boolean;
}

const draft = { task: `@duration.ts ${task} @problems`, isFocused: false };

function replayOf(log: Log): object {
  return {
    type: 'replay',
    runId: 'run-1',
    events: log.events,
    result: { difference: null, changedFiles: [] },
  };
}

const looks: readonly Look[] = [
  { name: 'start', host: host({ teams: [], teamId: null, hasNoModel: true }) },
  { name: 'compose', host: host() },
  {
    name: 'compose-notes',
    host: host({ teams: [notedTeam], teamId: 'noted' }),
    isVariant: true,
  },
  { name: 'running', host: hostWithRun(), log: runs.running(), seconds: 48 },
  { name: 'voting', host: hostWithRun(), log: runs.voting(), seconds: 128 },
  { name: 'decided', host: hostWithRun(), log: runs.decided(), seconds: 300 },
  { name: 'no-consensus', host: hostWithRun(), log: runs.noConsensus(), seconds: 300 },
  { name: 'steered', host: hostWithRun(), log: more.steered(), seconds: 66 },
  {
    name: 'follow-up',
    host: hostWithRun({ session: more.ofSession }),
    log: more.followUp(),
    seconds: 300,
  },
  { name: 'tie-broken', host: hostWithRun(), log: more.tieBroken(), seconds: 300 },
  {
    name: 'what-if',
    host: hostWithRun(),
    log: runs.won(),
    seconds: 300,
    then: [{ type: 'reveal', part: 'what-if' }],
  },
  {
    name: 'replay',
    host: hostWithRun(),
    log: runs.won(),
    seconds: 300,
    then: [replayOf(runs.won())],
  },
  { name: 'second-attempt', host: hostWithRun(), log: more.secondAttempt(), seconds: 172 },
  ...Object.entries({
    judged: more.judged(),
    'no-quorum': more.noQuorum(),
    'nobody-voted': more.nobodyVoted(),
    overridden: more.overridden(),
    'same-model': more.sameModel(),
    finishing: more.finishing(),
    resumed: more.resumed(),
  }).map(([name, log]) => ({ name, host: hostWithRun(), log, seconds: 300, isVariant: true })),
  {
    name: 'compose-checks',
    host: host({
      checks: teamChecks,
      unconfinedReason: null,
      confinement: "own processes, no network, writes only in the agent's own layer",
    }),
  },
  {
    name: 'compose-found',
    host: host({ checks: foundChecks, unconfinedReason: null }),
    isVariant: true,
  },
  { name: 'checking', host: hostWithRun(), log: checked.checking(), seconds: 71 },
  { name: 'voting-checked', host: hostWithRun(), log: checked.votingChecked(), seconds: 93 },
  { name: 'parts', host: hostWithRun(), log: checked.partsDecided(), seconds: 300 },
  { name: 'mix-worse', host: hostWithRun(), log: checked.mixFails(), seconds: 300 },
  { name: 'tools', host: hostWithRun(), log: tools.toolsAtWork(), seconds: 24 },
  {
    name: 'tools-open',
    host: hostWithRun(),
    log: tools.toolsAtWork(),
    seconds: 24,
    clicks: '.agent-card-more',
  },
  { name: 'asking-tool', host: hostWithRun(), log: tools.askingForTool(), seconds: 30 },
  { name: 'asking-fetch', host: hostWithRun(), log: tools.askingToFetch(), seconds: 30 },
  { name: 'asking-program', host: hostWithRun(), log: tools.askingForProgram(), seconds: 30 },
  { name: 'cut-off', host: hostWithRun(), log: tools.cutOff(), seconds: 33, isVariant: true },
  {
    name: 'sources',
    host: hostWithRun(),
    log: tools.citing(),
    seconds: 50,
    clicks: '.sources > button[aria-expanded="false"]',
    isVariant: true,
  },
  { name: 'decided-sources', host: hostWithRun(), log: tools.decidedWithSources(), seconds: 90 },
  { name: 'gate-failed', host: hostWithRun(), log: checked.gateFailed(), seconds: 300 },
  ...Object.entries({
    'first-checked': checked.firstChecked(),
    'many-results': checked.manyResults(),
    'mix-unchecked': checked.mixed(),
    'mix-passes': checked.mixPasses(),
    'long-review': checked.longReview(),
  }).map(([name, log]) => ({ name, host: hostWithRun(), log, seconds: 60, isVariant: true })),
  { name: 'stopped', host: hostWithRun(), log: runs.stopped(), isVariant: true },
  { name: 'capped', host: hostWithRun(), log: runs.capped(), isVariant: true },
  {
    name: 'agent-failed',
    host: hostWithRun(),
    log: runs.agentFailed(),
    seconds: 48,
    isVariant: true,
  },
  { name: 'all-failed', host: hostWithRun(), log: runs.allFailed(), isVariant: true },
  { name: 'interrupted', host: hostWithRun(), log: runs.interrupted(), isVariant: true },
  { name: 'reviewed', host: hostWithRun(), log: runs.reviewed(), isVariant: true },
  {
    name: 'presenting',
    host: hostWithRun(),
    log: runs.presenting(),
    seconds: 145,
    isVariant: true,
  },
  {
    name: 'seven-agents',
    host: hostWithRun(),
    log: runs.sevenAgents(),
    seconds: 60,
    isVariant: true,
  },
  {
    name: 'two-runs',
    host: hostWithRun({
      runs: [
        { runId: 'run-2', task: 'Explain the retry policy of the client', mark: 'needs-you' },
        { runId: 'run-1', task, mark: 'running' },
      ],
    }),
    log: runs.running(),
    seconds: 48,
    isVariant: true,
  },
  {
    name: 'sample',
    host: host({
      teams: [scriptedTeam],
      teamId: 'offline',
      hasNoModel: true,
      forecast: null,
      sampleTask: task,
      unsavedFiles: 0,
    }),
    isVariant: true,
  },
  { name: 'no-folder', host: host({ folders: [], unconfinedReason: null }), isVariant: true },
  ...blockers.map((blocker) => ({
    name: `blocked-${blocker.kind}`,
    host: host({ blocker }),
    isVariant: true,
  })),
];

let browser: Browser;
beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
});

async function show(look: Look, theme: Theme, width: number): Promise<PanelPage> {
  const panel = await openPanel(browser, {
    theme,
    width,
    reducedMotion: true,
    seconds: look.seconds ?? 800,
  });
  const state = look.log?.state();
  await panel.send(
    { type: 'host', host: look.host },
    ...(state === undefined
      ? [{ type: 'compose', ...draft }]
      : [{ type: 'snapshot', runId: state.runId, state }]),
    ...(look.then ?? []),
  );
  for (const each of look.clicks === undefined ? [] : await panel.page.$$(look.clicks)) {
    await each.click();
  }
  return panel;
}

/** The whole page, as high as its content. */
async function keepPicture(page: Page, name: string, width: number): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.max(200, height) });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

/** Elements whose text is wider than they are, other than those that may end in an ellipsis. */
async function cutTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const mayBeCut =
      '.clipped, .section-note, .hidden-text, .markdown pre, .run-task-text, .quote-clamped, .live-text, .bar, .icon, .timeline, .code-box';
    return [...document.querySelectorAll<HTMLElement>('.view *')]
      .filter((element) => element.closest(mayBeCut) === null && element.clientWidth > 0)
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .map((element) => `${element.className}: ${element.textContent.slice(0, 40)}`);
  });
}

const cases: readonly {
  readonly look: Look;
  readonly theme: Theme;
  readonly sizes: readonly number[];
}[] = looks.flatMap((look) =>
  look.isVariant === true
    ? [{ look, theme: 'dark', sizes: [420, 170] }]
    : themes.map((theme) => ({
        look,
        theme,
        sizes: theme === 'dark' ? [...widths, 170] : widths,
      })),
);

describe('the panel', () => {
  test.each(cases)('draws $look.name in $theme at every width', async ({ look, theme, sizes }) => {
    const panel = await show(look, theme, sizes[0] ?? 420);
    const { page } = panel;
    for (const width of sizes) {
      await page.setViewportSize({ width, height: 200 });
      expect(await overflow(page), `overflow at ${width} px`).toBeLessThanOrEqual(0);
      await keepPicture(page, `${look.name}-${theme}-${width}`, width);
      if (width >= 300) {
        expect(await cutTexts(page), `cut at ${width} px`).toEqual([]);
      }
      // Contrast depends on the theme, structure on the width.
      if (width === 420 || (theme === 'dark' && width >= 300)) {
        expect(await violations(page), `axe at ${width} px`).toEqual([]);
      }
    }
    expect(panel.errors).toEqual([]);
    expect(panel.foreignRequests).toEqual([]);
    await panel.close();
  });
});

async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}
