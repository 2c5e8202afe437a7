import { describe, expect, it } from 'vitest';
import { LineCounter, parseDocument } from 'yaml';
import { ProblemList } from '../../../src/config/problem-list';
import type { ConfigProblem } from '../../../src/config/run-config';
import { customTools } from '../../../src/config/schema/custom-tools';
import { ReadContext } from '../../../src/config/schema/read-context';
import type { Spec } from '../../../src/config/schema/spec';
import { toolServers } from '../../../src/config/schema/tool-servers';

interface Read<T> {
  readonly value: T | undefined;
  readonly problems: readonly ConfigProblem[];
  /** Place, code and severity of each, in the order of the file. */
  readonly told: readonly string[];
}

function read<T>(spec: Spec<T>, yaml: string): Read<T> {
  const lineCounter = new LineCounter();
  const document = parseDocument(yaml, { lineCounter });
  const problems = new ProblemList('team.yaml', lineCounter);
  const { contents } = document;
  const value =
    contents === null ? undefined : spec.read(contents, ReadContext.atTop(document, problems));
  const all = problems.sorted();
  return {
    value,
    problems: all,
    told: all.map(({ keyPath, code, severity }) => `${keyPath} ${code} ${severity}`),
  };
}

const servers = (yaml: string): ReturnType<typeof read<unknown>> => read(toolServers(), yaml);

const weather = {
  name: 'weather',
  transport: { type: 'stdio', command: ['npx', '-y', 'weather-mcp'], environment: {} },
  excludedTools: [],
};

