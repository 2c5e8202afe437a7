import { MassGenError } from '../core/errors';
import type { BackgroundCommand } from '../core/ports/workspace';
import { defineTool } from './define-tool';
import { textOf } from './tool-input';

const id = {
  type: 'string',
  description: 'The id that run_command gave, e.g. command1.',
} as const;

/** What a command in the background has said so far. */
export const commandOutput = defineTool({
  name: 'command_output',
  access: 'execute',
  effect: 'read',
  description:
    'Returns what a command that you started in the background has printed so far, and whether it still runs.',
  fields: { id },
  subjectOf: (input) => textOf(input, 'id'),
  async run(input, { workspace }): Promise<string> {
    return reportOf(workspace.backgroundCommand(input.id) ?? unknown(input.id));
  },
});

export const stopCommand = defineTool({
  name: 'stop_command',
  access: 'execute',
  effect: 'unknown',
  description: 'Stops a command that you started in the background, with everything it started.',
  fields: { id },
  subjectOf: (input) => textOf(input, 'id'),
  async run(input, { workspace }, signal): Promise<string> {
    return reportOf((await workspace.stopCommand(input.id, signal)) ?? unknown(input.id));
  },
});

/** For people and models alike: the id, the output and how it stands. */
export function reportOf(command: BackgroundCommand): string {
  const output = command.output === '' ? '(no output)' : command.output.replace(/\n$/, '');
  return `${output}\n[${command.id}: ${stateOf(command)}]`;
}

function stateOf({ isRunning, exitCode }: BackgroundCommand): string {
  if (isRunning) {
    return 'running';
  }
  return exitCode === null ? 'killed' : `exit code ${exitCode}`;
}

function unknown(command: string): never {
  throw new MassGenError(
    'tool/invalid-input',
    `Nothing was done: there is no command ${command} in the background.`,
  );
}
