import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileToolMemory } from '../../../../src/tools/mcp/tool-memory';
import { FakeClock } from '../../../support/fake-clock';
import { confinedRun, isLayered, named } from '../../workspace/confinement/confined-run';
import { tempFolder } from '../../workspace/temp-project';
import { type McpBench, mcpBench, stub, stubFile } from './mcp-bench';

const namesOf = async (bench: McpBench): Promise<readonly string[]> =>
  (await bench.tools()).map(({ name }) => name);

const told = ({ changes }: McpBench): readonly string[] =>
  changes.map(({ server, status }) => `${server} ${status}`);

/** Processes of this stub that run now. */
function running(mark: string): number {
  const list = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  return list.split('\n').filter((line) => line.includes(mark) && !line.includes('ps -eo')).length;
}

describe('the servers of an agent', () => {
  it('are started with the first turn, once, and their tools stay in one order', async () => {
    const bench = await mcpBench([stub(['log=LOG']), stub(['paged'], { name: 'other' })]);
    expect(bench.changes).toEqual([]);
    const first = await namesOf(bench);
    expect(first.filter((name) => name.endsWith('echo'))).toEqual([
      'mcp__stub__echo',
      'mcp__other__echo',
    ]);
    expect(await namesOf(bench)).toEqual(first);
    expect(first.filter((name) => name.startsWith('mcp__other__'))).toHaveLength(first.length / 2);
    expect(bench.logged().filter((line) => line.startsWith('started'))).toHaveLength(1);
  });

  it('bring only the tools that are wanted, by their own or their whole name', async () => {
    const bench = await mcpBench([
      stub([], { allowedTools: ['echo', 'mcp__stub__big', 'hang'], excludedTools: ['hang'] }),
    ]);
    expect(await namesOf(bench)).toEqual([
      ...['mcp__stub__echo', 'mcp__stub__big', 'mcp__stub__read_resource', 'mcp__stub__get_prompt'],
    ]);
  });

  it('that fail hold up no other one, and the reason is told without a value of a variable', async () => {
    const bench = await mcpBench(
      [
        stub(['dies'], { name: 'dying' }, { STUB_TOKEN: '${MY_TOKEN}' }),
        stub([], { name: 'unset' }, { STUB_TOKEN: '${NOT_SET}' }),
        stub([], {
          name: 'missing',
          transport: { type: 'stdio', command: ['massgen-no-such-program'], environment: {} },
        }),
        stub(),
      ],
      {
        secrets: { get: async (name) => (name === 'MY_TOKEN' ? 'token-of-the-user' : undefined) },
        redact: (text) => text.replaceAll('token-of-the-user', '[secret removed]'),
      },
    );
    expect(await namesOf(bench)).toContain('mcp__stub__echo');
    const reasons = Object.fromEntries(
      bench.changes.flatMap(({ server, message }) =>
        message === undefined ? [] : [[server, message]],
      ),
    );
    expect(reasons['missing']).toContain('massgen-no-such-program');
    expect(reasons).toMatchObject({
      dying:
        'The server has ended. Look at the command, args and env of its entry, and whether it goes on to run in a terminal. It said last: The token [secret removed] is wrong.',
      unset: 'The variable NOT_SET is not set. Set the key NOT_SET.',
    });
  });

  it('that die at each start are told with the last words of that start alone', async () => {
    const bench = await mcpBench([stub(['dies'])]);
    await bench.tools();
    await bench.tools();
    const failures = bench.changes.filter(({ status }) => status === 'failed');
    expect(failures).toHaveLength(2);
    expect(failures[1]?.message?.match(/is wrong/g)).toHaveLength(1);
  });

  it('may print what is no message', async () => {
    const bench = await mcpBench([stub(['noise'])]);
    expect(await namesOf(bench)).toContain('mcp__stub__echo');
  });

  it('that are slow are not waited for beyond half a minute, nor again in later turns', async () => {
    const clock = new FakeClock();
    const bench = await mcpBench([stub(['slow'], { name: 'slow' }), stub()], { clock });
    const turn = bench.tools();
    while (!told(bench).includes('stub ready')) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    clock.advance(30_000);
    expect((await turn).every(({ name }) => name.startsWith('mcp__stub__'))).toBe(true);
    expect(await namesOf(bench)).toContain('mcp__stub__echo');
    expect(told(bench)).toEqual(['slow connecting', 'stub connecting', 'stub ready']);
    clock.advance(90_000);
    while (!told(bench).includes('slow failed')) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(bench.changes.at(-1)?.message).toBe('It was not ready after 120 s.');
  });

  it('are started again for the next call when they have died in one, alone', async () => {
    const bench = await mcpBench([stub(['log=LOG']), stub([], { name: 'other' })]);
    expect(await bench.call('mcp__stub__crash')).toEqual({
      isError: true,
      text: 'The server has ended. It may have been carried out or not. With the next call the server is started again.',
    });
    expect((await bench.call('mcp__stub__echo', { text: 'again' })).text).toBe('you said again');
    expect(told(bench).filter((line) => line.startsWith('other'))).toEqual([
      ...['other connecting', 'other ready'],
    ]);
    expect(bench.changes.find(({ status }) => status === 'failed')?.message).toBe(
      'It has ended by itself, and is started again when it is needed. It said last: out of memory',
    );
  });

  it('that fail again and again are left alone for a while, each time longer', async () => {
    const clock = new FakeClock();
    const bench = await mcpBench([stub(['dies'])], { clock });
    for (let turn = 0; turn < 5; turn++) {
      expect(await namesOf(bench)).toEqual([]);
    }
    expect(told(bench).filter((line) => line === 'stub failed')).toHaveLength(3);
    expect(bench.changes.at(-1)?.message).toMatch(/left alone for 5 minutes\.$/);
    clock.advance(300_000);
    await bench.tools();
    expect(bench.changes.at(-1)?.message).toMatch(/left alone for 10 minutes\.$/);
  });

  it('can bring further tools, which come with the next turn', async () => {
    const bench = await mcpBench([stub()]);
    const before = await namesOf(bench);
    const tool = (await bench.tools()).find(({ name }) => name === 'mcp__stub__extend');
    await bench.run(tool, {});
    const added = (await namesOf(bench)).filter((name) => !before.includes(name));
    expect(added).toEqual(['mcp__stub__later']);
    expect((await bench.call('mcp__stub__later')).text).toBe('I came later.');
  });

  it('that are not installed are told with the folders that were searched', async () => {
    const transport = {
      type: 'stdio',
      command: ['massgen-no-such-program'],
      environment: { PATH: '/usr/bin:/usr/sbin:/opt:/usr/share:/var' },
    } as const;
    const bench = await mcpBench([stub([], { transport })]);
    await bench.tools();
    expect(bench.changes.at(-1)?.message).toBe(
      'massgen-no-such-program cannot be found in the folders of PATH (/usr/bin, /usr/sbin, /opt and 2 more). Install it, or give its whole path.',
    );
  });

  it('end with their agent, whatever they have started and whether or not they listen', async () => {
    const mark = `log=${join(tempFolder(), 'log')}`;
    const bench = await mcpBench([stub(['family', 'runaway', 'deaf', mark])]);
    await bench.tools();
    expect(running(mark)).toBeGreaterThan(0);
    await bench.close();
    expect(running(mark)).toBe(0);
    expect(told(bench).at(-1)).toBe('stub stopped');
    await expect(bench.tools()).rejects.toMatchObject({ code: 'cancelled/shutdown' });
  });
});

