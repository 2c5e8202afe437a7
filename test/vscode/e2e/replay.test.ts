// A run is played again, and a run that was cut off goes on in another window.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FakeModelService } from '../../support/fake-model-service/fake-model-service';
import type { ServiceScript, Step } from '../../support/fake-model-service/script';
import { signalProcess, until } from '../processes.mjs';
import { runCommand, webviewWith } from '../window.mjs';
import { script, task } from './fake-team';
import {
  allowUntilEnd,
  openPanel,
  picture,
  pictures,
  startRun,
  trustTeamFile,
  untilOver,
} from './panel';
import { teamStage } from './stage';

describe('a finished run', () => {
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

  it('comes out identical when it is played again, without any request', async () => {
    const asked = service.journal.length;
    await runCommand(page, 'MassGen: Replay Run');
    const head = panel.locator('.replay-head');
    await head.waitFor({ timeout: 30_000 });
    expect(await head.innerText()).toContain('Identical');
    expect(service.journal.length).toBe(asked);
  });

  it('is looked at step by step, and closed again', async () => {
    expect(await panel.locator('.phase-now').innerText()).toBe('Drafts 0/3');
    await panel.getByRole('button', { name: 'Step', exact: true }).click();
    await panel.getByLabel('Event').press('End');
    await panel.locator('.verdict').waitFor();
    expect(await panel.getByRole('button', { name: 'Accept All' }).count()).toBe(0);
    mkdirSync(pictures, { recursive: true });
    await picture(page, panel, join(pictures, 'replay.png'));
    await panel.getByRole('button', { name: 'Close', exact: true }).click();
    await panel.getByRole('button', { name: 'Accept All' }).waitFor();
  });
});

const call = (name: string, args: Readonly<Record<string, unknown>>): Step => ({
  kind: 'tool-call',
  name,
  arguments: args,
});

/** One agent has answered and the other is silent; after the window came back it answers as well. */
const cutOff: ServiceScript = {
  models: {
    quick: {
      answers: [
        {
          isRepeated: true,
          when: { withholdsTool: 'vote' },
          steps: [call('new_answer', { content: 'The quick text.' })],
        },
        {
          isRepeated: true,
          when: { offersTool: 'vote' },
          steps: [call('vote', { agent_id: 'agent1', reason: 'Mine is done.' })],
        },
      ],
    },
    slow: {
      answers: [
        { when: { withholdsTool: 'vote' }, steps: [{ kind: 'hang' }] },
        {
          isRepeated: true,
          when: { withholdsTool: 'vote' },
          steps: [call('new_answer', { content: 'The slow text.' })],
        },
        {
          isRepeated: true,
          when: { offersTool: 'vote' },
          steps: [call('vote', { agent_id: 'agent1', reason: 'It is shorter.' })],
        },
      ],
    },
  },
};

describe('a run whose window was killed', () => {
  const opened = teamStage(cutOff, { team: { models: ['quick', 'slow'], hasKey: false } });
  let service: FakeModelService;

  beforeAll(async () => {
    ({ service } = opened);
    const { page } = opened;
    const panel = await openPanel(page);
    await trustTeamFile(page, panel);
    const run = await startRun(panel, 'Write a text.');
    await run.getByText('agent1.1').first().waitFor();
    await until('the slow model was asked', 60_000, () =>
      service.journal.some(({ model }) => model === 'slow'),
    );
    // The window goes first, else it starts another extension host at once; the host must not see that it goes.
    const hosts = extensionHosts();
    hosts.forEach((pid) => signalProcess(pid, 'SIGSTOP'));
    await page.close();
    hosts.forEach((pid) => signalProcess(pid, 'SIGKILL'));
  });

  it('is shown by itself in the next window, and goes on to its end', async () => {
    const page = await opened.session.open(opened.project.folder);
    await page.locator('.activitybar').getByLabel('MassGen').first().click();
    const panel = await webviewWith(page, 'article.run[data-outcome="interrupted"]');
    await panel.getByRole('button', { name: 'Resume Run' }).click();
    const run = panel.locator('article.run');
    await until('the run goes on', 60_000, async () =>
      ['running', 'completed'].includes((await run.getAttribute('data-outcome')) ?? ''),
    );
    await untilOver(run);
    await run.getByText('agent1.1 won').first().waitFor();
    expect(await run.getAttribute('data-outcome')).toBe('completed');
    // What was recorded is not asked for again: every other request of the first agent knows its draft already.
    const drafts = service.journal.filter(
      ({ model, body }) => model === 'quick' && !JSON.stringify(body).includes('The quick text.'),
    );
    expect(drafts).toHaveLength(1);
  });

  function extensionHosts(): readonly number[] {
    const hosts = opened.session.server
      .processes()
      .filter(({ type }) => type === 'extensionHost')
      .map(({ pid }) => pid);
    expect(hosts.length).toBeGreaterThan(0);
    return hosts;
  }
});
