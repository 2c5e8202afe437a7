import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TeamCheck } from '../../../src/app/app-contract';
import { createTeamTools } from '../../../src/app/team-tools';
import { asWritten } from '../../../src/app/written-config';
import { describeEgress } from '../../../src/config/egress';
import { keySource, variableSource } from '../../../src/cli/key-source';
import { realClock } from '../../support/real-clock';

const { signal } = new AbortController();
const installDir = join(import.meta.dirname, '../../..');
const file = '/teams/review.yaml';

let root: string;
let project: string;
let home: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'massgen-check-'));
  [project, home] = [join(root, 'project'), join(root, 'home')];
  mkdirSync(project);
  mkdirSync(home);
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

interface Asked {
  readonly environment?: Readonly<Record<string, string>>;
  readonly level?: 'text' | 'environment';
}

function check(
  text: string,
  { environment = {}, level = 'environment' }: Asked = {},
): Promise<TeamCheck> {
  const places = { environment, cwd: project, home };
  const tools = createTeamTools({
    ...{ installDir, clock: realClock },
    secrets: keySource(places),
    variables: variableSource(places),
  });
  return tools.checkTeam({ text, file, project, level }, signal);
}

/** `line:column key path: message` of each problem. */
async function lines(text: string, asked?: Asked): Promise<readonly string[]> {
  const { problems } = await check(text, asked);
  return problems.map(
    ({ severity, line, column, keyPath, message }) =>
      `${line}:${column} ${severity} ${keyPath}: ${message}`,
  );
}

const lookedIn = (): string =>
  `Looked in: the environment, ${join(project, '.env')}, ${join(home, '.massgen', '.env')}, ${join(home, '.config', 'massgen', '.env')}.`;

const lookedAtHome = (): string =>
  `Looked in: the environment, ${join(home, '.massgen', '.env')}, ${join(home, '.config', 'massgen', '.env')}.`;

const team = `agents:
  - id: one
    backend:
      type: openai
      model: gpt-5.4
  - id: two
    backend:
      type: openai
      model: gpt-5.4
      api_key: \${MY_OPENAI_KEY}
  - id: three
    backend:
      type: openai
      model: gpt-5.4
`;

describe('keys of a team', () => {
  it('that are missing are named all at once, each where it is needed', async () => {
    expect(await lines(team)).toEqual([
      `4:7 error agents[0].backend: There is no key under the name OPENAI_API_KEY. Needed by one and three for OpenAI. ${lookedIn()} Set it, or name another one with api_key.`,
      `10:16 error agents[1].backend.api_key: There is no key under the name MY_OPENAI_KEY. Needed by two for OpenAI. ${lookedIn()} Set it, or name another one with api_key.`,
    ]);
  });

  it('that are missing are told by their names, for a click that adds them', async () => {
    const { problems } = await check(team);
    expect(problems.map(({ keyName }) => keyName)).toEqual(['OPENAI_API_KEY', 'MY_OPENAI_KEY']);
  });

  it('are not looked for by a check of the text', async () => {
    const { problems, config } = await check(team, { level: 'text' });
    expect(problems).toEqual([]);
    expect(config?.agents).toHaveLength(3);
  });

  it('that are set leave nothing to say', async () => {
    const environment = { OPENAI_API_KEY: 'k-1', MY_OPENAI_KEY: 'k-2' };
    const { problems, config } = await check(team, { environment });
    expect(problems).toEqual([]);
    expect(Object.isFrozen(config)).toBe(true);
    expect(JSON.stringify(config)).not.toContain('k-1');
  });

  it('are told beside errors of the text', async () => {
    const { problems } = await check(team.replace('id: two', 'idd: two'));
    expect(problems.map(({ code }) => code)).toEqual(['unset', 'unknown-key', 'missing']);
  });

  it('of the judge count too', async () => {
    const text = `agents:
  - {id: a, backend: {type: ollama, model: m}}
orchestrator:
  consensus:
    on_split: judge
    judge: {type: claude, model: claude-opus-4-6}
`;
    expect(await lines(text)).toEqual([
      expect.stringMatching(/^6:\d+ error orchestrator\.consensus\.judge.*Needed by the judge/),
    ]);
  });
});

