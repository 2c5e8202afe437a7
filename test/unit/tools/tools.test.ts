import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ToolContext, ToolResult } from '../../../src/core/ports/tool';
import type { AgentWorkspace } from '../../../src/core/ports/workspace';
import { ordinaryTools } from '../../../src/tools/registry';
import { bytes, fill, never, startRun, tempFolder, text } from '../workspace/temp-project';

const tools = ordinaryTools({ addressesOf: async () => [] });

interface Bench {
  readonly agent: AgentWorkspace;
  readonly asked: string[];
  readonly seenPaths: Set<string>;
  readonly call: (name: string, input: unknown, signal?: AbortSignal) => Promise<ToolResult>;
}

async function bench(
  files: Readonly<Record<string, string | Uint8Array>>,
  isAllowed = true,
  commandTimeoutMs?: number,
): Promise<Bench> {
  const project = tempFolder();
  fill(project, files);
  const agent = await startRun(project).agent();
  const asked: string[] = [];
  const seenPaths = new Set<string>();
  const context: ToolContext = {
    workspace: agent,
    slot: 1,
    seenPaths,
    ...(commandTimeoutMs === undefined ? {} : { commandTimeoutMs }),
    approveCommand: async (request) => {
      asked.push(`${request.command} in ${request.cwd}`);
      return isAllowed;
    },
  };
  return {
    agent,
    asked,
    seenPaths,
    call: async (name, input, signal = never) => {
      const tool = tools.find((each) => each.name === name);
      return tool === undefined
        ? Promise.reject(new Error(name))
        : tool.run(input, context, signal);
    },
  };
}

const ok = (expected: string): ToolResult => ({ text: expected, isError: false });
const failure = (part: string): unknown => ({
  text: expect.stringContaining(part) as unknown,
  isError: true,
});

describe('the registry', () => {
  test('offers each tool with a schema of its own fields and nothing else', () => {
    expect(
      tools.map(({ name, access, effect, inputSchema }) => [
        name,
        access,
        effect,
        inputSchema['required'],
        Object.keys(inputSchema['properties'] ?? {}),
      ]),
    ).toEqual([
      ['read_file', 'read', 'read', ['path'], ['path', 'start_line', 'end_line']],
      ['read_image', 'read', 'read', ['path'], ['path']],
      ['list_directory', 'read', 'read', ['path'], ['path']],
      ['search_text', 'read', 'read', ['pattern'], ['pattern', 'path', 'is_regex']],
      ['write_file', 'write', 'workspace', ['path', 'content'], ['path', 'content']],
      [
        'edit_file',
        'write',
        'workspace',
        ['path', 'old_text', 'new_text'],
        ['path', 'old_text', 'new_text'],
      ],
      ['delete_file', 'write', 'workspace', ['path'], ['path']],
      [
        'run_command',
        'execute',
        'unknown',
        ['command'],
        ['command', 'cwd', 'background', 'timeout_seconds'],
      ],
      ['command_output', 'execute', 'read', ['id'], ['id']],
      ['stop_command', 'execute', 'unknown', ['id'], ['id']],
      ['fetch_url', 'network', 'unknown', ['url'], ['url']],
    ]);
  });

  test('says what is wrong with an input, all at once', async () => {
    const { call } = await bench({});
    expect(await call('read_file', { file: 'a', start_line: 0, end_line: 1.5 })).toEqual(
      failure(
        'file is not known (known: path, start_line, end_line); path is missing; start_line must be at least 1; end_line must be a whole number',
      ),
    );
    expect(await call('read_file', 'a.txt')).toEqual(failure('must be an object with path'));
    expect(await call('write_file', { path: 'a', content: 7 })).toEqual(
      failure('content must be a string'),
    );
  });

  test('names its subject for people whatever the input is', () => {
    const subjects = tools.map((tool) => [tool.subjectOf(null), tool.subjectOf([1])]);
    expect(subjects.flat().every((subject) => subject === '')).toBe(true);
    expect(tools[7]?.subjectOf({ command: 'ls' })).toBe('ls');
  });
});

