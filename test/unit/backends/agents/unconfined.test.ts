// Agent programs on a machine that confines nothing: asked for once, and then the same as anywhere.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { shownCommand } from '../../../../src/base/shown-command';
import { createAcpKind } from '../../../../src/backends/agents/acp/index';
import { createClaudeCodeKind } from '../../../../src/backends/agents/claude-code/index';
import { createCodexKind } from '../../../../src/backends/agents/codex/index';
import type { OptionValue, ProgramKind } from '../../../../src/core/ports/backend-kind';
import type {
  ApprovalQuestion,
  ModelBackend,
  ModelRequest,
} from '../../../../src/core/ports/model-backend';
import type { AgentWorkspace } from '../../../../src/core/ports/workspace';
import { collect, endOf, requestOf, servicesWith, textOf } from '../../../contract/backend-kit';
import { fill, never, startRun, tempFolder } from '../../workspace/temp-project';
import { processesWith, type Step, workflowTools } from './acp-bench';

const scripts = join(import.meta.dirname, '../../../support/scripted-programs');
interface Program {
  readonly kind: (home: string) => ProgramKind;
  readonly file: string;
  /** Absent: it has one where it knows keys. */
  readonly hasKey?: boolean;
}

const acp: Program = { kind: createAcpKind, file: 'acp-agent.mjs' };
const claude: Program = { kind: createClaudeCodeKind, file: 'claude.mjs' };
const codex: Program = { kind: createCodexKind, file: 'codex.mjs' };

interface Opened {
  readonly backend: ModelBackend;
  readonly workspace: AgentWorkspace;
  readonly project: string;
  /** What a person would read as the program. */
  readonly command: string;
}

async function open(
  { kind, file, hasKey = true }: Program,
  prompts: readonly (readonly Step[])[],
  program?: string,
  more: Readonly<Record<string, OptionValue>> = {},
): Promise<Opened> {
  const [project, home] = [tempFolder(), tempFolder()];
  fill(project, { 'a.txt': 'a\n' });
  const findSandbox = async () => ({ kind: 'none' as const, reason: 'Nothing confines here.' });
  const workspace = await startRun(project, { findSandbox, homes: [home] }).agent();
  const script = file === acp.file ? { prompts } : prompts;
  const words = [process.execPath, join(scripts, file), JSON.stringify(script)];
  const command = program === undefined ? words : [program];
  const isKeyed = file !== acp.file && hasKey;
  const settings = {
    ...{
      type: 'x',
      model: '',
      apiKeyName: isKeyed ? 'KEY' : undefined,
      options: { command, ...more },
    },
  };
  const services = { ...servicesWith({ KEY: 'k' }), toolServers: [] };
  const backend = await kind(home).createIn(workspace, settings, services, never);
  onTestFinished(async () => backend.close());
  return { backend, workspace, project, command: shownCommand(command) };
}

/** The request of this call of a turn; each has one message more than the one before. */
function requestAt(
  call: number,
  approve: (question: ApprovalQuestion) => Promise<boolean> = async () => true,
  turnNo = 1,
): ModelRequest {
  const more = Array.from({ length: call - 1 }, () => ({ role: 'user' as const, text: 'Go on.' }));
  const base = requestOf({ tools: workflowTools, approve });
  return {
    ...{ ...base, step: { ...base.step, turnNo, call } },
    messages: [...base.messages, ...more],
  };
}

function recorder(answer: boolean) {
  const asked: ApprovalQuestion[] = [];
  const approve = async (question: ApprovalQuestion): Promise<boolean> => {
    asked.push(question);
    return answer;
  };
  return { asked, approve };
}

const programs = [
  ['an agent of the protocol', acp],
  ['Claude Code', claude],
  ['Codex', codex],
] as const;

