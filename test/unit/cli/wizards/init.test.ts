import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { initialize } from '../../../../src/cli/wizards/init-wizard';
import type { PlannedMember } from '../../../../src/cli/wizards/team-plan';
import { teamText } from '../../../../src/cli/wizards/team-text';
import { conduct } from '../../../../src/cli/wizards/wizard';
import { atDesk, type Desk, keys } from '../../../support/person';
import { cleanTeam, kinds, wizardApp } from './wizard-app';

let desk: Desk;
let runs: (readonly string[])[];

beforeEach(() => {
  desk = atDesk({ OPENAI_API_KEY: 'sk-secret-1', ANTHROPIC_API_KEY: 'sk-secret-2' });
  runs = [];
});
afterEach(() => {
  desk.remove();
});

const make = (): Promise<number> =>
  conduct(
    {
      ...{ app: wizardApp(), world: desk.world },
      run: (args) => {
        runs.push(args);
        return Promise.resolve(0);
      },
    },
    initialize,
  );

type Step = readonly [words: string, ...typed: string[]];

async function press(steps: readonly Step[]): Promise<void> {
  for (const [words, ...typed] of steps) {
    await desk.person.answer(words, ...typed);
  }
}

/** The marked answer everywhere, for a research team. */
const plain: readonly Step[] = [
  ['What is the team for?', keys.down, keys.enter],
  ['How many agents?', keys.up, keys.enter],
  ['Who plays them?', keys.enter],
  ['Agent 1 of 2: who plays it?', keys.enter],
  ['Model at OpenAI', keys.enter],
  ['How much may it think?', keys.enter],
  ['Change more of it?', keys.enter],
  ['Agent 2 of 2: who plays it?', keys.down, keys.enter],
  ['Model at Anthropic Claude', keys.enter],
  ['How much may it think?', keys.enter],
  ['Change more of it?', keys.enter],
  ['Which folder may the agents read?', keys.enter],
  ['What may they do there?', keys.enter],
  ['Another folder?', keys.enter],
  ['How often may the team start anew', keys.enter],
  ['Change how they vote?', keys.enter],
  ['Minutes of one run at most', keys.enter],
  ['US dollars of one run at most', keys.enter],
  ['Save it?', keys.enter],
  ['Where?', keys.enter],
  ['Name of the team file', keys.enter],
];

const later: Step = ['Run the team now?', keys.down, keys.down, keys.enter];