describe('variables in settings', () => {
  const local = (address: string): string =>
    `agents:\n  - id: a\n    backend:\n      type: vllm\n      model: m\n      base_url: ${address}\n`;

  it('are filled in from the environment, and told where the file is asked about', async () => {
    const text = local('http://${MY_HOST}:${MY_PORT:-8000}/v1');
    const { config } = await check(text, { environment: { MY_HOST: 'gpu.example' } });
    expect(config?.agents[0]?.backend.options['base_url']).toBe('http://gpu.example:8000/v1');
    expect(config?.variables).toEqual(['MY_HOST', 'MY_PORT']);
    const kept = JSON.stringify(config && asWritten(config));
    expect(kept).toContain('http://${MY_HOST}:${MY_PORT:-8000}/v1');
    expect(kept).not.toContain('gpu.example');
    const tools = createTeamTools({
      ...{ installDir, clock: realClock, secrets: { get: async () => undefined } },
    });
    const egress = config && describeEgress(config, tools.backendKinds);
    expect(egress?.variables).toEqual(['MY_HOST', 'MY_PORT']);
    expect(egress?.hosts.map(({ host }) => host)).toEqual(['gpu.example:8000']);
  });

  it('that are not set are found with their line and with what was looked at', async () => {
    expect(await lines(local('http://${MY_HOST}:8000/v1'))).toEqual([
      `6:17 error agents[0].backend.base_url: The variable MY_HOST is not set. ${lookedAtHome()} Set it, or write \${MY_HOST:-VALUE} with what counts instead.`,
    ]);
    const { problems } = await check(local('http://${MY_HOST}:8000/v1'), { level: 'text' });
    expect(problems).toEqual([]);
  });

  it('come from files of the home, and never from a file of the project', async () => {
    writeFileSync(join(project, '.env'), 'MY_URL=http://evil.example/v1\n');
    expect((await check(local('${MY_URL}'))).config).toBeUndefined();
    mkdirSync(join(home, '.massgen'));
    writeFileSync(join(home, '.massgen', '.env'), 'MY_URL=http://home.example/v1\n');
    const { config } = await check(local('${MY_URL}'));
    expect(config?.agents[0]?.backend.options['base_url']).toBe('http://home.example/v1');
  });

  it.each([
    ['by its name', 'https://x.example/${MY_TOKEN}', 'MY_TOKEN is the name of a key'],
    ['by its value', 'https://x.example/${PLAIN}', 'The value of PLAIN looks like a key'],
    ['by its form', '${WITH_LOGIN}', 'The value of WITH_LOGIN looks like a key or has a password'],
  ])('never bring a key, known %s', async (_how, address, message) => {
    const environment = {
      MY_TOKEN: 'hidden-value-1',
      PLAIN: 'sk-abcdefghijklmnopqrstuvwx',
      WITH_LOGIN: 'https://me:hunter22@x.example/v1',
    };
    const found = await check(local(address), { environment });
    expect(found.config).toBeUndefined();
    expect(found.problems[0]?.message).toContain(message);
    expect(JSON.stringify(found)).not.toMatch(/hidden-value|abcdefghij|hunter22/);
  });

  it('are not repeated with their value when the whole is wrong', async () => {
    const found = await check(local('${MY_URL}'), { environment: { MY_URL: 'not-an-address' } });
    expect(found.problems[0]?.message).toBe(
      'With the values of its variables, ${MY_URL} is not a web address that begins with http:// or https://.',
    );
    expect(JSON.stringify(found)).not.toContain('not-an-address');
  });

  it('stay as they are in texts for models, and that is said', async () => {
    const text =
      'agents:\n  - {id: a, backend: {type: ollama, model: m}, system_message: "${HOME}"}\n';
    const { problems, config } = await check(text, { environment: { HOME: '/root' } });
    expect(problems.map(({ message }) => message)).toEqual([
      'No variable is filled in here; the text stays as it is.',
    ]);
    expect(config?.agents[0]?.systemMessage).toBe('${HOME}');
  });

  it('of servers are looked for before a run, those with something instead are not', async () => {
    const text = `agents:
  - id: a
    backend:
      type: ollama
      model: m
      mcp_servers:
        search:
          command: node
          args: [server.js, "--user=\${SEARCH_USER:-me}", "--dir=\${cwd}"]
          env:
            TOKEN: \${SEARCH_TOKEN}
        remote:
          url: https://tools.example/mcp
          headers: {Authorization: "Bearer \${REMOTE_TOKEN}"}
        off: {command: node, enabled: false, env: {X: "\${OFF_TOKEN}"}}
`;
    expect(await lines(text)).toEqual([
      expect.stringMatching(
        /^11:20 error agents\[0\]\.backend\.mcp_servers\.search\.env\.TOKEN: The variable SEARCH_TOKEN is not set\. Looked in: the environment, /,
      ),
      expect.stringMatching(
        /^14:36 error agents\[0\]\.backend\.mcp_servers\.remote\.headers\.Authorization: The variable REMOTE_TOKEN is not set\./,
      ),
    ]);
  });
});