describe('servers of tools', () => {
  it.each([
    ['a list', '- {name: weather, type: stdio, command: npx, args: [-y, weather-mcp]}'],
    ['a mapping by name', 'weather: {type: stdio, command: npx, args: [-y, weather-mcp]}'],
    ['a single server', '{name: weather, type: stdio, command: npx, args: [-y, weather-mcp]}'],
    ['a server without a type', 'weather: {command: npx -y weather-mcp}'],
    ['a command as a list', 'weather: {command: [npx, -y, weather-mcp]}'],
    ['arguments alone', 'weather: {args: [npx, -y, weather-mcp]}'],
  ])('are read from %s', (_what, yaml) => {
    expect(servers(yaml)).toMatchObject({ value: [weather], told: [] });
  });

  it('have a name by their place in a list', () => {
    expect(servers('- {command: one}\n- {command: two}').value).toMatchObject([
      { name: 'server_0' },
      { name: 'server_1' },
    ]);
  });

  it.each(['[]', '{}', 'null'])('are none for %s', (yaml) => {
    expect(servers(yaml)).toMatchObject({ value: [], told: [] });
  });

  it('may be called as a key of a server is', () => {
    expect(servers('url: {command: one}').value).toMatchObject([{ name: 'url' }]);
  });

  it('keep variables and places as they are written, and paths with spaces whole', () => {
    const yaml = `files:
  command: /opt/My Tools/server
  args: ["--root", "\${workspaceFolder}/a b", ""]
  env: {TOKEN: "\${env:FILES_TOKEN}", VERBOSE: 1, VERSION: 1.0}
  cwd: sub folder`;
    expect(servers(yaml)).toMatchObject({
      told: [],
      value: [
        {
          transport: {
            command: ['/opt/My Tools/server', '--root', '${workspaceFolder}/a b', ''],
            environment: { TOKEN: '${env:FILES_TOKEN}', VERBOSE: '1', VERSION: '1.0' },
            cwd: 'sub folder',
          },
        },
      ],
    });
  });

  it('split a command by its spaces, except in quotes', () => {
    const yaml = `a: {command: 'node "/my tools/server.js" --name=''x y'' z'}`;
    expect(servers(yaml).value).toMatchObject([
      { transport: { command: ['node', '/my tools/server.js', '--name=x y', 'z'] } },
    ]);
  });

  it('are reached over the network by their url', () => {
    const yaml = `web:
  url: https://tools.example/mcp?key=\${WEB_KEY}
  headers: {Authorization: "Bearer \${WEB_TOKEN}"}
  timeout: 1.5
  allowed_tools: [search, mcp__web__open]
  exclude_tools: delete
  hosts: [a.example]`;
    expect(servers(yaml)).toMatchObject({
      told: ['web no-effect warning'],
      value: [
        {
          name: 'web',
          transport: {
            type: 'http',
            url: 'https://tools.example/mcp?key=${WEB_KEY}',
            headers: { Authorization: 'Bearer ${WEB_TOKEN}' },
          },
          allowedTools: ['search', 'mcp__web__open'],
          excludedTools: ['delete'],
          callTimeoutMs: 1500,
        },
      ],
    });
  });

  it('are left out when they are switched off', () => {
    const yaml =
      'a: {command: x, enabled: false}\nb: {command: x, disabled: true}\nc: {command: x}';
    expect(servers(yaml).value).toMatchObject([{ name: 'c' }]);
  });

  it('may be local only when that is permitted, in our words or in those of MassGen', () => {
    const at = (more: string): string => `a: {url: "http://localhost:8000/mcp"${more}}`;
    expect(servers(at('')).told).toEqual(['a wrong-value error']);
    expect(servers(at(', allow_local: true'))).toMatchObject({
      told: [],
      value: [{ isLocalAllowed: true }],
    });
    expect(servers(at(', security: {allow_localhost: true, level: strict}')).told).toEqual([]);
    expect(servers(at(', security: {allowed_hostnames: [localhost]}')).told).toEqual([]);
  });

  it('refuse words of security that would mean nothing, and warn of a level that is none', () => {
    const at = (security: string): string => `a: {command: x, security: {${security}}}`;
    expect(servers(at('level: high')).told).toEqual(['a.security.level wrong-value warning']);
    expect(servers(at('env: {level: all}')).told).toEqual([
      'a.security.env.level wrong-value warning',
    ]);
    expect(servers(at('env: {mode: all}')).told).toEqual(['a.security.env.mode wrong-value error']);
    expect(
      servers(at('level: moderate, env: {level: strict, mode: allowlist, allowed_vars: [X]}')).told,
    ).toEqual([]);
  });

  it('are all checked, each problem at its own place', () => {
    const yaml = `- {name: "no spaces", command: x}
- {name: twice, command: x}
- {name: twice, command: x}
- {name: none}
- text
- {name: old, type: sse, url: "https://a.example/sse"}
- {name: ssh, url: "https://a.example:22/"}
- {name: file, url: "file:///etc/passwd"}
- {name: host, url: "https://\${HOST}/"}
- {name: user, url: "https://me:word@a.example/"}
- {name: typo, comand: x, type: stdoi}
- {name: slow, command: x, timeout: 0}`;
    expect(servers(yaml).told).toEqual([
      '[0] wrong-value error',
      '[2] duplicate error',
      '[3] missing error',
      '[4] wrong-type error',
      '[5] not-supported warning',
      '[6].url wrong-value error',
      '[7].url wrong-value error',
      '[8].url wrong-value error',
      '[9].url literal-key error',
      '[10] missing error',
      '[10].comand unknown-key warning',
      '[10].type wrong-value error',
      '[11].timeout wrong-value error',
    ]);
  });

  it.each([
    ['env', 'a: {command: x, env: {MY_TOKEN: hunter2-hunter2}}', 'a.env.MY_TOKEN'],
    [
      'headers',
      'a: {url: "https://a.example", headers: {Authorization: hunter2-hunter2}}',
      'a.headers.Authorization',
    ],
    ['args', 'a: {command: x, args: [sk-hunter2hunter2hunter2]}', 'a.args[0]'],
    ['command', 'a: {command: "x --key sk-hunter2hunter2hunter2"}', 'a.command'],
    ['url', 'a: {url: "https://a.example/?key=sk-hunter2hunter2hunter2"}', 'a.url'],
  ])('must not hold a key in %s, and no message repeats it', (_where, yaml, place) => {
    const { problems } = servers(yaml);
    expect(problems.some(({ keyPath, code }) => keyPath === place && code === 'literal-key')).toBe(
      true,
    );
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });

  it('are refused as a whole when they are neither list nor mapping', () => {
    expect(servers('weather').told).toEqual([' wrong-type error']);
  });
});

