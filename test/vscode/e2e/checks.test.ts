// A team whose answers are checked: who is out, mixing of answers, and what can be done with the result.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../processes.mjs';
import { pick, runCommand, webviewWith } from '../window.mjs';
import {
  attackEnded,
  besideProject,
  breakTask,
  checks,
  homeSecret,
  outside,
} from './checked-script';
import { projectSecret, repairTask, script, secretText } from './checked-script';
import { newRun, openPanel, startRun, textOf, trustTeamFile, untilOver } from './panel';
import { source } from './part-script';
import { type Hashes, untilChanged } from './project';
import { chooseFrom, openTree, press, rows, saveAs, untilRows } from './review-window';
import { teamStage } from './stage';

describe('a team whose answers are checked', () => {
  const opened = teamStage(script, {
    team: { hasKey: false },
    spoil: (text) => text + checks,
    settings: { 'massgen.review.commitTrailers': true },
    profile: { viewport: { width: 1280, height: 1300 } },
    files: { '.gitignore': `${projectSecret}\nteam.massgen.yaml\n` },
  });
  const { project } = opened;
  let page: Page;
  let panel: Frame;
  let run: Locator;
  let before: Hashes;
  let git: string;
  const original = project.text(source);

  const file = (): Locator => rows(page, 'duration.js').first();
  const picker = (): Locator => page.locator('.quick-input-widget');
  const confirm = (): Promise<void> => picker().getByRole('button', { name: 'OK' }).click();

  beforeAll(async () => {
    ({ page } = opened);
    const home = join(opened.session.dir, 'home', homeSecret);
    mkdirSync(dirname(home), { recursive: true });
    for (const path of [home, join(project.folder, projectSecret)]) {
      writeFileSync(path, `KEY=${secretText}\n`);
    }
    project.git('config', 'user.name', 'Test');
    project.git('config', 'user.email', 'test@example.invalid');
    before = project.hashes();
    git = project.gitState();
    panel = await openPanel(page);
    await trustTeamFile(page, panel);
  });
  afterAll(() => rmSync(outside, { force: true }));

  it('says before the run what will be checked, and that commands are confined', async () => {
    await panel.getByText('Commands are confined to each agent’s copy.').waitFor();
    const text = await textOf(panel);
    expect(text).toContain('format');
    expect(text).toContain('node --test');
  });

  it('lets nobody vote for an answer that breaks what works, and says who is out and why', async () => {
    run = await startRun(panel, repairTask);
    await untilOver(run);
    await run
      .getByText(/agent2\.1 won/)
      .first()
      .waitFor();
    await run.getByRole('button', { name: /^Candidates/ }).click();
    const out = run.locator('[data-candidate="agent1.1"] .candidate-out');
    expect(await out.first().innerText()).toContain('Fails format');
    expect(await run.locator('[data-candidate="agent2.1"] .candidate-out').count()).toBe(0);
    expect(await run.innerText()).toContain('agent1.1 fails format');
    const votable = opened.service.journal.flatMap(({ body }) => targetsOf(body));
    expect(votable.length).toBeGreaterThan(0);
    expect(votable).not.toContain('agent1');
  });

  it('lets commands of agents reach neither secrets nor anything beside their copy', () => {
    const sent = opened.service.journal.map(({ body }) => JSON.stringify(body)).join('\n');
    expect(sent).toContain(attackEnded);
    expect(sent).not.toContain(secretText);
    expect(existsSync(outside)).toBe(false);
    expect(existsSync(join(dirname(project.folder), besideProject))).toBe(false);
  });

  it('leaves files and repository as they were until Accept, with the editor’s own git at work', () => {
    const objects = (path: string): boolean =>
      !path.startsWith('.git/') || path.startsWith('.git/objects/');
    const only = (hashes: Hashes): Hashes =>
      Object.fromEntries(Object.entries(hashes).filter(([path]) => objects(path)));
    expect(only(project.hashes())).toEqual(only(before));
    expect(project.gitState()).toBe(git);
  });

  it('puts parts of other answers into the proposal, says where they come from, and takes no two in one place', async () => {
    await openTree(page);
    await chooseFrom(page, file(), 'From Another Agent');
    await pick(page, 'Choose Hunks of All Answers');
    const offered = (label: string): Locator =>
      picker().locator('.monaco-list-row').filter({ hasText: label });
    await offered('agent3.1').first().click();
    await confirm();
    const told = page.locator('.notification-toast').filter({ hasText: 'overlap' });
    expect(await told.innerText()).toMatch(
      /agent[23]\.1, lines .* and agent[23]\.1, lines .* overlap/,
    );
    await runCommand(page, 'Notifications: Clear All Notifications');
    expect(await rows(page, 'with agent').count()).toBe(0);
    await chooseFrom(page, file(), 'From Another Agent');
    await pick(page, 'Choose Hunks of All Answers');
    await offered('Line 29').click();
    await confirm();
    await rows(page, 'Line 29', 'from agent1.1').waitFor();
    await rows(page, 'duration.js', 'with agent1.1').waitFor();
    expect(project.text(source)).toBe(original);
  });

  it('says of a mix what its checks say, and asks before what is worse is accepted', async () => {
    panel = await webviewWith(page, 'body[data-ready]');
    await panel.getByText('Not checked as a whole.').waitFor();
    await panel.getByRole('button', { name: 'Check Mix' }).click();
    await panel.locator('[data-mix="worse"]').waitFor({ timeout: 60_000 });
    expect(await panel.locator('[data-mix="worse"]').innerText()).toContain(
      'The mix fails format and tests, which agent2.1 passes.',
    );
    await runCommand(page, 'MassGen: Accept All');
    const question = page
      .locator('.notification-toast')
      .filter({ hasText: 'The mix fails format' });
    await question.getByRole('button', { name: 'Look' }).click();
    await page.locator('.multiDiffEntry').first().waitFor();
    expect(project.text(source)).toBe(original);
    await press(rows(page, 'Line 29'), 'Reject Hunk');
    await untilRows(page, 1, 'Line 29', 'Rejected');
  });

  it('writes a patch that git takes, and that does what Accept does', async () => {
    const patch = join(opened.session.dir, 'home', 'mix.patch');
    await runCommand(page, 'MassGen: Export Patch…');
    await saveAs(page, '.patch', patch);
    const copy = join(dirname(project.folder), 'patched');
    execFileSync('git', ['clone', '-q', project.folder, copy]);
    execFileSync('git', ['-C', copy, 'apply', patch]);
    await runCommand(page, 'MassGen: Accept All');
    await untilRows(page, 2, 'Line', 'Accepted');
    expect(readFileSync(join(copy, source), 'utf8')).toBe(project.text(source));
    await untilChanged(project, before, [source]);
  });

  it('commits what was accepted and names the answers it is from', async () => {
    await runCommand(page, 'MassGen: Commit Accepted Files…');
    await picker().getByText('Commit these files to main').waitFor();
    await confirm();
    const input = picker().locator('input[type="text"]');
    await until(
      'the message is proposed',
      60_000,
      async () => (await input.inputValue()) === repairTask,
    );
    await input.press('Enter');
    await expect
      .poll(() => project.git('log', '-1', '--format=%B'), { timeout: 60_000 })
      .toContain(repairTask);
    expect(project.git('log', '-1', '--format=%B')).toContain(
      'MassGen-Answer: agent2.1 (quartz-2)',
    );
    expect(project.git('show', '--format=', '--name-only')).toBe(`${source}\n`);
  });

  it('tries an answer in a folder of its own, which Clean Up shows with its size and removes', async () => {
    const storage = join(opened.session.dir, 'server/data/User/workspaceStorage');
    const tried = (): readonly string[] => {
      try {
        return readdirSync(storage, { recursive: true, encoding: 'utf8' }).filter(
          (path) => path.includes('/massgen.massgen/tried/') && path.endsWith(`/${source}`),
        );
      } catch {
        return ['a folder that is just being removed'];
      }
    };
    const now = project.hashes();
    await runCommand(page, 'MassGen: Try It…');
    await pick(page, 'agent1.1');
    await pick(page, 'In a Terminal');
    await page.locator('.terminal-wrapper').first().waitFor();
    expect(tried()).toHaveLength(1);
    expect(project.hashes()).toEqual(now);
    await runCommand(page, 'MassGen: Clean Up…');
    await picker()
      .getByText(/Clean Up: .*[0-9].* in use/)
      .waitFor();
    const copy = picker()
      .locator('.monaco-list-row')
      .filter({ hasText: /[0-9].*· copy/ });
    await copy.click();
    await confirm();
    await until('the copy is gone', 60_000, () => tried().length === 0);
  });

  it('has no winner when no answer passes, and says what they fail', async () => {
    panel = await newRun(page);
    run = await startRun(panel, breakTask);
    await untilOver(run);
    await run.locator('[data-problem="gate-failed"]').waitFor();
    const text = await run.locator('[data-problem="gate-failed"]').innerText();
    expect(text).toContain('No candidate passed the checks');
    expect(text).toContain('All 3 fail format and tests, which pass in your folder.');
    expect(project.text(source)).not.toContain("join('')");
  });
});

/** Whom a request says its model can vote for. */
function targetsOf(body: unknown): readonly string[] {
  return [...JSON.stringify(body).matchAll(/You can vote for ([^.]*)\./g)].flatMap(
    ([, names = '']) => names.split(', '),
  );
}
