// What stands between a person and a run: a team file with mistakes, a key that is missing, text that is not saved, caps.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FakeModelService } from '../../support/fake-model-service/fake-model-service';
import type {
  ModelScript,
  ScriptedAnswer,
  ServiceScript,
  Step,
} from '../../support/fake-model-service/script';
import { until } from '../processes.mjs';
import { closeEditors, discardEditor, openFile, pick, runCommand } from '../window.mjs';
import { webviewWith } from '../window.mjs';
import { key, keyName, teamFile } from './fake-team';
import { untilKeyIs } from './keys';
import { openPanel, startRun, textOf, trustTeamFile, untilOver } from './panel';
import type { Hashes } from './project';
import { teamStage } from './stage';

const call = (name: string, args: Readonly<Record<string, unknown>>): Step => ({
  kind: 'tool-call',
  name,
  arguments: args,
});
const draft: ScriptedAnswer = {
  when: { withholdsTool: 'vote', offersTool: 'new_answer' },
  steps: [call('new_answer', { content: 'A draft that `nobody` doubts.' })],
};

/** Reads a file first, so that what the agent sees of it stands in its next request. */
const reader: ServiceScript = {
  apiKeys: [key],
  models: {
    solo: {
      answers: [
        { steps: [call('read_file', { path: 'src/duration.js' })] },
        { ...draft, isRepeated: true },
      ],
    },
  },
};

