import { describe, expect, test } from 'vitest';
import { isForbidden } from '../../../../src/backends/agents/claude-code/permission';
import { readyServers } from '../../../../src/backends/agents/tool-servers';
import { servicesWith } from '../../../contract/backend-kit';

describe('a rule with stars', () => {
  test.each([
    ['git push', 'git push', true],
    ['git push', 'git push -f', false],
    ['git *', 'git push', true],
    ['git *', 'gitk', false],
    ['* rm *', 'a && rm x', true],
    ['* rm *', 'a\nb && rm x\ny', true],
    ['* rm *', 'a && rmdir x', false],
    ['a*b*a', 'aba', true],
    ['a*b*a', 'ab', false],
    ['ab*ba', 'aba', false],
    ['*', '', true],
    ['a**b', 'a.b', true],
    ['a.c*', 'abc', false],
  ])('%s on %j: %j', (pattern, command, expected) => {
    expect(isForbidden(command, [`Bash(${pattern})`])).toBe(expected);
  });

  test('is judged at once, however the program has chosen its command', () => {
    const pattern = `curl ${'*|'.repeat(20)}* sh`;
    expect(isForbidden(`curl ${'|'.repeat(1_000_000)}`, [`Bash(${pattern})`])).toBe(false);
    expect(isForbidden(`curl ${'|'.repeat(1_000_000)} sh`, [`Bash(${pattern})`])).toBe(true);
    const others = `${'*a'.repeat(20)}*b*a*`;
    expect(isForbidden('a'.repeat(1_000_000), [`Bash(${others})`])).toBe(false);
  });
});

describe('a server of a program', () => {
  const named = async (name: string): Promise<readonly { readonly name: string }[]> =>
    readyServers({
      ...servicesWith({}),
      toolServers: [
        {
          ...{ name, excludedTools: [] },
          transport: { type: 'stdio', command: ['x'], environment: {} },
        },
      ],
    });

  test.each(['massgen', 'MassGen', 'massgen__files', 'a__b', 'massgen_', '_a'])(
    'cannot have a name by which its tools pass for those of another one: %s',
    async (name) => {
      await expect(named(name)).rejects.toMatchObject({
        ...{ code: 'config/invalid' },
        message: `A server of an agent program cannot be called ${name}.`,
      });
    },
  );

  test.each(['files', 'massgen-files', 'massgen_files', 'a_b'])(
    'can be called %s',
    async (name) => {
      expect(await named(name)).toMatchObject([{ name }]);
    },
  );
});
