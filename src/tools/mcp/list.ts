// What a server offers.
import { MassGenError } from '../../core/errors';
import type { ToolServerConfig } from '../../core/ports/backend-kind';
import { mostTools } from './ready-notice';
import { listOf, membersOf } from './schema-parts';
import type { Connection } from './wire';

const mostPages = 256;
const longestName = 200;

/** A tool as its server describes it, unchecked apart from its name. */
export interface Listed {
  /** The server's own name. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

export interface ListedTools {
  /** In the server's own order. */
  readonly tools: readonly Listed[];
  /** Wanted as well, and too many. */
  readonly leftOut: number;
  /** The list went on, and was read no further. */
  readonly isEndless: boolean;
}

/** The tools of a server that are wanted. Throws `tool/failed`. */
export async function listAll(
  connection: Connection,
  config: Pick<ToolServerConfig, 'name' | 'allowedTools' | 'excludedTools'>,
  signal: AbortSignal,
): Promise<ListedTools> {
  if (!connection.hasTools) {
    return { tools: [], leftOut: 0, isEndless: false };
  }
  const found = new Map<string, Listed>();
  const tooMany = new Set<string>();
  let isEndless = true;
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await connection.request('tools/list', params, () => undefined, signal);
    const { nextCursor } = answer;
    const tools = listOf(answer['tools']);
    if (tools === undefined) {
      throw new MassGenError('tool/failed', 'It does not tell its tools.');
    }
    for (const tool of tools.flatMap((each) => toListed(each) ?? [])) {
      if (!isWanted(tool.name, config) || found.has(tool.name)) {
        continue;
      }
      if (found.size < mostTools) {
        found.set(tool.name, tool);
      } else {
        tooMany.add(tool.name);
      }
    }
    if (typeof nextCursor !== 'string' || nextCursor === '' || nextCursor === cursor) {
      isEndless = false;
      break;
    }
    cursor = nextCursor;
  }
  return { tools: [...found.values()], leftOut: tooMany.size, isEndless };
}

function toListed(value: unknown): Listed | undefined {
  const { name, description, title, inputSchema } = membersOf(value) ?? {};
  if (typeof name !== 'string' || name === '' || name.length > longestName) {
    return undefined;
  }
  const words = [description, title].find((each) => typeof each === 'string');
  return { name, description: typeof words === 'string' ? words : '', inputSchema };
}

/** Lists name tools as the server does, or as models see them. */
function isWanted(
  tool: string,
  {
    name,
    allowedTools,
    excludedTools,
  }: Pick<ToolServerConfig, 'name' | 'allowedTools' | 'excludedTools'>,
): boolean {
  const whole = `mcp__${name}__${tool}`;
  const isIn = (list: readonly string[]): boolean => list.includes(tool) || list.includes(whole);
  return (allowedTools === undefined || isIn(allowedTools)) && !isIn(excludedTools);
}
