import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../../../src/app/app-contract';
import { parseEnvFile } from '../../../../src/cli/env-file';
import { parseAgent, quickstartHeadless } from '../../../../src/cli/wizards/quickstart-headless';
import { offerQuickstart, quickstart } from '../../../../src/cli/wizards/quickstart-wizard';
import { conduct } from '../../../../src/cli/wizards/wizard';
import type { RunConfig } from '../../../../src/config/run-config';
import type { QuickstartOptions } from '../../../../src/cli/wizards/wizard-options';
import { atDesk, type Desk, keys } from '../../../support/person';
import { cleanTeam, ollama, wizardApp } from './wizard-app';

let desk: Desk;
/** Arguments with which `massgen` was to go on. */
let runs: (readonly string[])[];

const two = { OPENAI_API_KEY: 'sk-secret-1', ANTHROPIC_API_KEY: 'sk-secret-2' };

beforeEach(() => {
  desk = atDesk(two);
  runs = [];
});
afterEach(() => {
  desk.remove();
});

function make(servers: Awaited<ReturnType<App['detectLocalServers']>> = [], config?: string) {
  const run = (args: readonly string[]): Promise<0> => {
    runs.push(args);
    return Promise.resolve(0);
  };
  return conduct({ app: wizardApp(servers), world: desk.world, run }, (wizard) =>
    quickstart(wizard, config),
  );
}

const projectFile = (): string => join(desk.world.cwd, '.massgen', 'config.yaml');

function team(file = projectFile()): RunConfig {
  return cleanTeam(readFileSync(file, 'utf8'));
}

function members(file = projectFile()): readonly string[] {
  return team(file).agents.map(({ id, backend }) => `${id} ${backend.type} ${backend.model}`);
}

const untilSaved: readonly (readonly [words: string, ...typed: string[]])[] = [
  ['How many agents?', keys.enter],
  ['Take this team?', keys.enter],
  ['Which folder may the agents read?', keys.enter],
  ['What may they do there?', keys.enter],
  ['Save it?', keys.enter],
];

async function press(steps: typeof untilSaved): Promise<void> {
  for (const [words, ...typed] of steps) {
    await desk.person.answer(words, ...typed);
  }
}

describe('where no model is found', () => {
  it.each([
    ['after no key was entered', [keys.enter]],
    ['after a key was declined', ['n']],
  ])('the way without a key is told once, %s', async (_when, typed) => {
    desk.remove();
    desk = atDesk({});
    const done = make();
    await desk.person.answer('Enter a key now?', ...typed);
    if (typed[0] === keys.enter) {
      await desk.person.answer('Which services', keys.enter);
    }
    expect(await done).toBe(1);
    expect(desk.person.screen.split('Models on this machine need no key').length).toBe(2);
    expect(existsSync(projectFile())).toBe(false);
  });
});

