// Keys of several services, agent programs of this machine, teams made of them, and the team file that names them.
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../processes.mjs';
import { closeEditors, discardEditor, openFile, pick, runCommand } from '../window.mjs';
import { removeKey, setKey, testKey } from './keys';
import { keys, type MixedServices, mixedTeam, startMixedServices } from './mixed-team';
import { newRun, openPanel, textOf, trustTeamFile } from './panel';
import { makeProject } from './project';
import { stage } from './stage';

const project = makeProject();
let services: MixedServices;
let page: Page;

afterAll(async () => {
  project.remove();
  await services.close();
});

describe('services, programs and their teams', () => {
  const opened = stage({
    settings: { 'git.enabled': false, 'massgen.mcp.useEditorServers': true },
  });
  const rows = (): Locator => page.locator('.quick-input-list .monaco-list-row');
  const asked = (name: string): Locator =>
    page.locator('.quick-input-widget').filter({ hasText: name });
  const editor = (): Locator => page.locator('.editor-group-container.active');
  const line = (text: string): Locator => editor().locator('.view-line').filter({ hasText: text });

  async function listOf(command: string, title: string): Promise<readonly string[]> {
    await runCommand(page, command);
    await asked(title).waitFor();
    await rows().first().waitFor();
    const found = await rows().evaluateAll((all) => all.map((row) => row.textContent));
    await page.keyboard.press('Escape');
    await asked(title).waitFor({ state: 'hidden' });
    return found;
  }

  beforeAll(async () => {
    services = await startMixedServices();
    const team = JSON.parse(mixedTeam(services, project.folder)) as {
      agents: { backend: Record<string, unknown> }[];
    };
    const [, , third, fourth] = team.agents;
    Object.assign(third?.backend ?? {}, { upload_files: [{ file_path: '/etc/hostname' }] });
    Object.assign(fourth?.backend ?? {}, {
      mcp_servers: {
        remote: {
          ...{ type: 'http', url: 'https://tools.example.com/mcp' },
          headers: { Authorization: 'Bearer ${REMOTE_TOKEN}' },
        },
      },
    });
    // Its own service, with a model that nobody knows.
    const mistaken = { type: 'claude', model: 'claude-sonet-5-5' };
    const agents = [...team.agents, { id: 'mistaken', backend: mistaken }];
    writeFileSync(join(project.folder, 'team.massgen.yaml'), JSON.stringify({ ...team, agents }));
    mkdirSync(join(project.folder, '.vscode'));
    writeFileSync(
      join(project.folder, '.vscode', 'mcp.json'),
      JSON.stringify({
        servers: { issues: { type: 'http', url: 'https://issues.example.com/mcp' } },
      }),
    );
    const bin = join(opened.session.dir, 'home', '.local', 'bin');
    mkdirSync(bin, { recursive: true });
    for (const name of ['claude', 'opencode']) {
      writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} 2.1.0"\n`);
      chmodSync(join(bin, name), 0o755);
    }
    page = await opened.session.open(project.folder);
  });

  it('tell what a team file starts, reaches and shows, before it is used', async () => {
    const panel = await openPanel(page);
    await panel.getByText('Check this team file first').waitFor();
    const told = await trustTeamFile(page, panel);
    for (const words of [
      ...[
        '• It starts the server of tools "everything"',
        'server-everything',
        'acp-agent.mjs',
        '/etc/hostname',
        'https://tools.example.com/mcp',
      ],
      ...['REMOTE_TOKEN', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GOOGLE_API_KEY'],
      '• It starts an agent program',
      // Of the project's servers for the editor, which a setting brings to the agents.
      'https://issues.example.com/mcp',
    ]) {
      expect(told).toContain(words);
    }
    await panel.getByText('Did you mean claude-sonnet-5-5?').waitFor();
  });

  it('list keys in groups, those of the team first and makers of models before the rest', async () => {
    const found = await listOf('MassGen: Set API Key', 'Which key?');
    expect(found[0]).toMatch(/ANTHROPIC_API_KEY.*Anthropic Claude.*used by your teams/);
    const first = found.findIndex((row) => row.endsWith('services'));
    expect(found[first]).toMatch(/^XAI_API_KEY.*xAI Grok/);
  });

  it('have their keys kept, tested where the team uses them, and removed', async () => {
    for (const name of ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GOOGLE_API_KEY'] as const) {
      await setKey(page, name, keys[name]);
      expect(await testKey(page, name)).toMatch(/ works at 127\.0\.0\.1/);
    }
    const { claude, openai, gemini } = services;
    for (const { journal } of [claude, openai, gemini]) {
      expect(journal.map(({ outcome }) => outcome)).toHaveLength(1);
      expect(journal.filter(({ outcome }) => outcome === 'refused')).toEqual([]);
    }
    await setKey(page, 'FAKE_SERVICE_KEY', 'a-wrong-one');
    expect(await testKey(page, 'FAKE_SERVICE_KEY')).toMatch(
      /^FAKE_SERVICE_KEY was tested at 127\.0\.0\.1:\d+\. .*(key|401)/,
    );
    for (const name of ['GOOGLE_API_KEY', 'FAKE_SERVICE_KEY']) {
      await removeKey(page, name);
    }
    await runCommand(page, 'Notifications: Clear All Notifications');
    const list = await listOf('MassGen: Set API Key', 'Which key?');
    const stored = list.filter((row) => row.includes('stored'));
    expect(stored.map((row) => row.replace(/API_KEY.*/, ''))).toEqual(['ANTHROPIC_', 'OPENAI_']);
  });

  it('make teams of the keys and programs that are there, and keep what the user made of them', async () => {
    const title = 'Where do the models come from?';
    const offered = await listOf('MassGen: Add Key or Server', title);
    expect(offered[0]).toMatch(/^Team of Your Keys.*gpt-.*claude-/);
    expect(offered.filter((row) => row.includes('agent program, found at'))).toHaveLength(2);
    expect(offered.find((row) => row.endsWith('services'))).toContain('OpenAI');
    for (const name of ['Team of Your Keys', 'Team with Your Agent Programs']) {
      await runCommand(page, 'MassGen: Add Key or Server');
      await asked(title).waitFor();
      await pick(page, name);
      const panel = await newRun(page);
      await panel
        .locator('option:checked')
        .filter({ hasText: name })
        .waitFor({ state: 'attached' });
    }
    const panel = await newRun(page);
    expect(await textOf(panel)).toMatch(/Claude Code[^]*OpenCode/);
    const teams = await listOf('MassGen: Select Team', 'Which team?');
    expect(teams.find((row) => row.startsWith('Team with'))).toMatch(/Claude Code, OpenCode/);

    const own = ownTeams(opened.session.dir);
    const path = own.find((each) => each.includes('Team-of-Your-Keys')) ?? '';
    appendFileSync(path, '# mine\n');
    await runCommand(page, 'MassGen: Add Key or Server');
    await asked(title).waitFor();
    await pick(page, 'Team of Your Keys');
    await until('a second file is there', 15_000, () =>
      Promise.resolve(ownTeams(opened.session.dir).length === own.length + 1),
    );
    expect(readFileSync(path, 'utf8')).toContain('# mine');
  });

  it('are checked, put right and completed in a team file', async () => {
    const path = join(project.folder, 'other.massgen.yaml');
    const block = '  - id: a\n    backend:\n      type: claud\n      enable_web_search: true\n';
    writeFileSync(path, `agents:\n${block}`);
    await openFile(page, path);
    await editor().locator('.squiggly-error').first().waitFor();
    await line('claud').click();
    await page.keyboard.press('End');
    // Until the editor has asked for fixes there are none, and then it says so instead of listing them.
    await editor()
      .locator('.lightBulbWidget, .codicon-gutter-lightbulb-auto-fix')
      .first()
      .waitFor();
    await page.keyboard.press('Control+.');
    const fix = page.locator('.action-widget').getByText('Change to claude', { exact: true });
    await fix.click();
    await editor().locator('.squiggly-error').first().waitFor({ state: 'detached' });
    await line('type').click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Space');
    await page.locator('.suggest-widget .monaco-list-row').filter({ hasText: 'effort' }).waitFor();
    await page.keyboard.press('Escape');
    await discardEditor(page);
    await closeEditors(page);
  });
});

/** Team files of the user's own, outside every project. */
function ownTeams(dir: string): readonly string[] {
  const root = join(dir, 'server', 'data', 'User', 'globalStorage');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.massgen.yaml'))
    .map((name) => join(root, name));
}