describe('read_file', () => {
  test('returns the text unchanged below a line that tells the range', async () => {
    const { call } = await bench({ 'a.txt': 'one\r\ntwo\r\nthree', 'empty.txt': '' });
    expect(await call('read_file', { path: 'a.txt' })).toEqual(
      ok('[a.txt: lines 1 to 3 of 3]\none\r\ntwo\r\nthree'),
    );
    expect(await call('read_file', { path: 'a.txt', start_line: 2, end_line: null })).toEqual(
      ok('[a.txt: lines 2 to 3 of 3]\ntwo\r\nthree'),
    );
    expect(await call('read_file', { path: 'a.txt', start_line: 2, end_line: 2 })).toEqual(
      ok('[a.txt: lines 2 to 2 of 3]\ntwo\r\n'),
    );
    expect(await call('read_file', { path: 'a.txt', start_line: 4 })).toEqual(
      failure('a.txt has 3 lines'),
    );
    expect(await call('read_file', { path: 'empty.txt' })).toEqual(ok('[empty.txt: empty]\n'));
  });

  test('explains binary files, other encodings and missing files', async () => {
    const { call } = await bench({
      'a.png': new Uint8Array([137, 80, 78, 71, 0, 1]),
      'latin1.txt': Buffer.from('caf\u00e9 und Stra\u00dfe\n', 'latin1'),
    });
    expect(await call('read_file', { path: 'a.png' })).toEqual(failure('binary file of 6 bytes'));
    expect(await call('read_file', { path: 'latin1.txt' })).toEqual(
      failure('an encoding other than UTF-8, as the bytes around position 5 show'),
    );
    expect(await call('read_file', { path: 'nope' })).toEqual(failure('nope does not exist'));
    expect(await call('read_file', { path: '.' })).toEqual(failure('is a folder'));
  });

  test('reads a file of 5 MB in ranges', async () => {
    const line = `${'x'.repeat(99)}\n`;
    const { call } = await bench({ 'big.txt': line.repeat(52_429) });
    expect(await call('read_file', { path: 'big.txt' })).toEqual(
      failure('5242900 bytes in 52429 lines'),
    );
    expect(
      await call('read_file', { path: 'big.txt', start_line: 52_428, end_line: 60_000 }),
    ).toEqual(ok(`[big.txt: lines 52428 to 52429 of 52429]\n${line}${line}`));
  });
});

describe('a file that is too long for a text', () => {
  test('is refused before it is read', async () => {
    const { call } = await bench({ 'long.log': new Uint8Array(33 * 1024 * 1024).fill(10) });
    const tries = [
      await call('read_file', { path: 'long.log', start_line: 1, end_line: 2 }),
      await call('edit_file', { path: 'long.log', old_text: 'a', new_text: 'b' }),
    ];
    for (const { isError, text: said } of tries) {
      expect([isError, said]).toEqual([true, expect.stringContaining('too many for a text')]);
    }
  });
});