describe('a server whose tools have become others', () => {
  it('does not get a call that was meant for a tool as it was when the turn began', async () => {
    const bench = await mcpBench([stub(['log=LOG'])]);
    const tools = await bench.tools();
    const find = (name: string) => tools.find((tool) => tool.name === `mcp__stub__${name}`);
    expect((await bench.run(find('echo'), { text: 'a' })).text).toBe('you said a');
    await bench.run(find('disguise'), {});
    expect(await bench.run(find('echo'), { text: 'secret' })).toEqual({
      text: 'echo is not the tool any more that it was when this turn began, so it was not called. It can be used from the next turn on; go on without it.',
      isError: true,
    });
    expect((await bench.run(find('structured'), {})).isError).toBe(false);
    expect(bench.logged().filter((line) => line === 'call echo')).toHaveLength(1);
    expect((await bench.call('mcp__stub__echo', { text: 'b' })).text).toBe('you said b');
  });

  it('is told, and a changed one is asked about as such until it is allowed', async () => {
    const memory = fileToolMemory(join(tempFolder(), 'storage', 'tool-servers.json'));
    const entry = stub([], {}, { STUB_MODE: '${MODE}' });
    const open = async (mode: string): Promise<McpBench> =>
      mcpBench([entry], { memory, secrets: { get: async () => mode } });
    const first = await open('usual');
    await first.tools();
    await first.close();
    const second = await open('changed extended');
    await second.tools();
    expect(second.changes.at(-1)?.message).toBe(
      'These of its tools are not as they were when it was last used, so each is asked about: echo, later.',
    );
    await second.call('mcp__stub__echo', { text: 'x' });
    await second.call('mcp__stub__echo', { text: 'x' });
    const call = { command: 'mcp__stub__echo {"text":"x"}', isConfined: false };
    expect(second.asked).toEqual([{ ...call, isChanged: true }, call]);
    await second.close();
    const third = await open('changed extended');
    await third.tools();
    expect(third.changes.at(-1)?.message).toMatch(/asked about: later\.$/);
  });
});

describe.skipIf(!isLayered)(named('a confined server'), () => {
  it('works in the files of its agent, and its calls are told to be confined', async () => {
    const project = tempFolder();
    const workspace = await confinedRun(project).agent();
    const server = join(
      import.meta.dirname,
      '../../../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js',
    );
    const bench = await mcpBench(
      [
        {
          name: 'files',
          transport: {
            type: 'stdio',
            command: [process.execPath, server, '${workspaceFolder}'],
            environment: {},
          },
          excludedTools: [],
        },
      ],
      { workspace },
    );
    const path = join(project, 'made.txt');
    const { isError } = await bench.call('mcp__files__write_file', { path, content: 'made\n' });
    expect(isError).toBe(false);
    expect(bench.asked.at(-1)?.isConfined).toBe(true);
    const { changes } = await workspace.takeSnapshot(new AbortController().signal);
    expect(changes.map(({ kind, path: changed }) => `${kind} ${changed}`)).toEqual([
      'add made.txt',
    ]);
    expect(running(`${project}/made`)).toBe(0);
  });

  it('and all that it started ends with its agent', async () => {
    const mark = `log=/nowhere/${process.pid}-confined`;
    const workspace = await confinedRun(tempFolder()).agent();
    const bench = await mcpBench([stub(['family', 'deaf', 'x', mark.replace('log=', '')])], {
      workspace,
    });
    await bench.tools();
    expect(running(stubFile)).toBeGreaterThan(0);
    await bench.close();
    expect(running(mark.replace('log=', ''))).toBe(0);
  });
});
