// What people read of who plays an agent, from its block in a team file.
import { describe, expect, test } from 'vitest';
import { playerOf } from '../../../src/app/player-of';
import { builtInBackends } from '../../../src/backends/registry';
import type { BackendSettings, OptionValue } from '../../../src/core/ports/backend-kind';
import { playerName } from '../../../src/run/selectors/player-name';

const kinds = builtInBackends({ recordingsDir: '/nowhere' });

function nameOf(type: string, model: string, command?: OptionValue): string {
  const options = command === undefined ? {} : { command };
  const settings: BackendSettings = { type, model, apiKeyName: undefined, options };
  return playerName(playerOf(settings, kinds));
}

describe('an agent', () => {
  test('is known by its model', () => {
    expect(nameOf('claude', 'claude-opus-5-5')).toBe('claude-opus-5-5');
    expect(nameOf('openai', 'gpt-6.2-sol')).toBe('gpt-6.2-sol');
  });

  test.each(kinds.filter(({ isProgram }) => isProgram === true).map(({ type }) => type))(
    'that is a program of the kind %s is never known by the name of the kind',
    (type) => {
      expect(nameOf(type, '', ['some-agent'])).not.toContain(type);
    },
  );

  test('that is a program has its name, and that of the model it was told to use', () => {
    expect(nameOf('claude_code', '')).toBe('Claude Code');
    expect(nameOf('codex', 'gpt-6.2-sol')).toBe('Codex, gpt-6.2-sol');
  });

  test.each([
    [['gemini', '--acp'], 'Gemini CLI'],
    [['/home/me/.local/bin/opencode', 'acp'], 'OpenCode'],
    ['goose', 'Goose'],
    [['my-agent.exe', '--stdio'], 'my-agent'],
    [['node', '--no-warnings', '/opt/agent.mjs', '{}'], 'agent.mjs'],
    [['npx', '-y', '@google/gemini-cli', '--acp'], 'gemini-cli'],
    [['node'], 'node'],
  ])('of a protocol that several speak is known by what its command %j starts', (command, name) => {
    expect(nameOf('acp', '', command)).toBe(name);
  });

  test('of a kind that is not known here is known by what its file says', () => {
    expect(nameOf('of-tomorrow', 'm-1')).toBe('m-1');
    expect(nameOf('of-tomorrow', '')).toBe('of-tomorrow');
  });
});
