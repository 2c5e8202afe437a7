// Servers of tools through the whole product: two that others have made and that are in wide use, with scripted models.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunConfig } from '../../../src/app/app-contract';
import type { ToolServerConfig } from '../../../src/core/ports/backend-kind';
import type { ModelRequest } from '../../../src/core/ports/model-backend';
import { appBench } from '../../support/app-bench';
import { say } from '../../support/scripted-backend';
import { ScriptedKind, teamOf } from '../../support/scripted-kind';
import { isLayered, named } from '../workspace/confinement/confined-run';

const signal = new AbortController().signal;
const packages = join(import.meta.dirname, '../../../node_modules/@modelcontextprotocol');
const key = 'a-long-key-of-the-user';

function server(name: string, args: readonly string[]): ToolServerConfig {
  const file = join(packages, `server-${name}`, 'dist', 'index.js');
  return {
    name,
    transport: {
      type: 'stdio',
      command: [process.execPath, file, ...args],
      environment: { SERVICE_TOKEN: '${SERVICE_TOKEN}' },
    },
    excludedTools: [],
  };
}

/** Both agents have both servers. */
function team(): RunConfig {
  const config = teamOf(['a', 'b']);
  const servers = [server('filesystem', ['${workspaceFolder}']), server('everything', [])];
  const tools = { servers, custom: [], uploads: [] };
  return {
    ...config,
    agents: config.agents.map((agent) => ({ ...agent, tools })),
    settings: { ...config.settings, finalAnswerStrategy: 'winner_reuse' },
  };
}

/** Text of the last result that a model was given. */
function resultIn({ messages }: ModelRequest): string {
  const last = messages.findLast(({ role }) => role === 'tool');
  return last?.role === 'tool' ? (last.results[0]?.text ?? '') : '';
}

const bench = appBench({ 'notes.txt': 'the secret word is plover\n' });

describe.skipIf(!isLayered)(named('agents with servers of tools'), () => {
  it('call them in their own files, and nothing of the servers or of a key is left after the run', async () => {
    const path = join(bench.project, 'notes.txt');
    const read: string[] = [];
    const keep = (request: ModelRequest): readonly [] => {
      read.push(resultIn(request));
      return [];
    };
    const kind = new ScriptedKind({
      a: [
        [{ call: 'mcp__filesystem__read_text_file', input: { path } }],
        (request) => [
          ...keep(request),
          {
            call: 'mcp__filesystem__write_file',
            input: { path: join(bench.project, 'new.txt'), content: 'plover\n' },
          },
        ],
        (request) => [...keep(request), { call: 'mcp__everything__get-env', input: {} }],
        (request) => [...keep(request), say.answer('It is plover.')],
        [say.vote('agent1')],
      ],
      b: [
        [{ call: 'mcp__everything__echo', input: { message: 'hello' } }],
        (request) => [...keep(request), say.answer('It is hello.')],
        [say.vote('agent1')],
      ],
    });
    const app = bench.open(kind, { secrets: { get: async () => key } });
    const run = await app.startRun(
      {
        ...{ task: 'Find the word.', config: team(), unsaved: new Map() },
        folders: [{ name: 'project', path: bench.project, permission: 'write' }],
        commandPolicy: {
          decide: () => ({ isAllowed: true, by: 'policy' }),
          remember: async () => undefined,
        },
      },
      signal,
    );
    await run.ended;
    const { agents, outcome } = run.state();
    expect(outcome).toBe('completed');
    for (const { toolServers = [] } of agents) {
      expect(toolServers.map((each) => each.server).sort()).toEqual(['everything', 'filesystem']);
    }
    const texts = read.join('\n');
    expect(texts).toContain('the secret word is plover');
    expect(texts).toContain('hello');
    expect(texts).toContain('SERVICE_TOKEN');
    expect(texts).not.toContain(key);
    expect(readdirSync(bench.project)).toEqual(['notes.txt']);
    await app.close();
    const processes = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    expect(processes).not.toContain(`server-filesystem/dist/index.js ${bench.project}`);
    expect(textsBelow(join(bench.home, 'storage')).filter((text) => text.includes(key))).toEqual(
      [],
    );
  });
});

function textsBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name), 'latin1')] : [],
  );
}
