// What is said of what waits for a person, wherever it is asked.
import type { ApprovalState } from '../state';
import { toolName } from './tool-words';
import { revealOnOneLine } from './visible-text';

type Asked = Pick<
  ApprovalState,
  'command' | 'isConfined' | 'isRequest' | 'isTool' | 'isChanged' | 'isProgram'
>;

/** After the agent's name. Who wrote the name of a tool is unknown, so that no more than its server is told. */
export function wishOf({ command, isRequest, isTool, isProgram }: Asked): string {
  if (isProgram === true) {
    return 'wants to start its program without confinement';
  }
  if (isRequest === true) {
    return 'wants to reach out of this machine';
  }
  return isTool === true ? `wants to use ${toolOf(command)}` : 'wants to run a command';
}

/** What is asked for, on one line; a tool by its name for people. */
export function askedFor({ command, isTool }: Pick<Asked, 'command' | 'isTool'>): string {
  const [name = '', ...input] = revealOnOneLine(command).split(' ');
  return isTool === true ? [toolName(name), ...input].join(' ') : [name, ...input].join(' ');
}

/** For whoever cannot see the icon: not confined, where the wish does not say so itself. */
export function isOpenToAll({ isConfined, isRequest, isProgram }: Asked): boolean {
  return !isConfined && isRequest !== true && isProgram !== true;
}

/** What it may reach, as a sentence, after why a tool is asked about that needed no question before. */
export function reachOf(asked: Asked): string {
  const reach = ownReachOf(asked);
  return asked.isChanged === true ? `${changed} ${reach}` : reach;
}

const changed = 'This tool is not as it was when it was last used.';

function ownReachOf({ command, isConfined, isRequest, isTool, isProgram }: Asked): string {
  if (isProgram === true) {
    return (
      'It works in its copy, but can read and change every file that you can, and reach every host. ' +
      'What it changes outside of its copy is not shown and not undone. Your answer holds for the whole run.'
    );
  }
  if (isRequest === true) {
    return 'It sends what stands above; what comes back goes to this agent.';
  }
  const subject =
    isTool !== true ? 'This command' : serverOf(command) === '' ? 'This tool' : 'Its server';
  return isConfined
    ? `${subject} is confined to the agent’s copy.`
    : `${subject} is not confined; it can reach all your files.`;
}

/** `a tool of weather`, `a tool of yours`. */
function toolOf(command: string): string {
  const server = serverOf(command);
  return server === '' ? 'a tool of the team file' : `a tool of “${server}”`;
}

function serverOf(command: string): string {
  const [first = ''] = command.split(' ', 1);
  const name = toolName(first);
  return first.startsWith('mcp__') && name.includes(': ')
    ? revealOnOneLine(name.slice(0, name.indexOf(': ')))
    : '';
}