describe('edit_file', () => {
  test('changes one place and keeps line ends, byte order mark and the missing last newline', async () => {
    const { call, agent } = await bench({ 'a.txt': '\uFEFFone\r\ntwo\r\nthree' });
    const edit = { path: 'a.txt', old_text: 'one\ntwo', new_text: 'ONE\nTWO\nmore' };
    expect(await call('edit_file', edit)).toEqual(
      ok('Edited a.txt; the new text stands in lines 1 to 3.'),
    );
    expect(text(await agent.readFile('a.txt', never))).toBe('\uFEFFONE\r\nTWO\r\nmore\r\nthree');
  });

  test('refuses what is not there and shows the nearest lines', async () => {
    const { call, agent } = await bench({ 'a.js': 'let a = 1;\n\tlet b = 2;\nlet c = 3;\n' });
    expect(
      await call('edit_file', { path: 'a.js', old_text: '  let b = 2;', new_text: 'x' }),
    ).toEqual(failure('The nearest lines are 1 to 3:\nlet a = 1;\n\tlet b = 2;\nlet c = 3;'));
    expect(await call('edit_file', { path: 'a.js', old_text: '', new_text: 'x' })).toEqual(
      failure('old_text is empty'),
    );
    expect((await agent.takeSnapshot(never)).changes).toEqual([]);
  });

  test('refuses what occurs more than once and names the lines', async () => {
    const { call } = await bench({ 'a.js': 'x();\ny();\nx();\n' });
    expect(await call('edit_file', { path: 'a.js', old_text: 'x();', new_text: 'z();' })).toEqual(
      failure('occurs 2 times in a.js, at lines 1, 3'),
    );
  });

  test('takes the new text literally', async () => {
    const { call, agent } = await bench({ 'a.js': 'const price = 1;\n' });
    await call('edit_file', { path: 'a.js', old_text: '1', new_text: "'$& $1 $$'" });
    expect(text(await agent.readFile('a.js', never))).toBe("const price = '$& $1 $$';\n");
  });

  test('leaves a file in another encoding alone', async () => {
    const latin1 = Buffer.from('caf\u00e9 ASCII\n', 'latin1');
    const { call, agent } = await bench({ 'latin1.txt': latin1 });
    expect(
      await call('edit_file', { path: 'latin1.txt', old_text: 'ASCII', new_text: 'x' }),
    ).toEqual(failure('other than UTF-8'));
    expect(Buffer.from(await agent.readFile('latin1.txt', never))).toEqual(latin1);
  });
});

describe('delete_file', () => {
  test('asks for the content again in each turn, except of what was written in it', async () => {
    const { call, seenPaths } = await bench({ 'a.txt': 'a' });
    await call('read_file', { path: 'a.txt' });
    seenPaths.clear();
    expect(await call('delete_file', { path: 'a.txt' })).toEqual(failure('in this turn'));
    await call('write_file', { path: 'new.txt', content: 'n' });
    expect(await call('delete_file', { path: 'new.txt' })).toEqual(ok('Deleted new.txt.'));
  });

  test.each([
    'dist/app.js',
    'pkg/__pycache__/a.py',
    'build.log',
    'package-lock.json',
    'poetry.lock',
  ])('takes %s away unread: tools make it', async (path) => {
    const { call } = await bench({ [path]: 'x' });
    expect(await call('delete_file', { path })).toEqual(ok(`Deleted ${path}.`));
  });

  test('judges a file by its place in the project, not by where the project stands', async () => {
    const { call, agent } = await bench({ 'a.txt': 'x' });
    const path = `${agent.roots[0]?.shownPath}/dist/../a.txt`;
    expect(await call('delete_file', { path })).toEqual(failure('Read it with read_file'));
  });

  test.each(['lock.ts', 'distance.js', 'log/notes.md', 'block.json'])(
    'wants %s to be read',
    async (path) => {
      const { call } = await bench({ [path]: 'x' });
      expect(await call('delete_file', { path })).toEqual(failure('Read it with read_file'));
    },
  );
});

test.each([
  ['photo.PNG', 'It is an image'],
  ['talk.mp3', 'It is a recording'],
  ['a.docx', '"unzip -l"'],
  ['a.tgz', '"tar -tf"'],
  ['a.pdf', '"pdftotext"'],
  ['a.wasm', 'It is a compiled program'],
  ['a.dat', 'Use run_command with a program that knows its format.'],
])('a reader of %s is told how else to get at it', async (path, way) => {
  const { call } = await bench({ [path]: new Uint8Array([1, 0, 2]) });
  expect(await call('read_file', { path })).toEqual(failure(way));
});

test('what a call is about is known as paths', () => {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  expect(byName.get('read_file')?.pathsOf?.({ path: 'src/a.ts' })).toEqual(['src/a.ts']);
  expect(byName.get('run_command')?.pathsOf?.({ command: 'ls', cwd: 'src' })).toEqual(['src']);
  expect(byName.get('search_text')?.pathsOf?.({ pattern: 'x' })).toEqual([]);
  expect(byName.get('read_file')?.pathsOf?.('nonsense')).toEqual([]);
});

