// What can be written behind a slash, once: help, completion and the hint at a typing error are made from it.
import { nearest } from '../../base/text';

export type CommandName =
  | 'help'
  | 'status'
  | 'team'
  | 'votes'
  | 'answer'
  | 'diff'
  | 'apply'
  | 'context'
  | 'config'
  | 'reset'
  | 'quit';

interface CommandInfo {
  readonly name: CommandName;
  readonly aliases: readonly string[];
  readonly operand: string;
  readonly summary: string;
}

export const slashCommands: readonly CommandInfo[] = [
  { name: 'help', aliases: ['h'], operand: '', summary: 'this list' },
  { name: 'status', aliases: [], operand: '', summary: 'team, folders, turns and cost so far' },
  { name: 'team', aliases: [], operand: '', summary: 'who is in the team' },
  { name: 'votes', aliases: [], operand: '', summary: 'votes of the last turn, with reasons' },
  {
    name: 'answer',
    aliases: [],
    operand: '[N]',
    summary: 'the last answer, or what agent N answered',
  },
  { name: 'diff', aliases: [], operand: '', summary: 'what the last answer would change' },
  { name: 'apply', aliases: [], operand: '', summary: 'write these changes into your folder' },
  {
    name: 'context',
    aliases: [],
    operand: '[add PATH [write]]',
    summary: 'what the agents see; add a file or folder',
  },
  { name: 'config', aliases: [], operand: '', summary: 'open the team file in your editor' },
  {
    name: 'reset',
    aliases: ['clear'],
    operand: '',
    summary: 'begin a new session; nothing is removed',
  },
  { name: 'quit', aliases: ['exit', 'q'], operand: '', summary: 'leave (also Ctrl+D)' },
];

const names: ReadonlyMap<string, CommandName> = new Map(
  slashCommands.flatMap(({ name, aliases }) =>
    [name, ...aliases].map((word) => [word, name] as const),
  ),
);

export type Input =
  | { readonly kind: 'empty' }
  | { readonly kind: 'command'; readonly name: CommandName; readonly operand: string }
  | { readonly kind: 'unknown'; readonly word: string; readonly likely: string | undefined }
  | { readonly kind: 'question'; readonly text: string };

/**
 * Only a slash and one word make a command: `clear` is a question, and so is `/etc/hosts is empty, why?`. Two slashes begin
 * a question that would be a command with one. Text of several lines is a question: most of it was pasted, and nobody
 * looks at its first word.
 */
export function readInput(line: string): Input {
  const text = line.trim();
  if (text === '') {
    return { kind: 'empty' };
  }
  const found = /^\/([\p{L}\d_?-]*)(?:[^\S\n\r]+([^\n\r]*))?$/u.exec(text);
  if (found === null) {
    return { kind: 'question', text: text.startsWith('//') ? text.slice(1) : text };
  }
  const [, word = '', operand = ''] = found;
  const name = word === '?' || word === '' ? 'help' : names.get(word.toLowerCase());
  return name === undefined
    ? { kind: 'unknown', word, likely: nearest(word, [...names.keys()]) }
    : { kind: 'command', name, operand: operand.trim() };
}

/** Completes the name of a command, as `readline` wants it. */
export function complete(line: string): [string[], string] {
  const all = [...names.keys()].map((name) => `/${name}`);
  return [/^\/\S*$/.test(line) ? all.filter((name) => name.startsWith(line)) : [], line];
}
