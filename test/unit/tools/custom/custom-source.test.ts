import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Tool, ToolContext, ToolServerChange } from '../../../../src/core/ports/tool';
import type { CustomTool } from '../../../../src/tools/custom/custom-parts';
import { createCustomTools } from '../../../../src/tools/custom/custom-source';
import { confinedRun, isLayered, named } from '../../workspace/confinement/confined-run';
import { bytes, fill, never, startRun, tempFolder } from '../../workspace/temp-project';

const javascript = `
let calls = 0;
/**
 * Adds two numbers.
 *
 * And counts.
 * @param {number} a - The first,
 *   or whatever.
 * @param {number} [b=1] The second.
 * @returns {number} The sum.
 */
export function add(a, b = 1, /* unseen, as all comments ( */ ...rest) {
  console.log('noise');
  calls++;
  return { sum: a + b, calls, rest };
}

/** Tells about a city. @see nobody */
export const city = async ({ name, unit = 'C', days = 3, tags = [] }) =>
  [name, unit, days, tags].join(' ');

/** @param {'a'|'b'} kind @param {string[]} list */
export function kinds(kind, list) { return undefined; }

export function bad() { throw new TypeError('no such thing'); }
export function hangs() { return new Promise(() => setInterval(() => undefined, 1000)); }
export function where(agent_cwd) { return agent_cwd; }
export const reach = async () => {
  try { return (await fetch('http://127.0.0.1:9/')).status; } catch { return 'unreachable'; }
};
`;

const python = `
from typing import Literal, Optional
from massgen.tool._result import ExecutionResult, TextContent

def greet(name: str, times: int = 1, mood: Literal["glad", "sad"] = "glad",
          tags: Optional[list[str]] = None) -> str:
    """Greets somebody.

    More than once if need be.

    Args:
        name (str): Who is greeted,
            by the full name.
        times: How often.

    Returns:
        The greeting.
    """
    print("noise")
    return " ".join(["héllo %s (%s)" % (name, mood)] * times)

async def compat(text: str, **rest) -> ExecutionResult:
    """Answers in blocks.

    :param text: What is said.
    """
    return ExecutionResult(output_blocks=[TextContent(data=text), TextContent(data=str(rest))])

def bad(x):
    raise ValueError("not " + str(x))

def data(): return {"a": [1, "ü"]}
`;

interface Bench {
  readonly tools: readonly Tool[];
  readonly changes: ToolServerChange[];
  /** Each question, with what it was about unless that was a tool. */
  readonly asked: string[];
  readonly project: string;
  readonly call: (name: string, input: unknown) => ReturnType<Tool['run']>;
  readonly agent: ToolContext['workspace'];
}

interface Options {
  readonly isAllowed?: boolean;
  readonly commandTimeoutMs?: number;
  readonly isConfined?: boolean;
}

async function bench(tools: readonly Partial<CustomTool>[], options: Options = {}): Promise<Bench> {
  const project = tempFolder();
  fill(project, { 'tools/a.mjs': javascript, 'tools/b.py': python, 'bin/up.sh': 'tr a-z A-Z' });
  const run = options.isConfined === true ? confinedRun(project) : startRun(project);
  const agent = await run.agent();
  const asked: string[] = [];
  const context: ToolContext = {
    workspace: agent,
    slot: 1,
    seenPaths: new Set(),
    commandTimeoutMs: options.commandTimeoutMs ?? 60_000,
    approveCommand: async ({ command, isConfined, ...kind }) => {
      const about = 'isTool' in kind ? '' : ' (a command)';
      asked.push(`${command}${isConfined ? ' (confined)' : ''}${about}`);
      return options.isAllowed ?? true;
    },
  };
  const changes: ToolServerChange[] = [];
  const configs = tools.map((tool): CustomTool => ({
    ...{ name: 'tool', description: undefined, presetArguments: {} },
    run: { kind: 'module', path: 'tools/a.mjs', function: tool.name ?? '' },
    ...tool,
  }));
  const parts = {
    ...{ workspace: agent, projectFolder: project, userHome: '/home/user' },
    secrets: { get: async (name: string) => (name === 'KEY' ? 'key-of-the-user' : undefined) },
    redact: (text: string) => text.replaceAll('key-of-the-user', '[secret removed]'),
  };
  const source = createCustomTools(configs, {
    ...parts,
    onChange: (change) => changes.push(change),
  });
  const found = (await source?.tools(context, never)) ?? [];
  return {
    ...{ tools: found, changes, asked, project, agent },
    call: async (name, input) => {
      const tool = found.find((each) => each.name === `custom_tool__${name}`);
      return tool === undefined
        ? Promise.reject(new Error(`no ${name}`))
        : tool.run(input, context, never);
    },
  };
}

const inPython = (name: string): Partial<CustomTool> => ({
  name,
  run: { kind: 'module', path: 'tools/b.py', function: name },
});