describe.each(programs)('%s without confinement', (_title, program) => {
  test('is asked for once, as what it is, however often it is started', async () => {
    const prompts = [[{ say: 'one' }], [{ die: 1 }], [{ say: 'three' }]];
    const { backend, workspace, command } = await open(program, prompts);
    const { asked, approve } = recorder(true);
    const first = await collect(backend.stream(requestAt(1, approve), never));
    expect(textOf(first)).toBe('one');
    expect(endOf(await collect(backend.stream(requestAt(2, approve), never))).reason).toBe('error');
    await collect(backend.stream(requestAt(3, approve, 2), never));
    const cwd = workspace.roots[0]?.shownPath;
    expect(asked).toEqual([{ command, cwd, isConfined: false, isProgram: true }]);
  });

  test('that is not allowed is told so in one sentence, and never starts', async () => {
    const { backend } = await open(program, [[{ say: 'one' }]]);
    const { asked, approve } = recorder(false);
    const parts = await collect(backend.stream(requestAt(1, approve), never));
    expect(endOf(parts)).toMatchObject({
      error: {
        ...{ code: 'tool/denied', retryable: false },
        message: expect.stringMatching(
          /^.+ was not allowed to run without confinement\. Nothing confines here\.$/,
        ) as unknown,
      },
    });
    expect(asked.length).toBe(1);
    expect(parts.map(({ type }) => type)).toEqual(['end']);
  });

  test('works in the copy of the agent, and ends with it', async () => {
    const mark = `mark-${process.hrtime.bigint()}`;
    const { backend, workspace, project } = await open(program, [
      [{ call: ['new_answer', { content: mark }] }],
    ]);
    const parts = await collect(backend.stream(requestAt(1), never));
    expect(endOf(parts).reason).toBe('tool-calls');
    expect(readFileSync(join(workspace.roots[0]?.shownPath ?? '', 'a.txt'), 'utf8')).toBe('a\n');
    expect(existsSync(join(project, 'a.txt'))).toBe(true);
    await backend.close();
    expect(processesWith(mark)).toEqual([]);
  });
});

test('one program does not pass for another by its words, nor by what is set for it', async () => {
  const others: readonly Readonly<Record<string, OptionValue>>[] = [
    {},
    { args: ['two words'] },
    { args: ['two', 'words'] },
    { env: { NODE_OPTIONS: '--no-warnings' } },
    { env: { PATH: '/other/folder', KEY: '${KEY}' } },
  ];
  const commands: string[] = [];
  for (const more of others) {
    const { backend } = await open(acp, [], process.execPath, more);
    const { asked, approve } = recorder(false);
    await collect(backend.stream(requestAt(1, approve), never));
    commands.push(...asked.map(({ command }) => command.replace(process.execPath, 'node')));
  }
  expect(commands).toEqual([
    'node',
    'node "two words"',
    'node two words',
    'NODE_OPTIONS=--no-warnings node',
    'PATH=/other/folder KEY=${KEY} node',
  ]);
});

test('what a program asks for then is told as not confined', async () => {
  const call = { toolCallId: 't', title: 'rm x', kind: 'execute', rawInput: { command: 'rm x' } };
  const all: readonly (readonly [Program, Step])[] = [
    [acp, { permission: { toolCall: call } }],
    [claude, { bash: 'ls' }],
  ];
  for (const [program, step] of all) {
    const { backend } = await open(program, [[step]]);
    const { asked, approve } = recorder(true);
    await collect(backend.stream(requestAt(1, approve), never));
    expect(asked.map(({ isConfined, isProgram }) => [isConfined, isProgram])).toEqual([
      [false, true],
      [false, undefined],
    ]);
  }
});

test('a variable that says that it is confined is there only then', async () => {
  const { backend } = await open(claude, [[{ where: null }]]);
  const said = textOf(await collect(backend.stream(requestAt(1), never)));
  expect(said).toContain('CLAUDE_CONFIG_DIR');
  expect(said).not.toContain('IS_SANDBOX');
});

test('where a system keeps sign-ins itself, the program finds the one of the user in there', async () => {
  const onMac: Program = {
    ...{ file: claude.file, hasKey: false },
    kind: (home) => createClaudeCodeKind(home, 'darwin'),
  };
  const { backend } = await open(onMac, [[{ where: null }]]);
  const said = textOf(await collect(backend.stream(requestAt(1), never)));
  expect(said).toContain('"CLAUDE_SECURESTORAGE_CONFIG_DIR":""');
  const elsewhere: Program = { ...onMac, kind: (home) => createClaudeCodeKind(home, 'linux') };
  await expect(open(elsewhere, [])).rejects.toMatchObject({ code: 'backend/auth' });
});

test('a program that is not there is told before anybody is asked', async () => {
  await expect(open(codex, [], 'no-such-codex')).rejects.toMatchObject({
    code: 'backend/unavailable',
    message: expect.stringContaining('no-such-codex cannot be found') as unknown,
    hint: expect.stringContaining('npm install') as unknown,
  });
});
