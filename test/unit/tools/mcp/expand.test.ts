import { describe, expect, it } from 'vitest';
import { Expander } from '../../../../src/tools/mcp/expand';

const values: Readonly<Record<string, string>> = { TOKEN: 't-1', NESTED: '${TOKEN}', EMPTY: '' };

const expander = new Expander(
  { get: async (name) => values[name] },
  { workspaceFolder: '/project', userHome: '/home/me', cwd: '/own' },
);

describe('texts of a server', () => {
  it.each([
    ['--dir=${cwd}/profile', '--dir=/own/profile'],
    ['${workspaceFolder}/x', '/project/x'],
    ['~/x', '/home/me/x'],
    ['Bearer ${TOKEN}', 'Bearer t-1'],
    ['${env:TOKEN}', 't-1'],
    ['${NONE:-instead}', 'instead'],
    ['${EMPTY:-instead}', 'instead'],
    ['$${TOKEN}', '${TOKEN}'],
    ['${NESTED}', '${TOKEN}'],
  ])('%s become %s', async (written, filled) => {
    expect(await expander.text(written)).toBe(filled);
  });

  it.each(['${NONE}', '${EMPTY}'])('with %s, which is not set, are refused', async (written) => {
    await expect(expander.text(written)).rejects.toMatchObject({
      code: 'config/missing-secret',
      message: `The variable ${written.slice(2, -1)} is not set.`,
    });
  });
});