describe('a function of JavaScript', () => {
  test('is described by its signature and the comment before it', async () => {
    const { tools, asked } = await bench([{ name: 'add' }, { name: 'city' }, { name: 'kinds' }]);
    expect(asked.toSorted()).toEqual([
      ...['add (read what it is)', 'city (read what it is)', 'kinds (read what it is)'],
    ]);
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ['custom_tool__add', 'Adds two numbers. And counts.'],
      ['custom_tool__city', 'Tells about a city.'],
      ['custom_tool__kinds', 'A tool of the user: kinds.'],
    ]);
    expect(tools.map(({ inputSchema }) => inputSchema)).toEqual([
      {
        type: 'object',
        properties: {
          a: { type: 'number', description: 'The first, or whatever.' },
          b: { type: 'number', description: 'The second.' },
        },
        required: ['a'],
        additionalProperties: true,
      },
      {
        type: 'object',
        properties: {
          name: {},
          unit: { type: 'string' },
          days: { type: 'number' },
          tags: { type: 'array' },
        },
        required: ['name'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: {
          kind: { type: 'string', enum: ['a', 'b'] },
          list: { type: 'array', items: { type: 'string' } },
        },
        required: ['kind', 'list'],
        additionalProperties: false,
      },
    ]);
  });

  test('is called in a program of its own each time, with its arguments in place', async () => {
    const { call } = await bench([{ name: 'add' }, { name: 'city' }, { name: 'kinds' }]);
    for (let round = 0; round < 2; round++) {
      expect(JSON.parse((await call('add', { a: 2, b: 3 })).text)).toEqual({
        ...{ sum: 5, calls: 1, rest: [] },
      });
    }
    expect(JSON.parse((await call('add', { a: 2 })).text)).toMatchObject({ sum: 3 });
    expect((await call('city', { name: 'Ülm', days: 2 })).text).toBe('Ülm C 2 ');
    expect(await call('kinds', {})).toEqual({ text: '(no result)', isError: false });
  });

  test('gives the model its failure in words', async () => {
    const { call } = await bench([{ name: 'bad' }]);
    expect(await call('bad', {})).toEqual({ text: 'TypeError: no such thing', isError: true });
  });

  test('is stopped when it takes too long', async () => {
    const { call } = await bench([{ name: 'hangs' }], { commandTimeoutMs: 1500 });
    expect(await call('hangs', {})).toEqual({
      text: 'It was stopped after 1.5 s: time limit.',
      isError: true,
    });
  });
});

describe('a function of Python', () => {
  test('is described by its annotations and its docstring', async () => {
    const { tools } = await bench([inPython('greet'), inPython('compat')]);
    expect(tools.map(({ description, inputSchema }) => [description, inputSchema])).toEqual([
      [
        'Greets somebody. More than once if need be.',
        {
          type: 'object',
          properties: {
            name: { type: 'string', description: 'Who is greeted, by the full name.' },
            times: { type: 'integer', description: 'How often.' },
            mood: { type: 'string', enum: ['glad', 'sad'] },
            tags: { type: 'array', items: { type: 'string' } },
          },
          required: ['name'],
          additionalProperties: false,
        },
      ],
      [
        'Answers in blocks.',
        {
          type: 'object',
          properties: { text: { type: 'string', description: 'What is said.' } },
          required: ['text'],
          additionalProperties: true,
        },
      ],
    ]);
  });

  test('gives its result as text, also one in the blocks that MassGen knows', async () => {
    const { call } = await bench(['greet', 'compat', 'data', 'bad'].map(inPython));
    expect((await call('greet', { name: 'Zoë', times: 2 })).text).toBe(
      'héllo Zoë (glad) héllo Zoë (glad)',
    );
    expect((await call('compat', { text: 'said', more: 1 })).text).toBe("said\n{'more': 1}");
    expect(JSON.parse((await call('data', {})).text)).toEqual({ a: [1, 'ü'] });
    expect(await call('bad', { x: 1 })).toEqual({ text: 'ValueError: not 1', isError: true });
  });
});

