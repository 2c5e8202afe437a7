import { MassGenError } from '../core/errors';
import type { ToolResult } from '../core/ports/tool';
import type { CommandResult } from '../core/ports/workspace';
import { reportOf } from './command-output';
import { defineTool } from './define-tool';
import { textOf } from './tool-input';

const defaultSeconds = 120;
const longestSeconds = 3600;
/** Characters of an output that are kept as a file. */
const keptChars = 8_000_000;

export const runCommand = defineTool({
  name: 'run_command',
  access: 'execute',
  effect: 'unknown',
  description:
    'Runs a shell command (sh) in your own copy of the project and returns its output and exit code. A person may be asked first and may refuse. ' +
    'Use relative paths. There is no terminal and no input. Whatever is still running when the command ends is stopped. ' +
    'Long output is shortened in the middle, and all of it kept in a file that you are told.',
  fields: {
    command: { type: 'string', description: 'The command, run exactly as given.' },
    cwd: {
      type: 'string',
      description: 'Folder to run in; the top of the project when left out.',
      isOptional: true,
    },
    background: {
      type: 'boolean',
      description:
        'true: return at once and let it go on, e.g. a server; see command_output and stop_command.',
      isOptional: true,
    },
    timeout_seconds: {
      type: 'integer',
      description: 'Time limit; the limit of the run when left out.',
      minimum: 1,
      maximum: longestSeconds,
      isOptional: true,
    },
  },
  subjectOf: (input) => textOf(input, 'command'),
  async run(
    { command, cwd, background, timeout_seconds: seconds },
    context,
    signal,
  ): Promise<string | Omit<ToolResult, 'isError'>> {
    const { workspace } = context;
    if (command.trim() === '') {
      throw new MassGenError('tool/invalid-input', 'Nothing was done: command is empty.');
    }
    if (command.includes('\0')) {
      throw new MassGenError(
        'tool/invalid-input',
        'Nothing was done: command has a NUL character.',
      );
    }
    const isBackground = background === true;
    const limitMs = limitOf(seconds, isBackground, context.commandTimeoutMs);
    const request = { command, cwd, timeoutMs: limitMs };
    const isConfined = workspace.unconfinedReason === null;
    const shown = workspace.describeCommand(request);
    if (!(await context.approveCommand({ ...shown, isConfined }, signal))) {
      throw new MassGenError('tool/denied', 'The command was not run: it was not allowed.', {
        hint: 'Go on without it, or explain in your answer what could not be checked.',
      });
    }
    if (isBackground) {
      return reportOf(await workspace.startCommand(request, signal));
    }
    const whole = new WholeOutput();
    const onOutput = whole.add.bind(whole);
    const result = await workspace.runCommand({ ...request, onOutput }, signal);
    const text = report(result, limitMs / 1000);
    return whole.length > result.output.length ? { text, whole: whole.text() } : { text };
  },
});

/** What a command has printed, up to what is worth keeping. */
class WholeOutput {
  readonly #parts: string[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(text: string): void {
    if (this.#length < keptChars) {
      this.#parts.push(text);
      this.#length += text.length;
    }
  }

  text(): string {
    const cut = this.#length < keptChars ? '' : '\n[… the rest was not kept]\n';
    return `${this.#parts.join('')}${cut}`;
  }
}

/** In ms. A command in the background lives as long as any may, unless it was given less. */
function limitOf(
  seconds: number | undefined,
  isBackground: boolean,
  ofRun: number | undefined,
): number {
  if (seconds !== undefined) {
    return seconds * 1000;
  }
  return isBackground ? longestSeconds * 1000 : (ofRun ?? defaultSeconds * 1000);
}

function report(result: CommandResult, seconds: number): string {
  const output = result.output === '' ? '(no output)' : result.output.replace(/\n$/, '');
  return `${output}\n[${endOf(result, seconds)}]`;
}

function endOf(result: CommandResult, seconds: number): string {
  if (result.isTimedOut) {
    return `stopped after ${seconds} s: time limit`;
  }
  return result.exitCode === null ? 'killed' : `exit code ${result.exitCode}`;
}
