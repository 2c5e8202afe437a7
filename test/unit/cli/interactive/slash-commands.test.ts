import { describe, expect, it } from 'vitest';
import { complete, readInput, slashCommands } from '../../../../src/cli/interactive/slash-commands';

describe('a line of a conversation', () => {
  it.each([
    ['/help', 'help', ''],
    ['/h', 'help', ''],
    ['/?', 'help', ''],
    ['/', 'help', ''],
    ['/status', 'status', ''],
    ['/config', 'config', ''],
    ['/reset', 'reset', ''],
    ['/clear', 'reset', ''],
    ['/quit', 'quit', ''],
    ['/exit', 'quit', ''],
    ['/q', 'quit', ''],
    ['  /Answer   2 ', 'answer', '2'],
    ['/context add ~/my files write', 'context', 'add ~/my files write'],
  ])('%s is the command %s', (line, name, operand) => {
    expect(readInput(line)).toEqual({ kind: 'command', name, operand });
  });

  it.each(['clear', 'exit', 'quit', 'q', 'reset', 'help me', 'status of the build?'])(
    'the words "%s" are a question',
    (line) => {
      expect(readInput(line)).toEqual({ kind: 'question', text: line });
    },
  );

  it('a path at the beginning is a question, and two slashes make one of a command', () => {
    const path = '/etc/hosts is empty, why?';
    expect(readInput(path)).toEqual({ kind: 'question', text: path });
    expect(readInput('//help means what?')).toEqual({
      kind: 'question',
      text: '/help means what?',
    });
  });

  it.each(['/apply\nand more', '/quit\r\n/apply', '/context add\n~/keys write', '/nonsense\nx'])(
    'text of several lines is a question, whatever it begins with: %j',
    (text) => {
      expect(readInput(text)).toEqual({ kind: 'question', text });
    },
  );

  it('an unknown command names the nearest one, where there is one', () => {
    expect(readInput('/hlep')).toEqual({ kind: 'unknown', word: 'hlep', likely: 'help' });
    expect(readInput('/frobnicate it')).toEqual({
      kind: 'unknown',
      word: 'frobnicate',
      likely: undefined,
    });
  });

  it.each(['', '   ', '\n'])('without words (%j) is empty', (line) => {
    expect(readInput(line)).toEqual({ kind: 'empty' });
  });

  it('is completed to the commands that begin like it, never a question', () => {
    expect(complete('/co')).toEqual([['/context', '/config'], '/co']);
    expect(complete('/')[0]).toHaveLength(
      slashCommands.reduce((sum, { aliases }) => sum + 1 + aliases.length, 0),
    );
    expect(complete('co')).toEqual([[], 'co']);
    expect(complete('/context a')).toEqual([[], '/context a']);
  });
});