describe('before a run', () => {
  const opened = teamStage(reader, {
    settings: { 'git.enabled': false },
    team: { models: ['solo'] },
    spoil: (text) => text.replace('chatcompletion', 'chatcompletoin').replace('model:', 'modle:'),
  });
  const { project } = opened;
  const file = join(project.folder, 'team.massgen.yaml');
  const source = join(project.folder, 'src', 'duration.js');
  const typed = '// typed and not saved';
  let service: FakeModelService;
  let page: Page;
  let panel: Frame;
  let before: Hashes;

  beforeAll(() => {
    ({ service, page } = opened);
  });

  it('a team file with mistakes is told with all of them and their lines, and opens there', async () => {
    panel = await openPanel(page);
    await panel.getByText('2 problems in team.massgen.yaml').waitFor();
    const text = await textOf(panel);
    expect(text).toMatch(/Line 5: .*chatcompletoin.*chatcompletion/);
    expect(text).toMatch(/Line 6: .*modle.*model/);
    await panel.locator('textarea').fill('Do something.');
    expect(await panel.getByRole('button', { name: /^Run/ }).isDisabled()).toBe(true);
    await panel.getByRole('button', { name: 'Open File' }).click();
    await page.locator('.tab.active').filter({ hasText: 'team.massgen.yaml' }).waitFor();
    await page.locator('.editor-instance .squiggly-error').first().waitFor();
    await closeEditors(page);
  });

  it('a team file that was put right can be used without a reload', async () => {
    writeFileSync(file, teamFile(service.baseUrl, { models: ['solo'] }));
    before = project.hashes();
    panel = await webviewWith(page, 'body[data-ready]');
    await panel.getByText('Check this team file first').waitFor();
    await trustTeamFile(page, panel);
  });

  it('a change of a team file counts before it is saved, and not after it was thrown away', async () => {
    await openFile(page, file);
    await page.locator('.editor-group-container.active .view-line').first().click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('x');
    await panel.getByText('problem in team.massgen.yaml').waitFor();
    await runCommand(page, 'View: Close Editor');
    await page.locator('.monaco-dialog-box').getByRole('button', { name: "Don't Save" }).click();
    await panel.locator('[data-blocker]').waitFor({ state: 'detached' });
    expect(project.hashes()).toEqual(before);
  });

  it('a missing key is asked for by name, and one that lies in .env is offered', async () => {
    const env = join(project.folder, '.env');
    writeFileSync(env, `OTHER=1\n${keyName}="${key}"\n`);
    await panel.locator('textarea').fill('Read the file.');
    await panel.getByRole('button', { name: 'Run', exact: true }).click();
    await panel.getByText(`There is no key under the name ${keyName}.`).waitFor();
    expect(service.journal).toHaveLength(0);
    await panel.getByRole('button', { name: 'Set API Key…' }).click();
    await pick(page, 'Import It from .env');
    await panel.locator('[data-blocker]').waitFor({ state: 'detached' });
    expect(await panel.locator('textarea').inputValue()).toBe('Read the file.');
  });

  it('agents see what is typed and not saved, and the file stays as it is', async () => {
    await openFile(page, source);
    await page.locator('.editor-group-container.active .view-lines').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    panel = await webviewWith(page, 'textarea');
    await panel.getByText('1 unsaved file is included as it is now.').waitFor();
    const run = await startRun(panel, 'Read the file.');
    await run.getByText('One answer; no vote was needed.').first().waitFor();
    expect(JSON.stringify(service.journal.at(-1)?.body)).toContain(typed);
    expect(readFileSync(source, 'utf8')).not.toContain(typed);
    expect(service.journal[0]?.headers['authorization']).toBe(`Bearer ${key}`);
  });

  it('the answer goes to the cursor, and one Undo takes it back', async () => {
    const editor = page.locator('.editor-group-container.active .view-lines');
    const text = async (): Promise<string> => (await editor.innerText()).replace(/\u00a0/g, ' ');
    await panel.getByRole('button', { name: 'Insert at Cursor' }).click();
    await until('the answer is there', 60_000, async () =>
      (await text()).includes('A draft that `nobody` doubts.'),
    );
    await editor.click();
    await page.keyboard.press('Control+Z');
    await until('it is gone, and the rest is not', 60_000, async () => {
      const now = await text();
      return !now.includes('nobody') && now.includes(typed);
    });
    await discardEditor(page);
    const { '.env': _env, ...rest } = project.hashes();
    expect(rest).toEqual(before);
  });

  it('a problem of the editor becomes a task from the palette and from its quick fix', async () => {
    writeFileSync(join(project.folder, 'broken.json'), '{\n  "a":\n}\n');
    await openFile(page, join(project.folder, 'broken.json'));
    const editor = page.locator('.editor-group-container.active');
    await editor.locator('.squiggly-error').first().waitFor();
    await runCommand(page, 'MassGen: Fix with MassGen');
    panel = await webviewWith(page, 'textarea');
    const task = panel.locator('textarea');
    const isTold = async (): Promise<boolean> =>
      (await task.inputValue()).startsWith('Fix these problems in broken.json:\n- line 3: ');
    await until('the problem is the task', 60_000, isTold);
    await task.fill('');
    await editor.locator('.view-line').nth(2).click();
    await page.keyboard.press('Control+.');
    await page.locator('.action-widget').getByText('Fix with MassGen').waitFor();
    await page.keyboard.press('Enter');
    await until('the problem is the task again', 60_000, isTold);
    await closeEditors(page);
    rmSync(join(project.folder, 'broken.json'));
  });

  it('a key that stands in a team file moves to the secret storage by its quick fix', async () => {
    const literal = 'fk-literal-0123456789';
    const path = join(project.folder, 'yours.massgen.yaml');
    const text = teamFile(service.baseUrl, { models: ['solo'] });
    writeFileSync(path, text.replace(`\${${keyName}}`, literal));
    await openFile(page, path);
    const editor = page.locator('.editor-group-container.active');
    await editor.locator('.squiggly-warning, .squiggly-error').first().waitFor();
    const value = editor.locator('.view-line').filter({ hasText: literal });
    await value.click();
    await page.keyboard.press('End');
    await page.keyboard.press('Control+.');
    await page.getByText('Move to Secret Storage…').click();
    const input = page.locator('.quick-input-widget input[type="text"]');
    await input.fill('MOVED_KEY');
    await input.press('Enter');
    await until('the name stands in its place', 60_000, async () =>
      (await editor.innerText()).includes('${MOVED_KEY}'),
    );
    expect(await editor.innerText()).not.toContain(literal);
    await runCommand(page, 'File: Save');
    await untilKeyIs('stored', page, 'MOVED_KEY');
    await runCommand(page, 'MassGen: Remove API Key');
    await pick(page, 'MOVED_KEY');
    await untilKeyIs('not stored', page, 'MOVED_KEY');
    await untilKeyIs('stored', page, keyName);
    await closeEditors(page);
    rmSync(path);
  });

  it('a team file that the setting names and that is not there is told with its path', async () => {
    const settings = join(project.folder, '.vscode');
    mkdirSync(settings);
    writeFileSync(join(settings, 'settings.json'), '{"massgen.team": "teams/gone.massgen.yaml"}');
    await runCommand(page, 'MassGen: New Run');
    panel = await webviewWith(page, 'textarea');
    await panel.getByText('There is no team file "gone"').waitFor();
    expect(await textOf(panel)).toContain(join(project.folder, 'teams/gone.massgen.yaml'));
    rmSync(settings, { recursive: true });
    await panel.locator('[data-blocker]').waitFor({ state: 'detached' });
  });
});

describe('the caps of the user', () => {
  const says = (content: string): ModelScript => ({
    answers: [{ steps: [call('new_answer', { content })] }],
  });
  const opened = teamStage(
    { models: { one: says('Yes.'), two: says('No.') } },
    {
      settings: { 'massgen.limits.modelCalls': 2 },
      team: { models: ['one', 'two'], hasKey: false },
    },
  );

  it('reach the run: no call is made beyond them, and what there is goes to a vote', async () => {
    const { page, service } = opened;
    const panel = await openPanel(page);
    const server = `${new URL(service.baseUrl).host}, a server on this machine, receives the task`;
    await panel.getByText(server).waitFor();
    await trustTeamFile(page, panel);
    expect(await textOf(panel)).toContain('Stops at 30 min, 2 calls or $2.00');
    const run = await startRun(panel, 'Say something.');
    await untilOver(run);
    const text = await run.locator('[data-problem="cap"]').innerText();
    expect(text).toContain('Cap reached: 2 calls');
    expect(text).toContain('the order for ties chose from the 2 drafts that exist');
    expect(await run.innerText()).toMatch(/agent[12]\.1 was chosen at the cap, without a vote\./);
    expect(service.journal).toHaveLength(2);
  });
});
