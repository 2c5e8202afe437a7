import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { buildTeamConfig } from '../../../src/api/start-run';
import { apiBench, installDir } from './api-bench';

const bench = apiBench();

describe('a team of models', () => {
  it('is the text of a team file with one agent for each', async () => {
    const { text, warnings } = await buildTeamConfig(
      { models: ['openai/gpt-5.4', 'claude-opus-4-5'], systemMessage: 'Be brief.' },
      installDir,
    );
    const team = parse(text) as { agents: { backend: { type: string }; system_message: string }[] };
    expect(team.agents.map(({ backend }) => backend.type)).toEqual(['openai', 'claude']);
    expect(team.agents.map((agent) => agent.system_message)).toEqual(['Be brief.', 'Be brief.']);
    expect(warnings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('has several agents with one model where that is asked for', async () => {
    const { text } = await buildTeamConfig({ model: 'gpt-5.4', numAgents: 3 }, installDir);
    expect((parse(text) as { agents: unknown[] }).agents).toHaveLength(3);
  });

  it('is refused for a model that no table knows', async () => {
    await expect(buildTeamConfig({ model: 'no-such-model' }, installDir)).rejects.toMatchObject({
      name: 'RunError',
      code: 'config/invalid',
      message: expect.stringContaining('no-such-model') as string,
    });
  });

  it('can be run as it is, once its keys are there', async () => {
    const config = await buildTeamConfig({ model: 'gpt-5.4' }, installDir);
    await expect(bench.run('Say hello.', { config, keys: {} })).rejects.toMatchObject({
      code: expect.stringMatching(/^config\//) as string,
      message: expect.stringContaining('OPENAI_API_KEY') as string,
    });
  });
});
