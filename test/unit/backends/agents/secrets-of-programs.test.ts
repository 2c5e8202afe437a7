// Where the secrets of a program and of its servers of tools stand: where nobody else on the machine can read them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createAcpKind } from '../../../../src/backends/agents/acp/index';
import type { ToolServerConfig } from '../../../../src/core/ports/backend-kind';
import { collect, endOf, textOf } from '../../../contract/backend-kit';
import { fill, never, tempFolder } from '../../workspace/temp-project';
import { NotingWorkspace, claude, codex, openProgram, requestAt } from './program-bench';

const secrets = {
  IN_ARGUMENT: 'secret-argument-1',
  IN_VARIABLE: 'secret-variable-2',
  IN_URL: 'secret-url-3',
  IN_HEADER: 'secret-header-4',
};
const server = join(import.meta.dirname, '../../../support/scripted-programs/tool-server.mjs');
const toolServers: readonly ToolServerConfig[] = [
  {
    ...{ name: 'near', excludedTools: [] },
    transport: {
      ...{ type: 'stdio', command: [process.execPath, server, '${IN_ARGUMENT}'] },
      environment: { TOOL_NAME: '${IN_VARIABLE}' },
    },
  },
  {
    ...{ name: 'far', excludedTools: [] },
    transport: {
      ...{ type: 'http', url: 'https://a.example/${IN_URL}' },
      headers: { Authorization: 'Bearer ${IN_HEADER}' },
    },
  },
];

const script = [[{ say: 'one' }], [{ say: 'two' }]];
const acp = { kind: createAcpKind, file: 'acp-agent.mjs' };
const acpOptions = {
  command: [
    ...[process.execPath, join(server, '../acp-agent.mjs')],
    JSON.stringify({ prompts: script }),
  ],
  env: { SERVICE_KEY: '${IN_VARIABLE}' },
};

describe('what is secret', () => {
  test.each([
    ['Claude Code', { ...claude, key: 'secret-key-0' }],
    ['Codex', { ...codex, key: 'secret-key-0' }],
    ['an agent of the protocol', { ...acp, options: acpOptions }],
  ])('is no argument of %s', async (_name, program) => {
    const home = tempFolder();
    const noting = new NotingWorkspace(home);
    const backend = await openProgram({
      ...{ ...program, home, prompts: script, toolServers, keys: secrets },
      workspace: () => noting,
    });
    for (const call of [1, 2]) {
      const end = endOf(await collect(backend.stream(requestAt(call), never)));
      expect(end).toMatchObject({ reason: 'stop' });
    }
    expect(noting.lines.length).toBeGreaterThan(1);
    expect(noting.lines.filter((line) => line.includes('secret-'))).toEqual([]);
  });

  test('reaches the servers of Codex through its settings', async () => {
    const backend = await openProgram({
      ...{ ...codex, toolServers, keys: secrets },
      prompts: [[{ settings: null }, { list: 'near' }]],
    });
    const said = textOf(await collect(backend.stream(requestAt(1), never)));
    expect(said).toContain('mcp_servers.far.url = "https://a.example/secret-url-3"');
    expect(said).toContain(
      'mcp_servers.far.http_headers = {"Authorization" = "Bearer secret-header-4"}',
    );
    expect(said).toContain(`${server}", "secret-argument-1"]`);
    expect(said).toMatch(/secret-variable-2 in \//);
  });

  test('is not written through a link that Codex has put in the place of its settings', async () => {
    const home = tempFolder();
    fill(home, { 'own.txt': 'of the user' });
    const own = join(home, 'own.txt');
    const backend = await openProgram({
      ...{ ...codex, home, toolServers, keys: secrets },
      prompts: [[{ link: own }], [{ list: 'near' }]],
    });
    await collect(backend.stream(requestAt(1), never));
    const said = textOf(await collect(backend.stream(requestAt(2), never)));
    expect(said).toContain('secret-variable-2');
    expect(readFileSync(own, 'utf8')).toBe('of the user');
  });
});
