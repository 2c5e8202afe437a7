import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginHere } from '../../../../src/cli/wizards/first-run';
import { generate } from '../../../../src/cli/wizards/generate-config';
import { chooseTeamFile } from '../../../../src/cli/wizards/select-config';
import { conduct } from '../../../../src/cli/wizards/wizard';
import {
  firstRun,
  generateConfig,
  initWizard,
  quickstartWizard,
  selectConfig,
  setupWizard,
} from '../../../../src/cli/wizards/wizards.lazy';
import type { GenerateOptions } from '../../../../src/cli/wizards/wizard-options';
import { atDesk, type Desk, keys } from '../../../support/person';
import { cleanTeam, kinds, ollama, wizardApp } from './wizard-app';

let desk: Desk;
let runs: (readonly string[])[];

beforeEach(() => {
  desk = atDesk();
  runs = [];
});
afterEach(() => {
  desk.remove();
});

const run = (args: readonly string[]): Promise<0> => {
  runs.push(args);
  return Promise.resolve(0);
};

const generateOptions: GenerateOptions = {
  ...{ storage: undefined, debug: false, run, path: 'team.yaml', force: false, isDocker: false },
  ...{ backend: undefined, model: undefined, agents: undefined, agentId: undefined },
  contextPath: undefined,
};

const made = (options: Partial<GenerateOptions>): Promise<number> =>
  generate(wizardApp(), { ...generateOptions, ...options }, desk.world);

const file = (): string => join(desk.world.cwd, 'team.yaml');
const agents = (): readonly string[] =>
  cleanTeam(readFileSync(file(), 'utf8')).agents.map(
    ({ id, backend }) => `${id} ${backend.type} ${backend.model}`,
  );

describe('a generated team file', () => {
  it('has the agents that the arguments say', async () => {
    expect(await made({ backend: 'claude' })).toBe(0);
    expect(agents()).toEqual(['agent claude claude-sonnet-5-5']);
    expect(desk.person.screen).toBe('Saved in ./team.yaml.\n');

    await made({ backend: 'anthropic', agents: '3', agentId: 'writer', force: true });
    expect(agents()).toEqual([
      'writer_a claude claude-sonnet-5-5',
      'writer_b claude claude-sonnet-5-5',
      'writer_c claude claude-sonnet-5-5',
    ]);

    await made({ model: 'gpt-5.4', agents: '2', contextPath: '.', force: true });
    expect(agents()).toEqual(['agent_a openai gpt-5.4', 'agent_b openai gpt-5.4']);
    expect(cleanTeam(readFileSync(file(), 'utf8')).contextPaths).toEqual([
      { path: '.', permission: 'read', protectedPaths: [] },
    ]);
  });

  it.each(
    kinds.flatMap(({ type, defaultModel, keys: all }) =>
      defaultModel === undefined || all.some(({ isRequired }) => isRequired) ? [] : [type],
    ),
  )('of %s alone passes the check without a word', async (backend) => {
    await made({ backend });
    expect(agents()).toHaveLength(1);
    expect(readFileSync(file(), 'utf8')).toContain('profile: recommended');
  });

  it.each<readonly [string, Partial<GenerateOptions>, string]>([
    ['without a backend or model', {}, 'A team needs --config-backend or --config-model.'],
    [
      'with no number of agents',
      { backend: 'claude', agents: 'three' },
      '--config-agents needs a whole number from 1 to 10.',
    ],
    [
      'with too many agents',
      { backend: 'claude', agents: '11' },
      '--config-agents needs a whole number from 1 to 10.',
    ],
    [
      'with a folder that is not there',
      { backend: 'claude', contextPath: 'nowhere' },
      '--config-context-path: nowhere is not there.',
    ],
    [
      'with docker',
      { backend: 'claude', isDocker: true },
      'Docker is not used here: commands run confined by the operating system, with the project as agents see it.',
    ],
    ['with an unknown backend', { backend: 'cluade' }, 'Did you mean claude?'],
    ['with a model that nobody is known for', { model: 'mystery' }, 'type is missing'],
    ['with a service that needs a model', { backend: 'poe' }, 'model is missing'],
  ])('is not written %s', async (_, options, message) => {
    await expect(made(options)).rejects.toThrow(message);
    expect(readdirSync(desk.world.cwd)).toEqual([]);
  });

  it('does not take the place of another file unasked', async () => {
    writeFileSync(file(), 'mine');
    await expect(made({ backend: 'claude' })).rejects.toThrow('./team.yaml is already there.');
    expect(readFileSync(file(), 'utf8')).toBe('mine');
  });
});

