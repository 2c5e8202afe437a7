// What Claude Code may do when it asks.
import { asText } from '../../wire/json-reading';
import { bridgeName } from '../bridge/mcp-answers';
import { jsonText } from '../json-text';
import type { ReadyServer } from '../tool-servers';

/** Why a tool is refused without asking anybody, for the program; `undefined`: it may be asked for. */
export function refusalOfTool(tool: string, servers: readonly ReadyServer[]): string | undefined {
  if (tool === 'AskUserQuestion' || tool === 'ExitPlanMode') {
    return 'Nobody can answer now. Decide yourself, and say in your answer what you have decided.';
  }
  const server = servers.find(({ name }) => tool.startsWith(`mcp__${name}__`));
  const raw = server === undefined ? '' : tool.slice(`mcp__${server.name}__`.length);
  const isLeftOut =
    server !== undefined &&
    (server.excludedTools.includes(raw) || server.allowedTools?.includes(raw) === false);
  return isLeftOut ? 'This tool is not part of your work. Go on without it.' : undefined;
}

/**
 * Whether one of these rules forbids a command as a whole. A command that hides another one is judged by the program, which
 * knows the rules as well: this only spares people questions whose answer would not count.
 */
export function isForbidden(command: string, rules: readonly string[]): boolean {
  return rules.some((rule) => {
    const pattern = /^Bash\((.*)\)$/s.exec(rule.trim())?.[1];
    if (pattern === undefined) {
      return false;
    }
    const word = pattern.endsWith(':*') ? pattern.slice(0, -2) : undefined;
    const text = command.trim();
    return word === undefined
      ? matchesStars(text, pattern)
      : text === word || (text.startsWith(word) && /^\s/.test(text.slice(word.length)));
  });
}

/** In time with the length of the text, which is the program's: each part as early as it can stand. */
function matchesStars(text: string, pattern: string): boolean {
  const [first = '', ...more] = pattern.split('*');
  const last = more.pop();
  if (last === undefined) {
    return text === pattern;
  }
  const end = text.length - last.length;
  if (!text.startsWith(first) || !text.endsWith(last)) {
    return false;
  }
  let at = first.length;
  for (const part of more) {
    const found = text.indexOf(part, at);
    if (found < 0) {
      return false;
    }
    at = found + part.length;
  }
  return at <= end;
}

/** Nobody could read a longer question, UTF-16 units. */
const longestQuestion = 1024 * 1024;

/** Why nobody can be asked about this input, for the program; `undefined`: somebody can. */
export function refusalOfInput(input: Readonly<Record<string, unknown>>): string | undefined {
  const text = jsonText(input);
  return text === undefined || text.length > longestQuestion
    ? 'This is too long for anybody to allow it. Take smaller steps.'
    : undefined;
}

/** What a person is asked; `undefined` for the workflow tools, which act on nothing. */
export function askedOf(
  tool: string,
  input: Readonly<Record<string, unknown>>,
): string | undefined {
  if (tool.startsWith(`mcp__${bridgeName}__`)) {
    return undefined;
  }
  const command = asText(input['command']);
  return tool === 'Bash' && command !== '' ? command : `${tool} ${JSON.stringify(input)}`;
}
