import { isMassGenError, MassGenError } from '../core/errors';
import type { CommandRules } from '../core/ports/command-rules';
import type { Tool, ToolResult } from '../core/ports/tool';
import { commandsOf } from './commands-of';
import { RegexWorker } from './regex-worker';
import { textOf } from './tool-input';

/** An expression that needs longer for one line does not end. */
const longestMatchMs = 2_000;

/**
 * `run_command` for an agent whose team file says which commands may run. Each command of a line is looked at by itself, so
 * that one that may run brings no other along. It keeps honest agents to what was meant; what keeps the others is confinement.
 */
export function ruledCommand(tool: Tool, rules: CommandRules): Tool {
  if (rules.allowed.length === 0 && rules.blocked.length === 0) {
    return tool;
  }
  return {
    ...tool,
    async run(input, context, signal): Promise<ToolResult> {
      const refusal = await refusalOf(textOf(input, 'command'), rules, signal).catch(sentenceOf);
      return refusal === undefined
        ? tool.run(input, context, signal)
        : { text: refusal, isError: true };
    },
  };
}

/** Everything else is a bug, or the end of the turn. */
function sentenceOf(error: unknown): string {
  if (isMassGenError(error, 'tool/denied')) {
    return error.message;
  }
  throw error;
}

/** What the agent is told; `undefined`: it may run. */
async function refusalOf(
  line: string,
  { allowed, blocked }: CommandRules,
  signal: AbortSignal,
): Promise<string | undefined> {
  const commands = commandsOf(line);
  const isMatched = new Set<number>();
  for (const pattern of blocked) {
    const [first] = await matching(pattern, commands, signal);
    if (first !== undefined) {
      return refused(commands[first] ?? '', `The team file blocks what begins with ${pattern}.`);
    }
  }
  for (const pattern of allowed) {
    for (const index of await matching(pattern, commands, signal)) {
      isMatched.add(index);
    }
  }
  const other = commands.findIndex((_, index) => !isMatched.has(index));
  return allowed.length === 0 || other === -1
    ? undefined
    : refused(commands[other] ?? '', `The team file allows only: ${allowed.join(', ')}.`);
}

function refused(command: string, why: string): string {
  return `Nothing was run: ${command} is not allowed. ${why} Go on without it, or explain in your answer what could not be checked.`;
}

/** Places of the commands that begin with the expression. Throws `tool/denied` for one that does not end in time. */
async function matching(
  pattern: string,
  commands: readonly string[],
  signal: AbortSignal,
): Promise<readonly number[]> {
  const worker = new RegexWorker(`^(?:${pattern})`, commands.length);
  try {
    return await worker.match(commands.join('\n'), longestMatchMs, signal);
  } catch (error) {
    if (isMassGenError(error, 'tool/timed-out')) {
      throw new MassGenError(
        'tool/denied',
        'Nothing was run: an expression of the team file takes too long for it.',
        { cause: error, hint: 'Try a shorter command.' },
      );
    }
    throw error;
  } finally {
    await worker.close();
  }
}
