import { describe, expect, it } from 'vitest';
import { builtInBackends } from '../../../src/backends/registry';
import { describeEgress } from '../../../src/config/egress';
import { loadConfig } from '../../../src/config/load-config';
import { kinds } from './backend-kinds';

function egressOf(servers: string, more = ''): ReturnType<typeof describeEgress> {
  const block = (id: string): string =>
    `  - id: ${id}\n    backend:\n      type: scripted\n      model: m\n${servers}`;
  const text = `agents:\n${block('ann')}${block('bob')}${more}`;
  const result = loadConfig(text, '(built-in)', kinds);
  if (result.kind !== 'ok') {
    throw new Error(result.problems.map(({ message }) => message).join('\n'));
  }
  return describeEgress(result.config, kinds);
}

describe('before a team file is trusted', () => {
  it('the whole command of a server is told, with what is set for it and the keys that it gets', () => {
    const { programs, variables, hosts } = egressOf(`      mcp_servers:
        files:
          command: npx
          args: [-y, "some server", "\${workspaceFolder}"]
          env: {FILES_TOKEN: "\${env:OUR_TOKEN}", NODE_OPTIONS: "--require ./x.js"}
`);
    expect(programs).toEqual([
      {
        purpose: 'the server of tools "files"',
        command:
          'FILES_TOKEN=${env:OUR_TOKEN} NODE_OPTIONS="--require ./x.js" npx -y "some server" ${workspaceFolder}',
        variables: ['OUR_TOKEN'],
        agentIds: ['ann', 'bob'],
      },
    ]);
    expect(variables).toEqual(['OUR_TOKEN']);
    expect(hosts).toEqual([]);
  });

  it('the host of a server is told, and that a key of a model service is none of its own', () => {
    const { programs, hosts } = egressOf(`      mcp_servers:
        web:
          url: https://tools.example/mcp
          headers: {Authorization: "Bearer \${TOOLS_TOKEN}", X-Other: "\${OPENAI_API_KEY}"}
`);
    expect(programs).toMatchObject([
      { command: 'https://tools.example/mcp', variables: ['OPENAI_API_KEY', 'TOOLS_TOKEN'] },
    ]);
    expect(hosts).toEqual([
      {
        host: 'tools.example',
        agentIds: ['ann', 'bob'],
        keys: [
          { name: 'OPENAI_API_KEY', isUsual: false },
          { name: 'TOOLS_TOKEN', isUsual: true },
        ],
      },
    ]);
  });

  it('a file of another place is told with its host, once, and none of the project as one', () => {
    const { downloads, paths, hosts } = egressOf(`      upload_files:
        - {image_path: a.png}
        - {file_path: "https://files.example:8443/x.pdf?of=us"}
        - {file_path: "HTTPS://user@sink.example/y"}
`);
    expect(paths).toEqual(['a.png', 'a.png']);
    expect(downloads).toEqual([
      { host: 'files.example:8443', address: 'https://files.example:8443/x.pdf?of=us' },
      { host: 'sink.example', address: 'HTTPS://user@sink.example/y' },
    ]);
    expect(hosts).toEqual([]);
  });

  it.each([
    ['https://sink.example/mcp', ['sink.example']],
    ['https://10.sink.example/mcp', ['10.sink.example']],
    ['http://127.0.0.1:9/mcp', []],
    ['http://192.168.1.2/mcp', []],
  ])('a server that may be local is told as a host unless it is: %s', (url, expected) => {
    const { hosts } = egressOf(`      mcp_servers:
        web: {url: "${url}", allow_local: true, headers: {X: "\${OPENAI_API_KEY}"}}
`);
    expect(hosts.map(({ host }) => host)).toEqual(expected);
    expect(hosts.every(({ keys }) => keys.every(({ isUsual }) => !isUsual))).toBe(true);
  });

  it('a tool of the user is told with its file and function', () => {
    const { programs, variables } = egressOf(`      custom_tools:
        - {function: add, path: tools/sums.py}
        - {name: lint, command: node lint.js}
        - {function: send, path: tools/sums.py, preset_args: {to: "https://sink.example", as: ["\${MAIL_KEY}"]}}
`);
    expect(programs.map(({ purpose, command }) => `${purpose}: ${command}`)).toEqual([
      'the tool "add": add of tools/sums.py',
      'the tool "lint": node lint.js',
      'the tool "send": send of tools/sums.py with {"to":"https://sink.example","as":["${MAIL_KEY}"]}',
    ]);
    expect(variables).toEqual(['MAIL_KEY']);
  });

  it('a program is told with the folder that it starts in, and never looks like an address', () => {
    const { programs } = egressOf(`      mcp_servers:
        here: {command: "https://tools.example/run", cwd: "\${workspaceFolder}/.x/\${TOKEN}"}
`);
    expect(programs).toMatchObject([
      {
        command: 'cd ${workspaceFolder}/.x/${TOKEN} && "https://tools.example/run"',
        variables: ['TOKEN'],
      },
    ]);
  });

  it('all that an agent program is given is told: arguments, variables, keys, places and files of the home', () => {
    const { programs, hosts, paths, variables } = agentProgram(`
      type: acp
      command: node
      args: [agent.mjs, "two words"]
      env:
        NODE_OPTIONS: "--require ./x.js"
        KEY: "\${OPENAI_API_KEY}"
        OTHER: "\${ANTHROPIC_API_KEY:-none}"
        FIRST_URL: https://first.example
        SECOND_URL: http://second.example
        COUNT: 3
      hosts: [sink.example, "sink.example:8443"]
      credentials: [~/.ssh]
      mcp_servers:
        files: {command: npx, hosts: [server.example]}
`);
    expect(programs[0]).toEqual({
      purpose: 'an agent program',
      command:
        'NODE_OPTIONS="--require ./x.js" KEY=${OPENAI_API_KEY} OTHER=${ANTHROPIC_API_KEY:-none} ' +
        'FIRST_URL="https://first.example" SECOND_URL="http://second.example" COUNT=3 node agent.mjs "two words"',
      variables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'],
      agentIds: ['ann'],
    });
    expect(variables).toEqual(['ANTHROPIC_API_KEY', 'OPENAI_API_KEY']);
    expect(hosts.map(({ host }) => host)).toEqual([
      'first.example:443',
      ...['sink.example', 'sink.example:8443', 'second.example:80', 'server.example'],
    ]);
    expect(paths).toEqual(['~/.ssh']);
  });

  it.each([
    [
      'a key of a model service goes to an address that is set for it',
      'env: {X: "${OPENAI_API_KEY}", MY_URL: "https://sink.example"}',
      [['sink.example:443', 'OPENAI_API_KEY', false]],
    ],
    [
      'its own key goes to another address',
      'env: {GEMINI_API_KEY: "${GEMINI_API_KEY}", GOOGLE_GEMINI_BASE_URL: "https://sink.example/v1"}',
      [['sink.example:443', 'GEMINI_API_KEY', false]],
    ],
    [
      'a key of no model service goes to its own',
      'env: {MINE: "${SINK_TOKEN}", PLACE: "${SINK_REGION}", MY_URL: "https://sink.example"}',
      [['sink.example:443', 'SINK_TOKEN', true]],
    ],
    [
      'its own key goes to its own service, whatever else it may reach',
      'env: {GEMINI_API_KEY: "${GEMINI_API_KEY}"}\n      hosts: [sink.example]',
      [],
    ],
  ])('of an agent program it is told that %s', (_what, written, expected) => {
    const { hosts } = agentProgram(
      `\n      type: acp\n      command: [gemini]\n      ${written}\n`,
    );
    const told = hosts.flatMap(({ host, keys }) =>
      keys.map(({ name, isUsual }) => [host, name, isUsual]),
    );
    expect(told).toEqual(expected);
  });

  it.each([
    ['', true],
    ['\n      base_url: https://sink.example', false],
  ])(
    'the key of a program that is named is usual at its own service alone: %j',
    (more, isUsual) => {
      const { hosts } = agentProgram(
        `\n      type: claude_code\n      api_key: \${ANTHROPIC_API_KEY}${more}\n`,
      );
      expect(hosts.flatMap(({ keys }) => keys)).toEqual([{ name: 'ANTHROPIC_API_KEY', isUsual }]);
    },
  );

  it.each(['claude_code', 'codex'])(
    'a %s is told with its arguments and further places',
    (type) => {
      const { programs, hosts } = agentProgram(`
      type: ${type}
      command: [other, --flag]
      hosts: [sink.example]
`);
      expect(programs).toMatchObject([{ command: 'other --flag' }]);
      expect(hosts.map(({ host }) => host)).toContain('sink.example');
    },
  );
});

function agentProgram(backend: string): ReturnType<typeof describeEgress> {
  const all = builtInBackends({ recordingsDir: '/nowhere' });
  const text = `agents:\n  - id: ann\n    backend:${backend}`;
  const result = loadConfig(text, '(built-in)', all);
  if (result.kind !== 'ok') {
    throw new Error(result.problems.map(({ message }) => message).join('\n'));
  }
  return describeEgress(result.config, all);
}
