import { describe, expect, it } from 'vitest';
import {
  askedFor,
  isOpenToAll,
  reachOf,
  wishOf,
} from '../../../../src/run/selectors/approval-words';

const command = 'mcp__weather__get_forecast {"city":"Oslo"}';
const text = (asked: Parameters<typeof wishOf>[0]): readonly string[] => [
  wishOf(asked),
  reachOf(asked),
];

describe('what waits for a person is told as what it is', () => {
  it('a tool of a server, with what its server may reach', () => {
    expect(text({ command, isConfined: true, isTool: true })).toEqual([
      'wants to use a tool of “weather”',
      'Its server is confined to the agent’s copy.',
    ]);
    expect(text({ command, isConfined: false, isTool: true })[1]).toBe(
      'Its server is not confined; it can reach all your files.',
    );
  });

  it('a tool that has changed, with that as the reason', () => {
    expect(text({ command, isConfined: true, isTool: true, isChanged: true })[1]).toBe(
      'This tool is not as it was when it was last used. Its server is confined to the agent’s copy.',
    );
  });

  it('a tool of the team file', () => {
    expect(text({ command: 'custom_tool__lint {}', isConfined: true, isTool: true })).toEqual([
      'wants to use a tool of the team file',
      'This tool is confined to the agent’s copy.',
    ]);
  });

  it('a command, also one that has the words of a tool', () => {
    expect(text({ command, isConfined: false })).toEqual([
      'wants to run a command',
      'This command is not confined; it can reach all your files.',
    ]);
  });

  it('a request, whatever asks for it', () => {
    expect(text({ command, isConfined: false, isRequest: true })).toEqual([
      'wants to reach out of this machine',
      'It sends what stands above; what comes back goes to this agent.',
    ]);
  });

  it('a program, with what it can do and for how long', () => {
    expect(text({ command: 'claude', isConfined: false, isProgram: true })).toEqual([
      'wants to start its program without confinement',
      'It works in its copy, but can read and change every file that you can, and reach every host. ' +
        'What it changes outside of its copy is not shown and not undone. Your answer holds for the whole run.',
    ]);
  });

  it('on one line: a tool by its name for people, all else in its own words', () => {
    expect(askedFor({ command, isTool: true })).toBe('weather: get_forecast {"city":"Oslo"}');
    expect(askedFor({ command: 'custom_tool__lint {}', isTool: true })).toBe('lint {}');
    expect(askedFor({ command })).toBe(command);
    expect(askedFor({ command: 'npm test\nrm -rf ~' })).not.toContain('\n');
  });

  it('as not confined once, where the wish does not say so', () => {
    expect(isOpenToAll({ command, isConfined: false })).toBe(true);
    expect(isOpenToAll({ command, isConfined: false, isTool: true })).toBe(true);
    expect(isOpenToAll({ command, isConfined: true })).toBe(false);
    expect(isOpenToAll({ command, isConfined: false, isRequest: true })).toBe(false);
    expect(isOpenToAll({ command: 'claude', isConfined: false, isProgram: true })).toBe(false);
  });

  it('shows characters that hide in the name of a server', () => {
    const hidden = 'mcp__a\u202eb__c {}';
    expect(wishOf({ command: hidden, isConfined: true, isTool: true })).toContain('⟨U+202E⟩');
  });
});