describe('the menu of team files', () => {
  let chosen: string[];
  const choose = (): Promise<number> => {
    chosen = [];
    return conduct({ app: wizardApp(), world: desk.world, run }, async (wizard) => {
      chosen.push(await chooseTeamFile(wizard));
      return 0;
    });
  };
  const put = (path: string, text: string): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const team = (model: string): string =>
    `agents:\n  - {id: a, backend: {type: openai, model: ${model}}}\n`;

  it('has those of the project, the folder and the user, and the examples, with a search', async () => {
    const { cwd, home, installDir } = desk.world;
    const own = join(home, '.config', 'massgen');
    const files = [
      put(join(cwd, '.massgen', 'config.yaml'), team('gpt-5.4')),
      put(join(cwd, 'here.yml'), team('gpt-5.5')),
      put(join(own, 'config.yaml'), team('gpt-5.4-mini')),
      put(join(own, 'agents', 'nightly.yaml'), 'agents: [oops\n'),
    ];
    put(join(cwd, 'compose.yaml'), 'services: {}\n');
    for (const [index, search] of ['project', 'here', '5.4-mini', 'nightly problems'].entries()) {
      const done = choose();
      await desk.person.answer('Which team?', search, keys.enter);
      await done;
      expect(chosen).toEqual([files[index]]);
    }
    const done = choose();
    await desk.person.answer(
      'Which team?',
      'offline demo',
      keys.eraseLine,
      '@examples/offline',
      keys.enter,
    );
    await done;
    expect(chosen).toEqual([join(installDir, 'configs', 'offline.yaml')]);
    expect(desk.person.screen).not.toContain('compose.yaml');
  });

  it('does not answer when nothing is marked, and may be left', async () => {
    const done = choose();
    await desk.person.answer('Which team?', 'no such team', keys.enter);
    await desk.person.answer('Nothing is marked.', keys.interrupt);
    expect(await done).toBe(4);
    expect(chosen).toEqual([]);
  });
});

describe('the first run', () => {
  const begin = (): Promise<number> =>
    conduct({ app: wizardApp([ollama]), world: desk.world, run }, beginHere);

  it('makes a team', async () => {
    const done = begin();
    await desk.person.answer('How do you want to begin?', keys.enter);
    await desk.person.answer('How many agents?', keys.interrupt);
    expect(await done).toBe(4);
  });

  it('is told what a team is in lines that fill the terminal', async () => {
    const done = begin();
    await desk.person.answer('How do you want to begin?', keys.interrupt);
    expect(await done).toBe(4);
    const said = desk.person.screen.split('How do you want to begin?')[0] ?? '';
    const lines = said.split('\n').filter((line) => /[a-z]{3}.* [a-z]/.test(line));
    expect(lines.slice(0, -1).filter((line) => line.length < 60)).toEqual([]);
  });

  it('takes keys first', async () => {
    const done = begin();
    await desk.person.answer('How do you want to begin?', keys.down, keys.enter);
    await desk.person.answer('Which services', keys.enter);
    await desk.person.answer('How many agents?', keys.interrupt);
    expect(await done).toBe(4);
  });

  it('shows the demonstration', async () => {
    const done = begin();
    await desk.person.answer('How do you want to begin?', keys.up, keys.up, keys.enter);
    expect(await done).toBe(0);
    expect(runs).toEqual([['--demo']]);
  });

  it('may be declined, and leaves what to write later', async () => {
    const done = begin();
    await desk.person.answer('How do you want to begin?', keys.up, keys.enter);
    expect(await done).toBe(0);
    expect(desk.person.screen).toContain(
      'massgen --setup, massgen --quickstart and massgen --help',
    );
    expect(readdirSync(desk.world.cwd)).toEqual([]);
  });
});

describe('where nobody can be asked', () => {
  const options = { storage: undefined, debug: false, run };

  it('everything that would ask says so and what to do instead', async () => {
    desk.remove();
    desk = atDesk({}, { isInteractive: false });
    for (const wizard of [setupWizard, initWizard, selectConfig, firstRun]) {
      await expect(wizard(options, desk.world)).rejects.toMatchObject({
        message: 'Nobody can be asked here: input and output must both be a terminal.',
        hint: 'Without questions: massgen --quickstart --headless, or massgen --generate-config PATH.',
      });
    }
    expect([desk.person.screen, desk.notes()]).toEqual(['', '']);
  });

  it('a quick team is made without questions, and a team file generated', async () => {
    desk.remove();
    desk = atDesk({}, { isInteractive: false });
    const quick = { ...options, config: 'quick', headless: false, force: false };
    const agent = 'backend=openai,model=gpt-5.4';
    expect(await quickstartWizard({ ...quick, agents: [agent] }, desk.world)).toBe(0);
    expect(readdirSync(desk.world.cwd)).toEqual(['quick.yaml']);
    expect(await generateConfig({ ...generateOptions, model: 'gpt-5.4' }, desk.world)).toBe(0);
    expect(agents()).toEqual(['agent openai gpt-5.4']);
  });
});

describe('in a terminal', () => {
  const options = { storage: undefined, debug: false, run };

  it('each wizard begins with its first question, and may be left there', async () => {
    const quick = { ...options, config: undefined, headless: false, agents: [], force: false };
    const started = [
      ['Which services', () => setupWizard(options, desk.world)],
      ['What is the team for?', () => initWizard(options, desk.world)],
      ['How do you want to begin?', () => firstRun(options, desk.world)],
      ['Which team?', () => selectConfig(options, desk.world)],
      ['How many agents?', () => quickstartWizard(quick, desk.world)],
    ] as const;
    desk.remove();
    desk = atDesk({ OPENAI_API_KEY: 'sk-1' });
    for (const [words, start] of started) {
      const done = start();
      await desk.person.answer(words, keys.interrupt);
      expect(await done).toBe(words === 'Which team?' ? undefined : 4);
    }
  });
});
