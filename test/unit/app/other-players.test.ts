// Who plays an agent may have changed between the beginning of a run and the day on which it goes on.
import { expect, test } from 'vitest';
import { otherPlayers } from '../../../src/app/other-players';
import { playerOf } from '../../../src/app/player-of';
import { builtInBackends } from '../../../src/backends/registry';
import type { BackendSettings } from '../../../src/core/ports/backend-kind';

const kinds = builtInBackends({ recordingsDir: '/nowhere' });

const claudeCode = settings('claude_code', '');
const gemini = settings('acp', '', ['gemini', '--acp']);
const openCode = settings('acp', '', ['opencode', 'acp']);

function settings(type: string, model: string, command?: readonly string[]): BackendSettings {
  const options = command === undefined ? {} : { command };
  return { type, model, apiKeyName: undefined, options };
}

test.each([
  ['one model', settings('claude', 'a'), settings('claude', 'a'), []],
  ['another model', settings('claude', 'a'), settings('claude', 'b'), ['b. It began with a.']],
  ['one program', claudeCode, claudeCode, []],
  [
    'a program with another model',
    claudeCode,
    settings('claude_code', 'b'),
    ['Claude Code, b. It began with Claude Code.'],
  ],
  ['another program of one protocol', gemini, openCode, ['OpenCode. It began with Gemini CLI.']],
])(
  'a run that goes on with %s tells so, by the names that people know',
  (_how, before, now, told) => {
    const info = { slot: 1, id: 'a', weight: 1, ...playerOf(before, kinds) };
    expect(otherPlayers({ agents: [info] }, [{ backend: now }], kinds)).toEqual(
      told.map((words) => ({
        ...{ type: 'warning-raised', code: 'model-changed' },
        message: `agent1 goes on with ${words}`,
      })),
    );
  },
);