describe('a tool of the user', () => {
  test('has arguments that the model neither sees nor changes', async () => {
    const { tools, call, agent } = await bench([
      { name: 'add', presetArguments: { b: 40 } },
      { name: 'where' },
    ]);
    expect(Object.keys(tools[0]?.inputSchema['properties'] ?? {})).toEqual(['a']);
    expect(tools[1]?.inputSchema).toMatchObject({ properties: {}, required: [] });
    expect(JSON.parse((await call('add', { a: 2, b: 1 })).text)).toMatchObject({ sum: 42 });
    expect((await call('where', { agent_cwd: '/etc' })).text).toBe(agent.roots[0]?.shownPath);
  });

  test('gets variables that are set for it, whose values reach no model', async () => {
    const long = (presetArguments: Record<string, unknown>): Partial<CustomTool> => ({
      ...{ name: 'city', description: 'City.', inputSchema: { type: 'object' }, presetArguments },
    });
    const { call, asked } = await bench([long({ name: 'of ${KEY}', tags: [{ a: '${env:KEY}' }] })]);
    expect((await call('city', { name: 'x' })).text).toMatch(/^of \[secret removed\] C 3/);
    expect(asked).toEqual(['city {"name":"x"}']);
    const missing = await bench([long({ name: '${NONE}' })]);
    expect(await missing.call('city', {})).toMatchObject({
      text: expect.stringContaining('The variable NONE is not set.') as unknown,
      isError: true,
    });
  });

  test('has a name of its own, however alike the names of the user are', async () => {
    const told = { description: 'A.', inputSchema: { type: 'object' } };
    const names = ['a.b', 'a_b', 'a/b', 'x'.repeat(70), `${'x'.repeat(70)}y`];
    const { tools } = await bench(names.map((name) => ({ name, ...told })));
    expect(new Set(tools.map(({ name }) => name)).size).toBe(5);
    expect(tools.every(({ name }) => /^custom_tool__[\w-]{1,51}$/.test(name))).toBe(true);
  });

  test('that floods its output is no answer, and no fault inside', async () => {
    const { call, project } = await bench([
      { name: 'flood', description: 'F.', inputSchema: { type: 'object' } },
    ]);
    writeFileSync(
      join(project, 'tools/a.mjs'),
      'export const flood = () => "x".repeat(20 * 1024 * 1024);',
    );
    expect(await call('flood', {})).toMatchObject({
      text: expect.stringContaining('longer than can be taken') as unknown,
      isError: true,
    });
  });

  test('is asked about before each call, and not run when that is denied', async () => {
    const told = { description: 'Adds.', inputSchema: { type: 'object' } };
    const { call, asked } = await bench([{ name: 'add', ...told }], { isAllowed: false });
    expect(await call('add', { a: 1 })).toEqual({
      text: 'The tool was not run: it was not allowed. Go on without it.',
      isError: true,
    });
    expect(asked).toEqual(['add {"a":1}']);
  });

  test('that cannot be used is told with the reason and left out', async () => {
    const { tools, changes } = await bench([
      { name: 'nothing' },
      { name: 'gone', run: { kind: 'module', path: 'tools/gone.mjs', function: 'x' } },
      { name: 'add' },
    ]);
    expect(tools.map(({ name }) => name)).toEqual(['custom_tool__add']);
    expect(changes.map(({ server, status, message = '' }) => [server, status, message])).toEqual([
      [
        'custom tool nothing',
        'failed',
        expect.stringContaining('There is no function nothing in it; it exports: add, bad,'),
      ],
      [
        'custom tool gone',
        'failed',
        expect.stringMatching(/tools\/gone\.mjs.* Correct the path in the team file\./),
      ],
      ['custom tool add', 'ready', ''],
    ]);
  });

  test('runs only as the user has it, not as an agent or anybody has changed it', async () => {
    const { call, agent, project } = await bench([{ name: 'add' }]);
    await agent.writeFile('tools/a.mjs', bytes('export const add = () => "mine";'), never);
    const refused = { text: expect.stringContaining('was changed') as unknown, isError: true };
    expect(await call('add', { a: 1 })).toEqual(refused);
    await agent.writeFile('tools/a.mjs', bytes(javascript), never);
    expect((await call('add', { a: 1 })).isError).toBe(false);
    writeFileSync(join(project, 'tools/a.mjs'), 'export const add = () => "other";');
    expect(await call('add', { a: 1 })).toEqual(refused);
  });

  test('may be a program that reads JSON and prints', async () => {
    const program = (...command: [string, ...string[]]): Partial<CustomTool> => ({
      ...{ name: command.at(-1)?.replace(/\W/g, '') ?? '', run: { kind: 'command', command } },
    });
    const { call, tools } = await bench([
      program('tr', 'a-z', 'A-Z'),
      program('sh', '-c', 'echo part; echo why >&2; exit 3'),
    ]);
    expect((await call('AZ', { a: 'b' })).text).toBe('{"A":"B"}');
    expect(tools[0]?.inputSchema).toEqual({
      ...{ type: 'object', properties: {}, additionalProperties: true },
    });
    expect(await call('echopartechowhy2exit3', {})).toEqual({
      text: 'part\n[It ended with exit code 3. It said: why]',
      isError: true,
    });
  });
});

describe.skipIf(!isLayered)(named('a confined tool of the user'), () => {
  test('runs over the view of its agent, cannot reach this machine, and is told as confined', async () => {
    const { call, asked } = await bench([{ name: 'reach' }, inPython('greet')], {
      isConfined: true,
    });
    expect((await call('reach', {})).text).toBe('unreachable');
    expect((await call('greet', { name: 'Zoë' })).text).toBe('héllo Zoë (glad)');
    expect(asked).toEqual(['reach {} (confined)', 'greet {"name":"Zoë"} (confined)']);
  });
});
