// A team of four protocols and an agent program, with two servers of tools, from the task to the accepted file.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { running } from '../../support/running-processes';
import { until } from '../processes.mjs';
import { runCommand } from '../window.mjs';
import { setKey } from './keys';
import {
  finalText,
  keys,
  type MixedServices,
  mixedTeam,
  startedPrograms,
  startMixedServices,
  task,
} from './mixed-team';
import { openPanel, picture, pictures, startRun, textOf, trustTeamFile, untilOver } from './panel';
import { makeProject } from './project';
import { stage } from './stage';

const project = makeProject();
let services: MixedServices;
let page: Page;

afterAll(async () => {
  project.remove();
  await services.close();
});

describe('a team of four protocols and a program', () => {
  const opened = stage({ settings: { 'git.enabled': false } });

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    services = await startMixedServices();
    const text = mixedTeam(services, project.folder);
    writeFileSync(join(project.folder, 'team.massgen.yaml'), text);
    page = await opened.session.open(project.folder);
  });

  it('is told with all that it starts and reaches, before it is used', async () => {
    const panel = await openPanel(page);
    await panel.getByText('Check this team file first').waitFor();
    const asked = await trustTeamFile(page, panel);
    for (const words of ['server-everything', 'server-filesystem', 'acp-agent.mjs']) {
      expect(asked).toContain(words);
    }
    for (const name of Object.keys(keys)) {
      expect(asked).toContain(name);
    }
  });

  it('answers, votes and has a winner, each in the way of its service', async () => {
    for (const [name, value] of Object.entries(keys)) {
      await setKey(page, name, value);
    }
    const panel = await openPanel(page);
    const run = await startRun(panel, task);
    await untilOver(run);
    await picture(page, panel, join(pictures, 'mixed-team.png'));
    const text = await textOf(panel);
    const { claude, openai, gemini, chat } = services;
    for (const { journal } of [claude, openai, gemini, chat]) {
      expect(journal.filter(({ outcome }) => outcome === 'refused')).toEqual([]);
      expect(journal.length).toBeGreaterThan(1);
    }
    // What a server said has come to the model.
    expect(JSON.stringify(claude.journal.map(({ body }) => body))).toContain('42');
    expect(JSON.stringify(openai.journal.map(({ body }) => body))).toContain(project.folder);
    // Everybody answered, also the program; the answer with the file won.
    for (const label of ['agent1.1', 'agent2.1', 'agent3.1', 'agent4.1', 'agent5.1']) {
      expect(text).toContain(label);
    }
    expect(text).toMatch(/agent1\.1\s+won with [345] of 5 votes/);
    expect(text).toContain(finalText.replaceAll('`', ''));
  });

  it('leaves no process of a server or a program', async () => {
    await until('all of them are gone', 15_000, () =>
      Promise.resolve(startedPrograms.every((program) => running(program).length === 0)),
    );
  });

  it('has a file to accept', async () => {
    expect(existsSync(join(project.folder, 'ideas.md'))).toBe(false);
    await runCommand(page, 'MassGen: Accept All');
    await until('the file is there', 15_000, () =>
      Promise.resolve(existsSync(join(project.folder, 'ideas.md'))),
    );
    expect(readFileSync(join(project.folder, 'ideas.md'), 'utf8')).toBe('# Durations\n');
  });
});
