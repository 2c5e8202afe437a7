import { describe, expect, it } from 'vitest';
import { withEditorServers, withPrograms, withoutServers } from '../../../src/app/team-settings';
import { builtInBackends } from '../../../src/backends/registry';
import { loadConfig } from '../../../src/config/load-config';
import type { RunConfig } from '../../../src/config/run-config';

function configOf(backend: string): RunConfig {
  const kinds = builtInBackends({ recordingsDir: '/nowhere' });
  const result = loadConfig(`agents: [{id: a, backend: ${backend}}]`, '/team.yaml', kinds);
  if (result.kind !== 'ok') {
    throw new Error(result.problems.map(({ message }) => message).join('\n'));
  }
  return result.config;
}

describe('paths of agent programs', () => {
  const paths = { ollama: '/opt/program' };

  it('are given to the agents of their type', () => {
    const config = withPrograms(configOf('{type: ollama, model: m}'), paths);
    expect(config.agents[0]?.backend.options['command']).toBe('/opt/program');
  });

  it('leave alone what a file names itself, and other types', () => {
    const plain = configOf('{type: openai, model: m}');
    expect(withPrograms(plain, paths)).toBe(plain);
    const named = withPrograms(configOf('{type: ollama, model: m}'), paths);
    expect(withPrograms(named, { ollama: '/another' })).toBe(named);
    expect(withPrograms(plain, { constructor: '/x' })).toBe(plain);
  });
});

describe('servers of tools that are switched off', () => {
  it('are taken from every agent, and the team says so', () => {
    const config = configOf('{type: openai, model: m, mcp_servers: {one: {command: one}}}');
    const without = withoutServers(config);
    expect(without.agents[0]?.tools?.servers).toEqual([]);
    expect(without.notices).toEqual([
      'Servers of tools are switched off in the settings of this machine.',
    ]);
  });

  it('change nothing for a team that has none', () => {
    const config = configOf('{type: openai, model: m}');
    expect(withoutServers(config)).toBe(config);
  });
});

describe("the project's servers for the editor", () => {
  const text = '{"servers": {"one": {"command": "theirs"}, "two": {"command": "two"}}}';
  const servers = { path: '/project/.vscode/mcp.json', text };

  it('come to every agent beside its own, which count first', () => {
    const own = configOf('{type: openai, model: m, mcp_servers: {one: {command: ours}}}');
    const { config, problems } = withEditorServers(own, servers);
    expect(problems).toEqual([]);
    expect(
      config.agents[0]?.tools?.servers.map(({ name, transport }) => [
        name,
        transport.type === 'stdio' ? transport.command[0] : '',
      ]),
    ).toEqual([
      ['one', 'ours'],
      ['two', 'two'],
    ]);
  });

  it('change nothing when the file names none', () => {
    const config = configOf('{type: openai, model: m}');
    expect(withEditorServers(config, { ...servers, text: '{}' }).config).toBe(config);
  });
});
