// Agent programs of other makers, as they are installed from their own packages, with a model on this machine.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAcpKind } from '../../src/backends/agents/acp/index';
import { createClaudeCodeKind } from '../../src/backends/agents/claude-code/index';
import { createCodexKind } from '../../src/backends/agents/codex/index';
import type { OptionValue, ProgramKind } from '../../src/core/ports/backend-kind';
import type { BackendPart, ModelBackend } from '../../src/core/ports/model-backend';
import type { AgentWorkspace } from '../../src/core/ports/workspace';
import { collect, requestOf, servicesWith } from '../contract/backend-kit';
import { processesWith, workflowTools } from '../unit/backends/agents/acp-bench';
import { confinedRun, isLayered, named } from '../unit/workspace/confinement/confined-run';
import { fill, never, startRun, tempFolder } from '../unit/workspace/temp-project';
import { command, startModelService } from './model-service';

const programs = join(import.meta.dirname, 'node_modules/.bin');

interface Real {
  readonly backend: ModelBackend;
  readonly workspace: AgentWorkspace;
  readonly project: string;
  readonly warnings: readonly string[];
  readonly paths: readonly string[];
}

interface Program {
  readonly kind: (home: string) => ProgramKind;
  readonly binary: string;
  readonly keyName: string;
  readonly model: string;
  /** What it asks before its first act; absent: the command itself. */
  readonly asks?: string;
  readonly options: (url: string, binary: string) => Readonly<Record<string, OptionValue>>;
}

const all: Readonly<Record<string, Program>> = {
  'Claude Code': {
    ...{ kind: createClaudeCodeKind, binary: 'claude', keyName: 'ANTHROPIC_API_KEY' },
    model: 'claude-opus-4-5',
    options: (url, binary) => ({ command: binary, base_url: url }),
  },
  Codex: {
    ...{ kind: createCodexKind, binary: 'codex', keyName: 'CODEX_API_KEY', model: 'gpt-5' },
    asks: 'codex exec',
    options: (url, binary) => ({ command: binary, base_url: `${url}/v1` }),
  },
  'Gemini CLI': {
    ...{ kind: createAcpKind, binary: 'gemini', keyName: 'GEMINI_API_KEY' },
    model: 'gemini-2.5-pro',
    options: (url, binary) => ({
      command: [binary, '--acp'],
      env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: '${GEMINI_API_KEY}' },
    }),
  },
};

const unconfinedRun: typeof confinedRun = (project, options) =>
  startRun(project, { findSandbox: async () => ({ kind: 'none', reason: 'A test.' }), ...options });

async function open(program: Program, start = confinedRun): Promise<Real> {
  const service = await startModelService([
    { tool: 'new_answer', input: { content: 'It is made.' } },
    { tool: 'vote', input: { content: 'agent1.1' } },
  ]);
  onTestFinished(async () => service.close());
  const home = tempFolder();
  const project = tempFolder();
  fill(project, { 'a.txt': 'a\n' });
  const run = start(project, { homes: [home] });
  const workspace = await run.agent();
  const options = program.options(service.url, join(programs, program.binary));
  const backend = await program
    .kind(home)
    .createIn(
      workspace,
      { type: 'x', model: program.model, apiKeyName: program.keyName, options },
      { ...servicesWith({ [program.keyName]: 'key' }), toolServers: [] },
      never,
    );
  onTestFinished(async () => backend.close());
  return { backend, workspace, project, warnings: run.warnings, paths: service.paths };
}

const calls = (parts: readonly BackendPart[]) =>
  parts.filter((part) => part.type === 'tool-call').map(({ call }) => call);

describe.skipIf(!isLayered).each(Object.entries(all))(named('%s'), (_name, program) => {
  test('answers in one prompt and votes in the next, in its own view', async () => {
    const { backend, workspace, project } = await open(program);
    const asked: string[] = [];
    const request = requestOf({
      tools: workflowTools,
      approve: async (question) => {
        asked.push(question.command);
        return question.isConfined;
      },
    });
    const first = await collect(backend.stream(request, never));
    expect(first.filter((part) => part.type === 'end')).toMatchObject([{ reason: 'tool-calls' }]);
    expect(calls(first)).toMatchObject([
      { name: 'new_answer', argumentsJson: '{"content":"It is made."}' },
    ]);
    expect(first).toContainEqual(expect.objectContaining({ type: 'hosted-tool', status: 'done' }));
    expect(JSON.stringify(first)).toContain(command);
    expect(asked).toEqual([expect.stringContaining(program.asks ?? command)]);
    const { changes } = await workspace.takeSnapshot(never);
    expect(changes.map(({ path }) => path)).toEqual(['made.txt']);
    expect(existsSync(join(project, 'made.txt'))).toBe(false);

    const messages = [...request.messages, { role: 'user' as const, text: 'Vote now.' }];
    const step = { attempt: 1, slot: 1, turnNo: 1, call: 2 };
    const second = await collect(backend.stream({ ...request, step, messages }, never));
    expect(calls(second)).toMatchObject([{ name: 'vote' }]);
    await backend.close();
    expect(processesWith(program.binary, project)).toEqual([]);
  });
});

describe.each(Object.entries(all))('%s, where nothing confines', (_name, program) => {
  test('is asked about once, works in its copy, and ends with all that it started', async () => {
    const { backend, workspace, project } = await open(program, unconfinedRun);
    const asked: (readonly [string, boolean | undefined])[] = [];
    const request = requestOf({
      tools: workflowTools,
      approve: async ({ command: words, isConfined, isProgram }) => {
        asked.push([words, isProgram]);
        return !isConfined;
      },
    });
    const first = await collect(backend.stream(request, never));
    expect(calls(first)).toMatchObject([{ name: 'new_answer' }]);
    // Codex asks for nothing more once it runs.
    expect(asked).toEqual([
      [expect.stringContaining(program.binary), true],
      ...(program.asks === undefined ? [[expect.stringContaining(command), undefined]] : []),
    ]);
    const { changes } = await workspace.takeSnapshot(never);
    expect(changes.map(({ path }) => path)).toEqual(['made.txt']);
    expect(existsSync(join(project, 'made.txt'))).toBe(false);

    const messages = [...request.messages, { role: 'user' as const, text: 'Vote now.' }];
    const step = { attempt: 1, slot: 1, turnNo: 1, call: 2 };
    const second = await collect(backend.stream({ ...request, step, messages }, never));
    expect(calls(second)).toMatchObject([{ name: 'vote' }]);
    expect(asked.filter(([, isProgram]) => isProgram === true).length).toBe(1);
    await backend.close();
    expect(processesWith(program.binary, workspace.roots[0]?.shownPath ?? '')).toEqual([]);
  });
});
