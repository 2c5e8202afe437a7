// What is particular to Claude Code and to Codex, with scripted programs that are as strict as the real ones.
import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { StateFolder } from '../../../../src/backends/agents/state-folder';
import type { ApprovalQuestion } from '../../../../src/core/ports/model-backend';
import { collect, endOf, textOf } from '../../../contract/backend-kit';
import { fill, never, tempFolder } from '../../workspace/temp-project';
import { hostedTools } from './acp-bench';
import { claude, codex, openProgram as open, requestAt } from './program-bench';

describe('Claude Code', () => {
  test('asks for every command, and for tools of its own as it likes', async () => {
    const asked: ApprovalQuestion[] = [];
    const approve = async (question: ApprovalQuestion): Promise<boolean> => {
      asked.push(question);
      return question.command !== 'rm -r x';
    };
    const backend = await open({
      ...claude,
      options: { permission_mode: 'bypassPermissions', disallowed_tools: [] },
      prompts: [
        [
          ...[{ bash: 'ls' }, { bash: 'rm -r x' }],
          ...[{ tool: ['WebFetch', { url: 'http://a' }] }, { tool: ['AskUserQuestion', {}] }],
        ],
      ],
    });
    const parts = await collect(backend.stream(requestAt(1, approve), never));
    expect(asked.map(({ command }) => command)).toEqual([
      ...['ls', 'rm -r x', 'WebFetch {"url":"http://a"}'],
    ]);
    const ends = parts.flatMap((part) =>
      part.type === 'hosted-tool' && part.status !== 'started' ? [part.status] : [],
    );
    expect(ends).toEqual(['done', 'failed', 'done', 'failed']);
  });

  test('is started with what its block says, without settings of a repository', async () => {
    const backend = await open({
      ...claude,
      prompts: [[{ where: null }]],
      options: { allowed_tools: ['Bash(npm *)', 'Edit'], disallowed_tools: ['Bash(rm*)'] },
    });
    const said = textOf(await collect(backend.stream(requestAt(1), never)));
    expect(said).toContain('"--tools=Bash,Edit"');
    expect(said).toMatch(/--disallowedTools=[^"]*AskUserQuestion[^"]*Bash\(rm\*\)/);
    expect(said).toContain('"--setting-sources","","--allowedTools=mcp__massgen"');
    expect(said).toContain('"--permission-mode","acceptEdits"');
  });

  test('goes on with its session in a new process after the old one has died', async () => {
    const prompts = [[{ say: 'one' }], [{ die: 1 }], [{ echo: null }]];
    const backend = await open({ ...claude, prompts });
    await collect(backend.stream(requestAt(1), never));
    expect(endOf(await collect(backend.stream(requestAt(2), never))).reason).toBe('error');
    expect(textOf(await collect(backend.stream(requestAt(2), never)))).toBe('Go on.');
  });

  test('states what one prompt has cost, although the program counts on', async () => {
    const cost = (total: number) => [{ end: { total_cost_usd: total } }];
    const backend = await open({ ...claude, prompts: [cost(0.5), cost(0.75)] });
    await collect(backend.stream(requestAt(1), never));
    const parts = await collect(backend.stream(requestAt(2), never));
    expect(parts.find((part) => part.type === 'usage')).toMatchObject({ costUsd: 0.25 });
  });

  test.each([
    ['goes on counting', 0.75, 0.25],
    ['begins to count anew', 0.2, 0.2],
  ])('states no cost twice when a new process %s', async (_how, total, costUsd) => {
    const cost = (sum: number) => [{ end: { total_cost_usd: sum } }];
    const backend = await open({ ...claude, prompts: [cost(0.5), [{ die: 1 }], cost(total)] });
    await collect(backend.stream(requestAt(1), never));
    await collect(backend.stream(requestAt(2), never));
    const parts = await collect(backend.stream(requestAt(2), never));
    expect(parts.find((part) => part.type === 'usage')).toMatchObject({ costUsd });
  });

  test('that knows an option no more is told to be too old', async () => {
    const file = 'claude.mjs';
    const path = join(import.meta.dirname, '../../../support/scripted-programs', file);
    const command = [process.execPath, path, '[]', '--old'];
    const backend = await open({ ...claude, prompts: [], options: { command } });
    const end = endOf(await collect(backend.stream(requestAt(1), never)));
    expect(end).toMatchObject({ error: { code: 'backend/unavailable' } });
  });
});

