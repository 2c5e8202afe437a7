import { describe, expect, test } from 'vitest';
import type { Tool, ToolContext, ToolResult } from '../../../src/core/ports/tool';
import { commandsOf } from '../../../src/tools/commands-of';
import { ruledCommand } from '../../../src/tools/ruled-command';
import { never, startRun, tempFolder } from '../workspace/temp-project';

interface Tried {
  readonly result: ToolResult;
  /** Whether the tool itself was called. */
  readonly hasRun: boolean;
}

async function tried(
  command: string,
  rules: { readonly allowed?: readonly string[]; readonly blocked?: readonly string[] },
): Promise<Tried> {
  let hasRun = false;
  const plain: Tool = {
    ...{ name: 'run_command', description: '', inputSchema: {}, access: 'execute' },
    ...{ effect: 'unknown', subjectOf: () => '' },
    run: async () => {
      hasRun = true;
      return { text: 'done', isError: false };
    },
  };
  const context: ToolContext = {
    ...{ workspace: await startRun(tempFolder()).agent(), slot: 1, seenPaths: new Set() },
    approveCommand: async () => true,
  };
  const { allowed = [], blocked = [] } = rules;
  const tool = ruledCommand(plain, { mustBeConfined: false, allowed, blocked });
  const result = await tool.run({ command }, context, never);
  return { result, hasRun };
}

describe('a command under the rules of a team file', () => {
  test.each([
    'git push origin main',
    'cd app && git push',
    'true; git push',
    'echo a | git push',
    'GIT_DIR=x git push',
    'if true; then git push; fi',
    'echo "$(git push)"',
    'echo `git push`',
    'git  push',
    'git pu\\\nsh',
  ])('is not run when it is blocked: %s', async (command) => {
    const { result, hasRun } = await tried(command, { blocked: ['rm', 'git push'] });
    expect(result).toMatchObject({ isError: true });
    expect(result.text).toContain('The team file blocks what begins with git push.');
    expect(hasRun).toBe(false);
  });

  test.each(['git log', 'echo "git push"', "echo 'a; git push'", 'echo git push'])(
    'is run when it only holds the words of one that is blocked: %s',
    async (command) => {
      expect(await tried(command, { blocked: ['git push'] })).toMatchObject({ hasRun: true });
    },
  );

  test('is run when each of its parts is allowed, with where its output goes', async () => {
    const allowed = ['python.*', 'pytest'];
    expect(await tried('python a.py && pytest -q 2>&1', { allowed })).toMatchObject({
      hasRun: true,
    });
  });

  test.each(['curl example.org', 'python a.py; curl x', 'python $(curl x)', ' ; '])(
    'is not run when a part of it is not allowed: %s',
    async (command) => {
      const { result, hasRun } = await tried(command, { allowed: ['python.*'] });
      expect(result.text).toContain('The team file allows only: python.*.');
      expect(hasRun).toBe(false);
    },
  );

  test('is not run when the expression does not end in time', async () => {
    const { result, hasRun } = await tried(`${'a'.repeat(60)}!`, { blocked: ['(a+)+$'] });
    expect(result.text).toContain('an expression of the team file takes too long');
    expect([result.isError, hasRun]).toEqual([true, false]);
  });
});

describe('the commands of a line', () => {
  test('are cut where the shell begins another one', () => {
    expect(commandsOf('a 1 && b "x; y" | c &> out\n{ d; } || e')).toEqual([
      ...['a 1', 'b "x; y"', 'c &> out', 'd', 'e'],
    ]);
  });
});
