// What a team file says of one agent holds for that agent alone, in a whole run.
import { expect, it } from 'vitest';
import { kinds } from '../config/backend-kinds';
import { loadConfig } from '../../../src/config/load-config';
import type { AgentConfig } from '../../../src/config/run-config';
import type { ModelRequest } from '../../../src/core/ports/model-backend';
import { appBench } from '../../support/app-bench';
import { askEveryTime } from '../../support/run-harness';
import { say } from '../../support/scripted-backend';
import { ScriptedKind, teamOf } from '../../support/scripted-kind';

const bench = appBench({ 'a.txt': 'a\n' });

/** First requests of a run of two agents, of which the first has this beside its backend. */
async function firstRequests(
  own: Partial<AgentConfig>,
): Promise<readonly [ModelRequest, ModelRequest]> {
  const seen = new Map<string, ModelRequest>();
  const script = (name: string) => [
    (request: ModelRequest) => {
      seen.set(name, request);
      return [say.answer(`Mine is ${name}.`)];
    },
    [say.vote('agent1')],
  ];
  const app = bench.open(new ScriptedKind({ a: script('a'), b: script('b') }));
  const team = teamOf(['a', 'b']);
  const config = {
    ...team,
    agents: team.agents.map((agent, i) => (i === 0 ? { ...agent, ...own } : agent)),
    settings: { ...team.settings, finalAnswerStrategy: 'winner_reuse' as const },
  };
  const run = await app.startRun(
    {
      ...{ task: 'Say something.', config, unsaved: new Map() },
      folders: [{ name: 'project', path: bench.project, permission: 'write' }],
      commandPolicy: askEveryTime,
    },
    new AbortController().signal,
  );
  await run.ended;
  const [one, other] = [seen.get('a'), seen.get('b')];
  if (one === undefined || other === undefined) {
    throw new Error('An agent was never asked.');
  }
  return [one, other];
}

const toolsOf = ({ tools }: ModelRequest): readonly string[] => tools.map(({ name }) => name);

function ownOf(key: string): AgentConfig {
  const text = `agents:\n  - {id: a, backend: {type: scripted, model: m${key}}}\n`;
  const result = loadConfig(text, '/team.yaml', kinds);
  const [agent] = result.kind === 'ok' ? result.config.agents : [];
  if (agent === undefined) {
    throw new Error(JSON.stringify(result));
  }
  return agent;
}

it('enable_mcp_command_line: false takes the tools for commands from that agent', async () => {
  const { commandRules } = ownOf(', enable_mcp_command_line: false');
  const [one, other] = await firstRequests(commandRules === undefined ? {} : { commandRules });
  const taken = ['run_command', 'command_output', 'stop_command'];
  expect(toolsOf(other)).toEqual(expect.arrayContaining(taken));
  expect(toolsOf(one)).toEqual(toolsOf(other).filter((name) => !taken.includes(name)));
  expect(ownOf('').commandRules).toBeUndefined();
  expect(ownOf(', enable_mcp_command_line: true').commandRules).toBeUndefined();
});