describe('write_file, list_directory and delete_file', () => {
  test('work on the agent’s own view', async () => {
    const { call } = await bench({ 'src/a.txt': 'a\n' });
    expect(await call('write_file', { path: 'src/deep/b.txt', content: 'é\n' })).toEqual(
      ok('Wrote src/deep/b.txt (3 bytes).'),
    );
    expect(await call('list_directory', { path: 'src' })).toEqual(ok('a.txt\ndeep/'));
    expect(await call('list_directory', { path: 'src/a.txt' })).toEqual(failure('not a folder'));
  });

  test('delete only what the agent has read or written', async () => {
    const { call, agent } = await bench({ 'a.txt': 'a\n', 'b.bin': new Uint8Array([0]) });
    expect(await call('delete_file', { path: 'a.txt' })).toEqual(failure('Read it with read_file'));
    await call('read_file', { path: `${agent.roots[0]?.shownPath}/x/../a.txt` });
    expect(await call('delete_file', { path: './a.txt' })).toEqual(ok('Deleted ./a.txt.'));
    await call('read_file', { path: 'b.bin' });
    expect((await call('delete_file', { path: 'b.bin' })).isError).toBe(false);
    expect(await call('list_directory', { path: '.' })).toEqual(ok('. is empty.'));
  });
});