describe('a quick team', () => {
  it('needs nothing but Enter: three agents of what is found, which may read this folder', async () => {
    const done = make([ollama]);
    await press(untilSaved);
    await desk.person.answer('Run the team now?', keys.down, keys.down, keys.enter);
    expect(await done).toBe(0);
    expect(members()).toEqual([
      'openai openai gpt-6.2-sol',
      'claude claude claude-sonnet-5-5',
      'ollama ollama qwen3-coder:30b',
    ]);
    expect(team().contextPaths).toEqual([{ path: '.', permission: 'read', protectedPaths: [] }]);
    expect(readFileSync(projectFile(), 'utf8')).toContain('profile: recommended');
    expect(statSync(projectFile()).mode & 0o111).toBe(0);
    expect(readdirSync(dirname(projectFile()))).toEqual(['config.yaml']);
    expect(desk.person.screen).toContain('model: gpt-6.2-sol');
    expect(desk.person.screen).toContain(
      'massgen --config ./.massgen/config.yaml --trust-config "what to do"',
    );
    expect(desk.person.sent).not.toContain('sk-secret');
    expect(runs).toEqual([]);
  });

  it('goes on with the task that is given, or with a conversation', async () => {
    const done = make();
    await press(untilSaved);
    await desk.person.answer('Run the team now?', keys.enter);
    await desk.person.answer('What is the task?', '--help me', keys.enter);
    await done;
    const again = make([], 'other');
    await press(untilSaved);
    await desk.person.answer('Run the team now?', keys.down, keys.enter);
    await again;
    const other = join(desk.world.cwd, 'other.yaml');
    expect(runs).toEqual([
      ['--config', projectFile(), '--trust-config', '--', '--help me'],
      ['--config', other, '--trust-config'],
    ]);
    expect(existsSync(other)).toBe(true);
  });

  it('may be chosen agent by agent, with a search among the models or a name of one’s own', async () => {
    const done = make();
    await desk.person.answer('How many agents?', keys.up, keys.enter);
    await desk.person.answer('Take this team?', 'n');
    await desk.person.answer('Agent 1 of 2: who plays it?', keys.down, keys.enter);
    await desk.person.answer('Model at Anthropic Claude', 'haiku', keys.enter);
    await desk.person.answer('Agent 2 of 2: who plays it?', keys.down, keys.enter);
    await desk.person.answer('Model at Anthropic Claude', 'another', keys.enter);
    await desk.person.answer('Name of the model at Anthropic Claude', 'claude-new', keys.enter);
    await desk.person.answer('Which folder may the agents read?', keys.eraseLine, keys.enter);
    await desk.person.answer('Save it?', keys.enter);
    await desk.person.answer('Run the team now?', keys.down, keys.down, keys.enter);
    await done;
    expect(members()).toEqual(['claude claude claude-haiku-5-5', 'claude_2 claude claude-new']);
    expect(team().contextPaths).toEqual([]);
  });

  it('may propose changes only when the user says so, and only in a folder that is there', async () => {
    const done = make();
    await press(untilSaved.slice(0, 2));
    await desk.person.answer('Which folder may the agents read?', '/nowhere', keys.enter);
    await desk.person.answer('./nowhere is not there.', keys.enter);
    await desk.person.answer('What may they do there?', keys.down, keys.enter);
    await desk.person.answer('Save it?', keys.enter);
    await desk.person.answer('Run the team now?', keys.down, keys.down, keys.enter);
    await done;
    expect(team().contextPaths[0]?.permission).toBe('write');
  });

  it('gets more time and no limit of money where it costs nothing', async () => {
    desk.remove();
    desk = atDesk();
    const done = make([ollama]);
    await press(untilSaved);
    await desk.person.answer('Run the team now?', keys.down, keys.down, keys.enter);
    await done;
    expect(team().caps).toMatchObject({ durationMs: 7_200_000, costUsd: null });
  });

  it('leaves a file that is there, unless it is to be replaced', async () => {
    mkdirSync(dirname(projectFile()));
    writeFileSync(projectFile(), 'mine');
    const renamed = make();
    await press(untilSaved);
    await desk.person.answer('./.massgen/config.yaml is already there.', keys.enter);
    await desk.person.answer('Name of the team file', keys.enter);
    await desk.person.answer('Run the team now?', keys.down, keys.down, keys.enter);
    await renamed;
    expect(readFileSync(projectFile(), 'utf8')).toBe('mine');
    expect(members(join(desk.world.cwd, '.massgen', 'config-2.yaml'))).toHaveLength(3);

    const left = make();
    await press(untilSaved);
    await desk.person.answer('is already there.', keys.up, keys.enter);
    await left;
    expect(readFileSync(projectFile(), 'utf8')).toBe('mine');

    const replaced = make();
    await press(untilSaved);
    await desk.person.answer('is already there.', keys.down, keys.enter);
    await desk.person.answer('Run the team now?', keys.down, keys.down, keys.enter);
    await replaced;
    expect(members()).toHaveLength(3);
  });

  it('begins with keys where nothing is found', async () => {
    desk.remove();
    desk = atDesk();
    const declined = make();
    await desk.person.answer('Enter a key now?', 'n');
    expect(await declined).toBe(1);
    expect(desk.person.screen).toContain('start Ollama or LM Studio');

    const done = make();
    await desk.person.answer('Enter a key now?', 'y');
    await desk.person.answer('Which services', keys.space, keys.enter);
    await desk.person.answer('value of OPENAI_API_KEY', 'sk-new', keys.enter);
    await desk.person.answer('Test the keys?', 'n');
    await desk.person.answer('Where are the keys kept?', keys.enter);
    await press(untilSaved);
    await desk.person.answer('Run the team now?', keys.down, keys.down, keys.enter);
    expect(await done).toBe(0);
    expect(members()).toEqual([
      'openai openai gpt-6.2-sol',
      'openai_2 openai gpt-6.2-astra',
      'openai_3 openai gpt-6.1-sol',
    ]);
  });

  it('is offered after keys, and may be declined', async () => {
    const done = conduct(
      { app: wizardApp(), world: desk.world, run: () => Promise.resolve(0) },
      offerQuickstart,
    );
    await desk.person.answer('Make a team now?', 'n');
    expect(await done).toBe(0);
    expect(desk.person.screen).toContain('massgen --quickstart makes a team');
  });

  it.each(untilSaved.map(([words], index) => ({ words, index })))(
    'that is left at "$words" is not written',
    async ({ index, words }) => {
      const done = make();
      await press(untilSaved.slice(0, index));
      await desk.person.answer(words, keys.interrupt);
      expect(await done).toBe(4);
      expect(readdirSync(desk.world.cwd)).toEqual([]);
    },
  );
});