describe('Codex', () => {
  test('goes on with its session from one process to the next', async () => {
    const backend = await open({ ...codex, prompts: [[{ say: 'one' }], [{ echo: null }]] });
    await collect(backend.stream(requestAt(1), never));
    expect(textOf(await collect(backend.stream(requestAt(2), never)))).toBe('Go on.');
  });

  test('gets its key where nobody else can read it', async () => {
    const backend = await open({ ...codex, prompts: [[{ where: null }]] });
    const said = textOf(await collect(backend.stream(requestAt(1), never)));
    const [, args = '', key = ''] = /"args":\[(.*)\],"key":"(.*)"/s.exec(said) ?? [];
    expect(key).toBe('secret-key-7');
    expect(args).toContain('danger-full-access');
    expect(args).not.toContain(key);
  });

  test('does not begin when it may not run commands', async () => {
    const backend = await open({ ...codex, prompts: [[{ say: 'one' }]] });
    const parts = await collect(
      backend.stream(
        requestAt(1, async () => false),
        never,
      ),
    );
    expect(parts).toMatchObject([{ type: 'end', error: { code: 'tool/denied' } }]);
  });

  test('shows what it does, and takes its complaints for notes', async () => {
    const backend = await open({
      ...codex,
      prompts: [[{ note: 'fallback' }, { command: ['npm test', 1] }, { say: 'a' }, { say: 'b' }]],
    });
    const parts = await collect(backend.stream(requestAt(1), never));
    expect(parts[0]).toMatchObject({ type: 'notice', message: 'Codex: fallback' });
    expect(hostedTools(parts)).toMatchObject([
      { tool: 'command', subject: 'npm test', status: 'started' },
      { tool: 'command', subject: 'npm test', status: 'failed', preview: 'out' },
    ]);
    expect(textOf(parts)).toBe('a\n\nb');
    expect(endOf(parts).reason).toBe('stop');
  });
});

test.each([
  ['Claude Code', claude],
  ['Codex', codex],
] as const)(
  '%s without a key and without a sign-in says so before a run',
  async (name, program) => {
    const { kind, file } = program;
    const opening = open({ kind, file, prompts: [] });
    await expect(opening).rejects.toMatchObject({
      ...{ code: 'backend/auth', message: `${name} is not signed in.` },
    });
  },
);

describe('the folder of a program', () => {
  const credential = (home: string) => ({ path: join(home, '.tool/auth.json'), name: 'auth.json' });

  test('holds nothing of the user but how the program is signed in', async () => {
    const home = tempFolder();
    fill(home, { '.tool/auth.json': '{"a":1}', '.tool/config.toml': 'notify = ["evil"]' });
    const state = await StateFolder.create(home, 'tool', credential(home));
    expect(readdirSync(state.path)).toEqual(['auth.json']);
    expect(state.ownFolders).toEqual([state.path, join(home, '.tool/auth.json')]);
    await state.remove();
    expect(readdirSync(join(home, '.cache/massgen'))).toEqual([]);
    expect(readFileSync(join(home, '.tool/auth.json'), 'utf8')).toBe('{"a":1}');
  });

  test('of a process that was killed is removed with the next start, after its sign-in was taken back', async () => {
    const home = tempFolder();
    fill(home, { '.tool/auth.json': '{"a":1}' });
    const [dead, alive, other] = await Promise.all(
      ['tool', 'tool', 'others'].map((name) => StateFolder.create(home, name, credential(home))),
    );
    const { pid: gone } = spawnSync('true');
    const left = [dead, other].map((state) => {
      const path = (state?.path ?? '').replace(`-${process.pid}-`, `-${gone}-`);
      renameSync(state?.path ?? '', path);
      return path;
    });
    rmSync(join(left[0] ?? '', 'auth.json'));
    writeFileSync(join(left[0] ?? '', 'auth.json'), '{"a":2}');
    const next = await StateFolder.create(home, 'tool', credential(home));
    const there = readdirSync(join(home, '.cache/massgen')).map((name) =>
      join(home, '.cache/massgen', name),
    );
    expect(there.sort()).toEqual([alive?.path, left[1], next.path].sort());
    expect(readFileSync(join(home, '.tool/auth.json'), 'utf8')).toBe('{"a":2}');
  });

  test('gives no sign-in back that is older than that of the user', async () => {
    const home = tempFolder();
    const own = join(home, '.tool/auth.json');
    fill(home, { '.tool/auth.json': '{"a":1}' });
    const state = await StateFolder.create(home, 'tool', credential(home));
    rmSync(join(state.path, 'auth.json'));
    writeFileSync(join(state.path, 'auth.json'), '{"a":2}');
    const later = Date.now() / 1000 + 60;
    utimesSync(own, later, later);
    await state.remove();
    expect(readFileSync(own, 'utf8')).toBe('{"a":1}');
  });

  test.each([
    ['{"a":2}', '{"a":2}'],
    ['no json', '{"a":1}'],
  ])('gives back a renewed sign-in, and nothing else: %s', async (written, left) => {
    const home = tempFolder();
    fill(home, { '.tool/auth.json': '{"a":1}' });
    const state = await StateFolder.create(home, 'tool', credential(home));
    writeFileSync(join(state.path, 'new'), written);
    renameSync(join(state.path, 'new'), join(state.path, 'auth.json'));
    await state.settle();
    expect(readFileSync(join(home, '.tool/auth.json'), 'utf8')).toBe(left);
    expect(lstatSync(join(home, '.tool/auth.json')).mode & 0o077).toBe(
      left === written ? 0 : 0o044,
    );
    await state.remove();
  });
});
