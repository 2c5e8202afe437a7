import { describe, expect, it } from 'vitest';
import type { App } from '../../../src/app/app-contract';
import { reachOutside } from '../../../src/app/outside-reach';
import { builtInBackends } from '../../../src/backends/registry';
import { describeEgress } from '../../../src/config/egress';
import { loadConfig } from '../../../src/config/load-config';

const kinds = builtInBackends({ recordingsDir: '/nowhere' });
const app: Pick<App, 'describeEgress' | 'backendKinds'> = {
  backendKinds: kinds,
  describeEgress: (config) => describeEgress(config, kinds),
};

/** Who reaches what, of a team with these agents. */
function reach(...backends: readonly string[]): readonly string[] {
  const agents = backends.map((backend, i) => `  - {id: a${i + 1}, backend: {${backend}}}`);
  const result = loadConfig(`agents:\n${agents.join('\n')}\n`, '/team.yaml', kinds);
  if (result.kind !== 'ok') {
    throw new Error(result.problems.map(({ message }) => message).join('\n'));
  }
  return reachOutside(result.config, app).map(
    ({ agentIds, place }) => `${agentIds.join(' ')}: ${place}`,
  );
}

const local = 'type: lmstudio, model: m';

describe('a team', () => {
  it.each([
    ['LM Studio', local],
    [
      'Ollama by its address',
      'type: chatcompletion, model: m, base_url: "http://127.0.0.1:11434/v1"',
    ],
    [
      'a server by the other address',
      'type: chatcompletion, model: m, base_url: "http://[::1]:1/v1"',
    ],
    ['a server that gets a key', 'type: vllm, model: m, api_key: "${VLLM_API_KEY}"'],
    ['a server of tools without a network', `${local}, mcp_servers: {s: {command: x, hosts: []}}`],
    [
      'a server of tools that is here',
      `${local}, mcp_servers: {s: {url: "http://localhost:7/", allow_local: true}}`,
    ],
  ])('with %s stays on this machine', (_what, backend) => {
    expect(reach(backend)).toEqual([]);
  });

  it.each([
    ['a service', 'type: openai', 'a1: api.openai.com'],
    [
      'a machine of the own network',
      'type: chatcompletion, model: m, base_url: "http://192.168.1.7:8000/v1"',
      'a1: 192.168.1.7:8000',
    ],
    [
      'a host that begins like this machine',
      'type: chatcompletion, model: m, base_url: "https://localhost.example.com/v1"',
      'a1: localhost.example.com',
    ],
    [
      'a server of tools that may reach any host',
      `${local}, mcp_servers: {s: {command: x}}`,
      'a1: server of tools "s"',
    ],
    [
      'a server of tools with a list of hosts',
      `${local}, mcp_servers: {s: {command: x, hosts: [a.example.com, localhost]}}`,
      'a1: a.example.com',
    ],
    [
      'a server of tools that is elsewhere',
      `${local}, mcp_servers: {s: {url: "https://t.example.com/"}}`,
      'a1: t.example.com',
    ],
    [
      'a server of tools in the own network',
      `${local}, mcp_servers: {s: {url: "http://10.0.0.3/", allow_local: true}}`,
      'a1: 10.0.0.3',
    ],
    ['an agent program of a service', 'type: claude_code', 'a1: api.anthropic.com'],
    ['an agent program of anybody', 'type: acp, command: [helper]', 'a1: Agent Client Protocol'],
  ])('with %s does not: %s', (_what, backend, expected) => {
    expect(reach(backend)).toEqual([expected]);
  });

  it('is told each place once, with all who reach it', () => {
    expect(reach('type: openai', local, 'type: openai')).toEqual(['a1 a3: api.openai.com']);
  });
});