const custom = (yaml: string): ReturnType<typeof read<unknown>> => read(customTools(), yaml);

describe('programs that a server may start', () => {
  const server = (command: string): string =>
    `x: {command: ${command}, security: {allowed_executables: [npx]}}`;

  it('are those that its file lists, wherever they are', () => {
    expect(servers(server('/usr/bin/npx')).told).toEqual([]);
    expect(servers(server('uvx')).told).toEqual(['x wrong-value error']);
  });
});

describe('tools of the user', () => {
  it('are functions of a file, each with its own name, words and fixed arguments', () => {
    const yaml = `- function: [add, sub]
  path: tools/sums.py
  name: [plus, minus]
  description: [Adds., Subtracts.]
  preset_args: [{precision: 2}, {}]`;
    expect(custom(yaml)).toEqual({
      problems: [],
      told: [],
      value: [
        {
          name: 'plus',
          description: 'Adds.',
          presetArguments: { precision: 2 },
          run: { kind: 'module', path: 'tools/sums.py', function: 'add' },
        },
        {
          name: 'minus',
          description: 'Subtracts.',
          presetArguments: {},
          run: { kind: 'module', path: 'tools/sums.py', function: 'sub' },
        },
      ],
    });
  });

  it('are called by the name of the function when they have no other', () => {
    expect(custom('- {function: add, path: a.mjs}').value).toMatchObject([
      { name: 'add', description: undefined, presetArguments: {} },
    ]);
  });

  it('can be a command', () => {
    const yaml = '- {name: lint, command: "node tools/lint.js", input_schema: {type: object}}';
    expect(custom(yaml)).toMatchObject({
      told: [],
      value: [
        {
          name: 'lint',
          run: { kind: 'command', command: ['node', 'tools/lint.js'] },
          inputSchema: { type: 'object' },
        },
      ],
    });
  });

  it.each([
    ['massgen/tool/_multimodal_tools/understand_image.py', 'understand_image', 'read_image'],
    ['massgen/tool/_web_tools/crawl4ai_tool.py', 'crawl4ai_md', 'fetch_url'],
    ['/src/massgen/tool/_basic/_two_num_tool.py', 'two_num_tool', 'not available yet'],
    ['massgen/tool/_new_tools/x.py', 'x', 'not available yet'],
    [undefined, 'two_num_tool', 'not available yet'],
  ])('of MassGen itself (%s) are told with what stands for them', (path, name, words) => {
    const { value, problems } = custom(
      `- {function: ${name}${path === undefined ? '' : `, path: ${path}`}}`,
    );
    expect(value).toEqual([]);
    expect(problems).toMatchObject([{ severity: 'warning', code: 'not-supported' }]);
    expect(problems[0]?.message).toContain(words);
  });

  it('are all checked, each problem at its own place', () => {
    const yaml = `- {path: a.py}
- {function: [a, b], path: a.py, name: [one]}
- {function: unknown}
- {function: a, path: a.rb}
- {command: x}
- {function: a, path: a.py, default_params: {x: 1}}
- {function: a, path: b.py}`;
    expect(custom(yaml).told).toEqual([
      ' duplicate error',
      '[0] missing error',
      '[1] wrong-value error',
      '[2] missing error',
      '[3] wrong-value error',
      '[4] missing error',
      '[5] no-effect warning',
    ]);
  });
});
