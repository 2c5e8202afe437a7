// Everything that can be written after `massgen`, once: what is parsed and what --help says are made from it.
import type { Command, CommandInfo, OptionInfo } from './option-info';
import { commandOptions } from './options-of-commands';
import { runOptions } from './options-of-runs';

export type { Command, CommandInfo, OptionInfo, Topic } from './option-info';

export const commands: readonly CommandInfo[] = [
  { name: 'run', operand: '[TASK]', summary: 'let a team do a task (the name is left out)' },
  { name: 'replay', operand: 'RUN', summary: 'play a stored run again, without any network' },
  { name: 'redecide', operand: 'RUN', summary: 'what another rule would have decided' },
  { name: 'resume', operand: 'RUN', summary: 'go on with a run that was cut off' },
  { name: 'runs', operand: '', summary: 'list the stored runs and their sessions' },
  {
    name: 'logs',
    operand: '[WHAT]',
    summary: 'look into the newest run: summary, tools, list or open',
  },
  {
    name: 'export',
    operand: '[RUN]',
    summary: 'write the files of a session for others to read, without secrets',
  },
  {
    name: 'viewer',
    operand: '[RUN]',
    summary: 'write one page that shows a run step by step, without secrets',
  },
  { name: 'patch', operand: 'RUN', summary: 'what a run proposes, as a patch that git can apply' },
  { name: 'clean-up', operand: '', summary: 'remove old runs and what was left behind' },
  { name: 'models', operand: '[TYPE]', summary: 'list known models, their prices and their end' },
  { name: 'completion', operand: 'SHELL', summary: 'completion for bash, zsh or fish' },
];

export const options: readonly OptionInfo[] = [...runOptions, ...commandOptions];

export function optionsOf(command: Command): readonly OptionInfo[] {
  return options.filter(({ commands: only }) => only?.includes(command) !== false);
}
