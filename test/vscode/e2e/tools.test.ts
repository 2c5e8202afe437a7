// What the panel shows of servers of tools, of tools that run at a service, of thinking and of an agent program, while a
// person is asked and afterwards.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type FakeAnthropic,
  startFakeAnthropic,
} from '../../support/fake-anthropic/fake-anthropic';
import type { ScriptedAnswer } from '../../support/fake-anthropic/script';
import { setSideBarWidth, setTheme } from '../window.mjs';
import { setKey } from './keys';
import { keys } from './mixed-team';
import { allowUntilEnd, openPanel, picture, pictures, startRun, trustTeamFile } from './panel';
import { makeProject } from './project';
import { stage } from './stage';

const require = createRequire(import.meta.url);
const everything = join(
  dirname(require.resolve('@modelcontextprotocol/server-everything/package.json')),
  ...['dist', 'index.js'],
);
const programs = resolve(import.meta.dirname, '..', '..', 'support', 'scripted-programs');
/** Where a confined program sees it: its own temporary folder is not that of this machine. */
const wrapper = join(pictures, '..', `claude-${String(process.pid)}`);

const model = 'claude-opus-5-5';
const vote = { name: 'vote', arguments: { agent_id: 'agent1', reason: 'It has its sources.' } };
const answer = (content: string) => ({ name: 'new_answer', arguments: { content } });
const source = {
  ...{ type: 'web_search_result_location', url: 'https://example.com/a' },
  ...{ title: 'Parsing durations', cited_text: 'x', encrypted_index: 'y' },
};

const answers: readonly ScriptedAnswer[] = [
  {
    steps: [
      { kind: 'thinking', text: 'The server can add for me.' },
      { kind: 'server-tool', id: 'srvtoolu_1', name: 'web_search', input: { query: 'durations' } },
      {
        kind: 'block',
        block: { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
      },
      {
        kind: 'tool-call',
        ...{ name: 'mcp__everything__get-sum', arguments: { a: 20, b: 22 } },
      },
    ],
  },
  { steps: [{ kind: 'tool-call', ...answer('It was looked up; 42 was checked.') }] },
  {
    when: 'You write the final text',
    steps: [
      { kind: 'text', text: 'It reads durations and is cut in the mid', citations: [source] },
      { kind: 'stop', reason: 'max_tokens' },
    ],
  },
  {
    when: 'You write the final text',
    steps: [
      { kind: 'text', text: 'It reads durations and is cut in the mid', citations: [source] },
      { kind: 'stop', reason: 'max_tokens' },
    ],
  },
  ...Array.from({ length: 8 }, () => ({ steps: [{ kind: 'tool-call' as const, ...vote }] })),
];

const prompts = [
  [
    { say: 'I look around.' },
    { bash: 'ls src' },
    { call: ['new_answer', answer('By a program.').arguments] },
  ],
  ...Array.from({ length: 8 }, () => [{ call: ['vote', vote.arguments] }]),
];

describe('a run with tools of servers and an agent program', () => {
  const opened = stage({
    settings: {
      'git.enabled': false,
      'massgen.commands.policy': 'ask',
      'massgen.programs.paths': { claude_code: wrapper },
    },
    profile: { viewport: { width: 1280, height: 1300 } },
  });
  const project = makeProject();
  let service: FakeAnthropic;
  let page: Page;
  let panel: Frame;
  let run: Locator;

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    const script = join(programs, 'claude.mjs');
    const quoted = JSON.stringify(prompts).replaceAll("'", `'\\''`);
    const version = '[ "$1" = --version ] && exec echo \'2.1.0 (Claude Code)\'';
    writeFileSync(
      wrapper,
      `#!/bin/sh\n${version}\nexec '${process.execPath}' '${script}' '${quoted}' "$@"\n`,
    );
    chmodSync(wrapper, 0o755);
    service = await startFakeAnthropic({ models: { [model]: answers } });
    const server = { command: process.execPath, args: [everything, 'stdio'], hosts: [] };
    const backend = { type: 'claude', model, base_url: service.baseUrl, enable_web_search: true };
    const team = {
      name: 'Tools',
      agents: [
        { id: 'a', backend: { ...backend, mcp_servers: { everything: server } } },
        { id: 'b', backend: { type: 'claude_code', hosts: [] } },
      ],
      orchestrator: { profile: 'recommended' },
    };
    writeFileSync(join(project.folder, 'team.massgen.yaml'), JSON.stringify(team));
    page = await opened.session.open(project.folder);
  });

  afterAll(async () => {
    project.remove();
    rmSync(wrapper, { force: true });
    await service.close();
  });

  it('starts the program that the setting names, and asks about it by that path', async () => {
    panel = await openPanel(page);
    await setSideBarWidth(page, 480);
    expect(await trustTeamFile(page, panel)).toContain(wrapper);
    await setKey(page, 'ANTHROPIC_API_KEY', keys.ANTHROPIC_API_KEY);
    run = await startRun(panel, 'Say what the project is for.');
    // Both agents wait for a person now, and nothing changes until one decides.
    await run.getByText('more waits').waitFor();
    await run
      .locator('section.approval')
      .getByText('Agent 2 wants to run a command')
      .or(run.locator('section.approval').getByText('Agent 1 wants to use a tool of “everything”'))
      .first()
      .waitFor();
    await picture(page, panel, join(pictures, 'tools-asking.png'));
  });

  it('shows what each agent has and thinks while it works', async () => {
    const [first, second] = [1, 2].map((slot) => run.locator(`[data-agent="${slot}"]`));
    await first?.getByText('Needs you').waitFor();
    await first?.getByText('everything: get-sum').waitFor();
    await first?.getByRole('button', { name: /1 tool server, details/ }).click();
    await first?.getByText('The server can add for me.').waitFor();
    await first?.getByText(/ready, \d+ tools/).waitFor();
    await second?.getByRole('button', { name: /Program.*details/ }).click();
    await second?.getByText(/An agent program with tools of its own/).waitFor();
    for (const theme of ['dark', 'high-contrast', 'light'] as const) {
      await setTheme(page, theme);
      await panel.locator(`body[data-vscode-theme-kind="vscode-${theme}"]`).waitFor();
      await picture(page, panel, join(pictures, `tools-${theme}.png`));
    }
  });

  it('asks about a tool as a tool and about a command as a command', async () => {
    const wishes = run.locator('section.approval h2');
    const seen = [await wishes.innerText()];
    const allowed = await allowUntilEnd(run);
    expect([...allowed].sort()).toEqual(['ls src', 'mcp__everything__get-sum {"a":20,"b":22}']);
    expect(seen[0]).toMatch(
      allowed[0] === 'ls src' ? /^Agent 2 wants to run a command$/ : /^Agent 1 wants to use a tool/,
    );
  });

  it('names the sources of the answer, and says that it was cut off', async () => {
    await run.getByText('It was cut off at the length limit of the model.').first().waitFor();
    await run.getByRole('link', { name: 'Parsing durations' }).first().waitFor();
    await run.getByText('example.com').first().waitFor();
    await setSideBarWidth(page, 300);
    await picture(page, panel, join(pictures, 'tools-decided-300.png'));
  });
});
