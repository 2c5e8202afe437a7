// What a session is told when a prompt has failed and is tried again.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createAcpKind } from '../../../../src/backends/agents/acp/index';
import { collect, endOf, textOf } from '../../../contract/backend-kit';
import { never, tempFolder } from '../../workspace/temp-project';
import type { Step } from './acp-bench';
import { NotingWorkspace, claude, codex, openProgram, requestAt } from './program-bench';

const agentFile = join(import.meta.dirname, '../../../support/scripted-programs/acp-agent.mjs');

/** `fails`: its turn ends with an error, and its session stays. */
const programs = [
  ['Claude Code', claude, { end: { is_error: true, api_error_status: 529, result: 'busy' } }],
  ['Codex', codex, { fail: 'unexpected status 503 Busy' }],
  [
    'an agent of the protocol',
    { kind: createAcpKind, file: 'acp-agent.mjs' },
    { fail: { code: 529, message: 'busy' } },
  ],
] as const;

async function opened(
  program: (typeof programs)[number][1],
  prompts: readonly (readonly Step[])[],
): Promise<{ noting: NotingWorkspace; backend: Awaited<ReturnType<typeof openProgram>> }> {
  const home = tempFolder();
  const noting = new NotingWorkspace(home);
  const isAgent = program.kind === createAcpKind;
  const command = [process.execPath, agentFile, JSON.stringify({ prompts })];
  const backend = await openProgram({
    ...{ ...program, home, prompts, workspace: () => noting },
    ...(isAgent ? { options: { command } } : {}),
  });
  return { noting, backend };
}

describe.each(programs)('%s', (_name, program, fails) => {
  test('whose first prompt of a turn failed is told everything in a new session', async () => {
    const { noting, backend } = await opened(program, [[{ echo: null }, fails]]);
    const first = await collect(backend.stream(requestAt(1), never));
    expect(endOf(first)).toMatchObject({ reason: 'error', error: { retryable: true } });
    const again = await collect(backend.stream(requestAt(1), never));
    expect(textOf(again)).toBe(textOf(first));
    expect(textOf(again)).toContain(requestAt(1).system);
    const starts = noting.lines.filter((line) => !line.includes('--version'));
    expect(starts.length).toBe(2);
    expect(starts.filter((line) => line.includes('resume'))).toEqual([]);
  });

  test('whose later prompt failed goes on and is told again what is new', async () => {
    const { backend } = await opened(program, [[{ say: 'one' }], [fails], [{ echo: null }]]);
    await collect(backend.stream(requestAt(1), never));
    expect(endOf(await collect(backend.stream(requestAt(2), never))).reason).toBe('error');
    expect(textOf(await collect(backend.stream(requestAt(2), never)))).toBe('Go on.');
  });
});