describe('search_text', () => {
  const files = {
    'src/a.ts': 'alpha\nbeta (x)\n',
    'src/b.ts': 'beta (y)\r\ngamma\r\n',
    'node_modules/m/i.js': 'beta\n',
    'bin.dat': new Uint8Array([98, 101, 116, 97, 0]),
  };

  test('finds literal text with path and line', async () => {
    const { call } = await bench(files);
    expect(await call('search_text', { pattern: 'beta (' })).toEqual(
      ok('src/a.ts:2: beta (x)\nsrc/b.ts:1: beta (y)'),
    );
    expect(await call('search_text', { pattern: 'delta' })).toEqual(
      ok('No line matches in 3 files.'),
    );
  });

  test('finds expressions and explains malformed ones', async () => {
    const { call } = await bench(files);
    expect(await call('search_text', { pattern: '^g.*a$', path: 'src', is_regex: true })).toEqual(
      ok('src/b.ts:2: gamma'),
    );
    expect(await call('search_text', { pattern: '(', is_regex: true })).toEqual(
      failure('Invalid regular expression'),
    );
  });

  test('stops an expression that never ends when the agent is stopped', async () => {
    const { call } = await bench({ 'a.txt': `${'a'.repeat(60)}!\n` });
    const stop = new AbortController();
    const search = call('search_text', { pattern: '(a+)+$', is_regex: true }, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(search).rejects.toThrow('stopped');
  });

  test('shows the first 200 matches', async () => {
    const { call } = await bench({ 'a.txt': 'x\n'.repeat(1000) });
    const { text: found } = await call('search_text', { pattern: 'x' });
    expect(found.split('\n').length).toBe(201);
    expect(found).toContain('more matches left out');
  });
});

describe('read_image', () => {
  const png = Buffer.from('89504e470d0a1a0a0000', 'hex');

  test('shows a picture by what its bytes are, whatever its name says', async () => {
    const { call } = await bench({ 'img/a.txt': png });
    expect(await call('read_image', { path: 'img/a.txt' })).toEqual({
      text: '[img/a.txt: image/png, 10 bytes]',
      isError: false,
      media: [
        { kind: 'image', mediaType: 'image/png', name: 'a.txt', base64: png.toString('base64') },
      ],
    });
  });

  test.each([
    ['jpeg', 'ffd8ffe000104a464946', 'image/jpeg'],
    ['gif', '4749463839610100', 'image/gif'],
    ['webp', '524946461a00000057454250', 'image/webp'],
  ])('knows %s', async (_name, hex, mediaType) => {
    const { call } = await bench({ a: Buffer.from(hex, 'hex') });
    expect((await call('read_image', { path: 'a' })).media?.[0]?.mediaType).toBe(mediaType);
  });

  test('refuses what is no picture or too large for a model, with the limit', async () => {
    const { call } = await bench({
      'a.png': '<svg/>',
      'big.png': Buffer.concat([png, Buffer.alloc(3_750_000)]),
    });
    expect(await call('read_image', { path: 'a.png' })).toEqual(failure('is no PNG, JPEG'));
    expect(await call('read_image', { path: 'big.png' })).toEqual(failure('at most 3750000'));
    expect(await call('read_image', { path: 'gone.png' })).toEqual(failure('gone.png'));
  });
});

describe('run_command', () => {
  test('asks with the exact text and folder, then runs', async () => {
    const { call, asked, agent } = await bench({ 'src/a.txt': 'a\n' });
    const input = { command: 'ls; exit 3', cwd: 'src', timeout_seconds: 20 };
    expect(await call('run_command', input)).toEqual(ok('a.txt\n[exit code 3]'));
    expect(asked).toEqual([`ls; exit 3 in ${agent.roots[0]?.shownPath}/src`]);
  });

  test('does not run what was denied, nor ask about what cannot run', async () => {
    const { call, asked, agent } = await bench({ 'a.txt': 'a\n' }, false);
    expect(await call('run_command', { command: 'touch b.txt' })).toEqual(failure('not allowed'));
    expect(await call('run_command', { command: 'ls', cwd: '/etc' })).toEqual(failure('leads out'));
    expect(asked.length).toBe(1);
    expect((await agent.listDirectory('.', never)).map((entry) => entry.name)).toEqual(['a.txt']);
  });

  test('in the background asks as well, answers at once, and is looked at and stopped by its id', async () => {
    const { call, asked } = await bench({});
    const input = { command: 'echo begun; sleep 60', background: true };
    expect((await call('run_command', input)).text).toMatch(/\n\[command1: running\]$/);
    expect(asked.length).toBe(1);
    await expect
      .poll(async () => (await call('command_output', { id: 'command1' })).text)
      .toBe('begun\n[command1: running]');
    expect(await call('stop_command', { id: 'command1' })).toEqual(ok('begun\n[command1: killed]'));
    expect(await call('command_output', { id: 'command7' })).toEqual(
      failure('no command command7'),
    );
  });

  test('hands over all of an output that it has to shorten', async () => {
    const { call } = await bench({});
    const short = await call('run_command', { command: 'seq 1 10' });
    expect(short.whole).toBeUndefined();
    const long = await call('run_command', { command: 'seq 1 20000' });
    expect(long.text).toContain('characters of output left out');
    expect(long.whole?.split('\n').length).toBe(20_001);
    expect(long.whole?.startsWith('1\n2\n')).toBe(true);
  });

  test('tells about the time limit', async () => {
    const { call } = await bench({});
    expect(
      await call('run_command', { command: 'echo begun; sleep 60', timeout_seconds: 1 }),
    ).toEqual(ok('begun\n[stopped after 1 s: time limit]'));
  });

  test('takes the time limit of the run when the model asks for none', async () => {
    const { call } = await bench({}, true, 1000);
    expect(await call('run_command', { command: 'echo begun; sleep 60' })).toEqual(
      ok('begun\n[stopped after 1 s: time limit]'),
    );
  });
});

test('tools see text of unsaved editors in place of the saved file', async () => {
  const project = tempFolder();
  fill(project, { 'a.txt': 'saved\n' });
  const unsaved = new Map([[join(project, 'a.txt'), bytes('unsaved\n')]]);
  const agent = await startRun(project, { unsaved }).agent();
  expect(text(await agent.readFile('a.txt', never))).toBe('unsaved\n');
  expect(
    (await agent.runCommand({ command: 'cat a.txt', cwd: undefined, timeoutMs: 9000 }, never))
      .output,
  ).toBe('unsaved\n');
  writeFileSync(join(project, 'a.txt'), 'saved again\n');
  expect(text(await agent.readFile('a.txt', never))).toBe('unsaved\n');
});