describe('paths and programs of a team', () => {
  it('that are not there are named all at once', async () => {
    const text = `agents:
  - id: a
    backend:
      type: ollama
      model: m
      upload_files: [{image_path: plan.png}]
      custom_tools: [{function: count, path: tools/count.py}]
      mcp_servers: {search: {command: no-such-program-here, args: [x]}}
  - id: b
    backend: {type: acp, command: [no-such-agent-here, --acp]}
orchestrator:
  context_paths:
    - docs
    - path: src
      permission: write
`;
    expect(await lines(text)).toEqual([
      `6:35 error agents[0].backend.upload_files[0].image_path: There is nothing at ${join(project, 'plan.png')}.`,
      `7:46 error agents[0].backend.custom_tools[0].path: There is nothing at ${join(project, 'tools/count.py')}.`,
      '8:39 warning agents[0].backend.mcp_servers.search.command: no-such-program-here, the program of the server search, is not there in the folders of PATH. Install it, or write its whole path.',
      expect.stringMatching(
        /^10:\d+ error agents\[1\]\.backend\.command: no-such-agent-here, the program of .*, is not there in the folders of PATH\. Install it, or write its whole path\.$/,
      ),
      `13:7 error orchestrator.context_paths[0]: There is nothing at ${join(project, 'docs')}.`,
      `14:13 error orchestrator.context_paths[1].path: There is nothing at ${join(project, 'src')}.`,
    ]);
  });

  it('that begin with ~ are not there, as a run finds them, and what to write is told', async () => {
    const text = `agents:
  - id: a
    backend:
      type: ollama
      model: m
      upload_files: [{image_path: ~/plan.png}]
      custom_tools: [{function: count, path: ~/count.py}]
orchestrator:
  context_paths: ["~", "~/docs"]
`;
    const end = 'Write ${HOME} or the whole path in place of ~.';
    const told = await lines(text);
    expect(told.map((line) => line.slice(line.indexOf('There')))).toEqual(
      ['~/plan.png', '~/count.py', '~', '~/docs'].map(
        (path) => `There is nothing at ${join(project, path)}. ${end}`,
      ),
    );
  });

  it('that are there leave nothing to say', async () => {
    const program = join(root, 'server');
    writeFileSync(program, '#!/bin/sh\n');
    chmodSync(program, 0o755);
    mkdirSync(join(project, 'docs'));
    const text = `agents:
  - id: a
    backend: {type: ollama, model: m, mcp_servers: {s: {command: ${program}, args: []}}}
orchestrator:
  context_paths: [docs]
`;
    expect(await lines(text)).toEqual([]);
  });
});

describe('a block that cannot be used', () => {
  it('is found without its service being asked', async () => {
    const text = 'agents:\n  - {id: a, backend: {type: azure_openai, model: gpt-4o}}\n';
    const environment = { AZURE_OPENAI_API_KEY: 'k' };
    expect(await lines(text, { environment })).toEqual([
      expect.stringMatching(
        /^2:\d+ error agents\[0\]\.backend: The block of azure_openai has no address\. Write the address/,
      ),
    ]);
  });
});

describe('a check that is stopped', () => {
  it('ends with the reason', async () => {
    const stopped = AbortSignal.abort(new Error('enough'));
    const tools = createTeamTools({
      ...{ installDir, clock: realClock, secrets: { get: async () => undefined } },
    });
    await expect(
      tools.checkTeam({ text: team, file, level: 'environment' }, stopped),
    ).rejects.toThrow('enough');
  });
});