describe('a team file step by step', () => {
  it('is what the use case suggests where every marked answer is taken', async () => {
    const done = make();
    await press([...plain, later]);
    expect(await done).toBe(0);
    const text = readFileSync(join(desk.world.cwd, '.massgen', 'team.yaml'), 'utf8');
    const team = cleanTeam(text);
    expect(team.agents.map(({ id, backend }) => [id, backend.model, backend.hostedTools])).toEqual([
      ['openai', 'gpt-6.2-sol', ['web-search']],
      ['claude', 'claude-sonnet-5-5', ['web-search']],
    ]);
    expect(team.contextPaths).toEqual([{ path: '.', permission: 'read', protectedPaths: [] }]);
    expect(text).toContain('profile: recommended');
    expect(text).not.toContain('coordination');
    expect(desk.person.screen).toContain('enable_web_search: true');
    expect(desk.person.sent).not.toContain('sk-secret');
  });

  it('may say everything else too', async () => {
    mkdirSync(join(desk.world.cwd, 'docs'));
    const done = make();
    await press([
      ['What is the team for?', keys.up, keys.up, keys.enter],
      ['How many agents?', keys.down, keys.enter],
      ['Who plays them?', keys.down, keys.enter],
      ['Who plays them?', keys.enter],
      ['Model at OpenAI', 'gpt-5.4-mini', keys.enter],
      ['How much may it think?', keys.down, keys.enter],
      ['Change more of it?', 'y'],
      ['What may the service do for it?', keys.down, keys.space, keys.enter],
      ['What should it always keep in mind?', 'Be brief: say no more.', keys.enter],
      ['Add a server of tools (MCP)?', 'y'],
      ['Its name', 'mem ory', keys.enter],
      ['A new name of letters', keys.eraseLine, 'memory', keys.enter],
      ['The program and its arguments', 'npx -y @scope/server', keys.enter],
      ['Names of variables that it gets', 'NOTES_TOKEN', keys.enter],
      ['Add a server of tools (MCP)?', 'n'],
      ['Like the one before?', 'y'],
      ['Which folder may the agents read?', keys.enter],
      ['What may they do there?', keys.down, keys.enter],
      ['Paths inside it that nobody may change', '../out', keys.enter],
      ['Paths inside the folder', keys.eraseLine, 'docs, ci.yml', keys.enter],
      ['Another folder?', 'y'],
      ['Which folder may the agents read?', 'docs', keys.enter],
      ['What may they do there?', keys.enter],
      ['Another folder?', 'n'],
      ['How often may the team start anew', keys.down, keys.enter],
      ['Change how they vote?', 'y'],
      ['How critical are they', keys.down, keys.enter],
      ['How different must a new answer be', keys.down, keys.down, keys.enter],
      ['Answers of one agent at most', '0', keys.enter],
      ['A number from 1 to 99', keys.eraseLine, '4', keys.enter],
      ['Minutes of one run at most', keys.eraseLine, '45', keys.enter],
      ['US dollars of one run at most', keys.eraseLine, '0.5', keys.enter],
      ['Save it?', keys.enter],
      ['Where?', keys.down, keys.enter],
      ['Name of the team file', keys.eraseLine, '~/.config/massgen/agents/mine', keys.enter],
      ['Run the team now?', keys.enter],
      ['What is the task?', 'Fix it', keys.enter],
    ]);
    expect(await done).toBe(0);
    const file = join(desk.world.home, '.config', 'massgen', 'agents', 'mine.yaml');
    expect(runs).toEqual([['--config', file, '--trust-config', '--', 'Fix it']]);
    const text = readFileSync(file, 'utf8');
    const team = cleanTeam(text);
    expect(team.agents.map(({ id }) => id)).toEqual(['openai', 'openai_2']);
    for (const { backend, systemMessage, tools } of team.agents) {
      expect(backend).toMatchObject({ type: 'openai', model: 'gpt-5.4-mini' });
      expect(backend.hostedTools).toEqual(['code-execution']);
      expect(systemMessage).toBe('Be brief: say no more.');
      expect(tools?.servers[0]).toMatchObject({
        name: 'memory',
        transport: {
          command: ['npx', '-y', '@scope/server'],
          environment: { NOTES_TOKEN: '${NOTES_TOKEN}' },
        },
      });
    }
    expect(team.contextPaths).toEqual([
      { path: '.', permission: 'write', protectedPaths: ['docs', 'ci.yml'] },
      { path: 'docs', permission: 'read', protectedPaths: [] },
    ]);
    expect(team.settings).toMatchObject({
      ...{ maxRestarts: 1, novelty: 'strict', maxNewAnswersPerAgent: 4 },
    });
    expect(team.caps).toMatchObject({ durationMs: 2_700_000, costUsd: 0.5 });
  });

  it('may be one that exists', async () => {
    const file = join(desk.world.cwd, 'mine.yaml');
    writeFileSync(file, 'agents:\n  - {id: a, backend: {type: openai}}\n');
    const done = make();
    await press([
      ['What is the team for?', keys.up, keys.enter],
      ['Which team?', 'mine', keys.enter],
      ['Run the team now?', keys.down, keys.enter],
    ]);
    expect(await done).toBe(0);
    expect(runs).toEqual([['--config', file, '--trust-config']]);
    expect(readdirSync(desk.world.cwd)).toEqual(['mine.yaml']);
  });

  it.each(plain.map(([words], index) => ({ index, words })))(
    'that is left at "$words" (question $index) is not written',
    async ({ index, words }) => {
      const done = make();
      await press(plain.slice(0, index));
      await desk.person.answer(words, keys.interrupt);
      expect(await done).toBe(4);
      expect([readdirSync(desk.world.cwd), readdirSync(desk.world.home)]).toEqual([[], []]);
    },
  );
});

describe('what can be chosen for an agent', () => {
  const offers = kinds.flatMap((kind) => {
    const effort = kind.keys.find(({ name }) => name === 'reasoning_effort' || name === 'effort');
    return (effort?.values ?? []).map((value) => ({ kind, key: effort?.name ?? '', value }));
  });
  it.each(offers.map((offer) => ({ ...offer, type: offer.kind.type })))(
    '$key $value of $type passes the check without a word',
    ({ kind, key, value }) => {
      const model = kind.defaultModel ?? 'some-model';
      const needs = {
        ...(kind.type === 'inference' ? { base_url: 'http://127.0.0.1:8000/v1' } : {}),
        ...(kind.type === 'azure_openai' ? { azure_endpoint: 'https://a.openai.azure.com' } : {}),
      };
      const member: PlannedMember = {
        ...{ id: 'a', type: kind.type },
        ...(model === '' ? {} : { model }),
        further: { [key]: value, ...needs },
      };
      const limits = { minutes: 30, usd: 2 };
      cleanTeam(teamText({ name: 'A team', members: [member], paths: [], limits }, 'A test'));
      expect(offers.length).toBeGreaterThan(20);
    },
  );

  it('is, of tools at the service, what the service has', () => {
    for (const kind of kinds.filter(({ hostedTools = [] }) => hostedTools.length > 0)) {
      const further = {
        ...{ enable_web_search: true, enable_code_execution: true },
        ...(kind.type === 'azure_openai' ? { azure_endpoint: 'https://a.openai.azure.com' } : {}),
      };
      const member = { id: 'a', type: kind.type, model: kind.defaultModel ?? 'm', further };
      const limits = { minutes: 30, usd: 2 };
      const text = teamText({ name: 'A', members: [member], paths: [], limits }, 'A test');
      expect(cleanTeam(text).agents[0]?.backend.hostedTools).toEqual([
        'web-search',
        'code-execution',
      ]);
    }
  });
});