describe('a quick team without questions', () => {
  const headless = (further: Partial<QuickstartOptions> = {}): Promise<number> =>
    quickstartHeadless(
      wizardApp(),
      {
        ...{ storage: undefined, debug: false, run: () => Promise.resolve(0) },
        ...{ config: undefined, headless: true, agents: [], force: false, ...further },
      },
      desk.world,
    );

  it('is made of the keys that are there, wherever they are', async () => {
    writeFileSync(join(desk.world.cwd, '.env'), 'XAI_API_KEY=xai-1\n');
    expect(await headless()).toBe(0);
    expect(members()).toEqual([
      'openai openai gpt-6.2-sol',
      'claude claude claude-sonnet-5-5',
      'grok grok grok-4.6',
    ]);
    expect(team().contextPaths).toEqual([{ path: '.', permission: 'read', protectedPaths: [] }]);
    expect(desk.person.screen).toBe(
      [
        'OpenAI: OPENAI_API_KEY is set (environment)',
        'Anthropic Claude: ANTHROPIC_API_KEY is set (environment)',
        'xAI Grok: XAI_API_KEY is set (./.env)',
        'Saved in ./.massgen/config.yaml: openai, claude, grok.',
        'massgen --config ./.massgen/config.yaml --trust-config "what to do" runs it.',
        '',
      ].join('\n'),
    );
  });

  it('is made of the agents that are named', async () => {
    await headless({
      config: 'teams/two.yml',
      agents: ['id=a,backend=anthropic,model=claude-sonnet-5-5', 'backend=openai, model=gpt-5.4'],
    });
    expect(members(join(desk.world.cwd, 'teams', 'two.yml'))).toEqual([
      'a claude claude-sonnet-5-5',
      'openai openai gpt-5.4',
    ]);
  });

  it('replaces a file only with --force', async () => {
    mkdirSync(dirname(projectFile()));
    writeFileSync(projectFile(), 'mine');
    await expect(headless()).rejects.toMatchObject({
      message: './.massgen/config.yaml is already there.',
      hint: 'Choose another name, or replace it with --force.',
    });
    expect(readFileSync(projectFile(), 'utf8')).toBe('mine');
    await headless({ force: true });
    expect(members()).toHaveLength(3);
  });

  it('is a template for keys where there is nothing to make a team of, and no success', async () => {
    desk.remove();
    desk = atDesk();
    await expect(headless()).rejects.toMatchObject({
      message:
        'There is no key, no agent program and no local model server to make a team of. A template was written to ./.env.',
      hint: expect.stringContaining(
        'Put a key into it, or set a variable such as OPENAI_API_KEY',
      ) as string,
    });
    const file = join(desk.world.cwd, '.env');
    const text = readFileSync(file, 'utf8');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(parseEnvFile(text).size).toBe(0);
    expect(parseEnvFile(text.replace('#OPENAI_API_KEY=', 'OPENAI_API_KEY=sk-1'))).toEqual(
      new Map([['OPENAI_API_KEY', 'sk-1']]),
    );
    expect(existsSync(projectFile())).toBe(false);

    writeFileSync(file, '# mine\n');
    await expect(headless()).rejects.toThrow('There is a ./.env, which has none.');
    expect(readFileSync(file, 'utf8')).toBe('# mine\n');
  });

  it('writes nothing when the check finds a mistake', async () => {
    await expect(headless({ agents: ['backend=opnai,model=x'] })).rejects.toThrow(
      /This makes no valid team file:\n.*opnai/,
    );
    expect(readdirSync(desk.world.cwd)).toEqual([]);
  });
});

describe('an agent on the command line', () => {
  it.each([
    ['id=a,backend=claude,mdel=x', 'mdel is not known. Did you mean model?'],
    ['claude', 'claude is not known.'],
    ['id=a', 'backend is missing.'],
    ['id=,backend=claude', 'id has no value.'],
    ['id=a,id=b,backend=claude', 'id is given twice.'],
  ])('%s is refused: %s', (written, reason) => {
    expect(() => parseAgent(written)).toThrow(`--quickstart-agent ${written}: ${reason}`);
  });

  it('has an address where one is given', () => {
    expect(parseAgent('id=a,backend=vllm,model=m=1,base_url=http://127.0.0.1:1/v1')).toEqual({
      ...{ id: 'a', type: 'vllm', model: 'm=1', baseUrl: 'http://127.0.0.1:1/v1' },
    });
  });
});
